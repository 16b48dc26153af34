import Foundation

/// What must hold when all is quiet.
struct Aftermath {
  let base: Base
  let programs: [ProgramProcess]
  let ledger: Ledger
  /// Photos of which nothing is certain.
  let disturbed: Set<Int>

  private var found: [String] = []

  init(base: Base, programs: [ProgramProcess], ledger: Ledger, disturbed: Set<Int>) {
    self.base = base
    self.programs = programs
    self.ledger = ledger
    self.disturbed = disturbed
  }

  /// How long programs may take to hear of everything, in seconds.
  private static let patience = 30

  /// Looks at everything; `start` starts another program.
  mutating func violations(start: () async throws -> ProgramProcess) async throws -> [String] {
    let photos = NumberedPhoto.all(in: base.pictures)
    let disk = Set(photos.map(\.url.path))
    for (index, program) in programs.enumerated() {
      compare(
        "Program \(index) heard", await settled(program, disk).values.map { $0 }, disk)
    }
    let fresh = try await start()
    defer { fresh.kill() }
    guard let list = await ask(fresh, .init(action: .list)) else {
      return found + ["A fresh program doesn't answer."]
    }
    compare("A fresh program lists", Array(list.paths.values), disk)
    for (index, program) in programs.enumerated() {
      let heard = await ask(program, .init(action: .heard))?.paths
      if let heard, heard != list.paths {
        let other = heard.filter { list.paths[$0.key] != $0.value }.count
        found.append("Program \(index) knows \(other) assets otherwise than a fresh one.")
      }
    }
    checkIdentifiers(photos, list)
    checkLosses(photos)
    try await checkAlbums(photos, list, fresh)
    for problem in await ask(fresh, .init(action: .verify))?.found ?? ["no answer"] {
      found.append("verify: \(problem)")
    }
    return found
  }

  private func ask(_ program: ProgramProcess, _ request: Program.Request) async -> Program.Reply? {
    program.send(request)
    return await program.reply()
  }

  /// What a program has heard as soon as that is what is on the disk, or when patience ends.
  private func settled(_ program: ProgramProcess, _ disk: Set<String>) async -> [String: String] {
    var heard: [String: String] = [:]
    for _ in 0..<Self.patience * 5 {
      heard = await ask(program, .init(action: .heard))?.paths ?? [:]
      if heard.count == disk.count, Set(heard.values) == disk { break }
      try? await Task.sleep(for: .milliseconds(200))
    }
    return heard
  }

  private mutating func compare(_ who: String, _ paths: [String], _ disk: Set<String>) {
    let listed = Set(paths)
    func names(_ paths: Set<String>) -> String {
      paths.sorted().prefix(5).map { String($0.dropFirst(base.pictures.path.count + 1)) }
        .joined(separator: ", ")
    }
    if listed.count != paths.count { found.append("\(who) files twice.") }
    let missing = disk.subtracting(listed)
    if !missing.isEmpty {
      found.append("\(who) nothing of \(missing.count) files on the disk: \(names(missing))")
    }
    let gone = listed.subtracting(disk)
    if !gone.isEmpty {
      found.append("\(who) \(gone.count) files that aren't on the disk: \(names(gone))")
    }
  }

  private mutating func checkIdentifiers(
    _ photos: [(url: URL, number: Int)], _ list: Program.Reply
  ) {
    let byPath = Dictionary(list.paths.map { ($0.value, $0.key) }) { first, _ in first }
    for (url, number) in photos where !disturbed.contains(number) {
      guard let id = byPath[url.path], let old = ledger.identifiers[number], id != old else {
        continue
      }
      let owner = ledger.identifiers.first { $0.value == id }?.key
      found.append(
        "Photo \(number), \(url.lastPathComponent), was \(old) and is \(id), "
          + "\(owner.map { "once photo \($0)" } ?? "a new one"). It saw: \(ledger.history(number))."
      )
    }
  }

  /// Nothing may be lost, and nothing be there twice: not even in the trash.
  private mutating func checkLosses(_ photos: [(url: URL, number: Int)]) {
    let trash = NumberedPhoto.all(in: base.trash.appending(component: "files"))
    let all = photos + trash + NumberedPhoto.all(in: base.outside)
    let places = Dictionary(grouping: all, by: \.number)
    for number in ledger.identifiers.keys.sorted() where !disturbed.contains(number) {
      switch places[number]?.count ?? 0 {
      case 1: break
      case 0: found.append("Photo \(number) is lost. It saw: \(ledger.history(number)).")
      default:
        found.append(
          "Photo \(number) is there twice: \(places[number]!.map(\.url.path).sorted()).")
      }
    }
    let infos =
      (try? FileManager.default.contentsOfDirectory(
        atPath: base.trash.appending(component: "info").path)) ?? []
    for photo in trash where !infos.contains(photo.url.lastPathComponent + ".trashinfo") {
      found.append(
        "\(photo.url.lastPathComponent) is in the trash, and nothing tells where it was.")
    }
  }

  private mutating func checkAlbums(
    _ photos: [(url: URL, number: Int)], _ list: Program.Reply, _ fresh: ProgramProcess
  ) async throws {
    let certain = Set(
      photos.filter { !disturbed.contains($0.number) }
        .compactMap { ledger.identifiers[$0.number] })
    for (album, members) in ledger.members.sorted(by: { $0.key < $1.key }) {
      guard let shown = await ask(fresh, .init(action: .album, album: album))?.found else {
        found.append("The album \(album) can't be read.")
        continue
      }
      let missing = members.intersection(certain).subtracting(shown)
      if !missing.isEmpty {
        found.append(
          "The album \(album) lacks photos that were put in: "
            + missing.sorted().joined(separator: ", "))
      }
      let gone = Set(shown).subtracting(list.paths.keys)
      if !gone.isEmpty { found.append("The album \(album) shows \(gone.count) that aren't there.") }
    }
  }
}

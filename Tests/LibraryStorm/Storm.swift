import Foundation

/// Sets the storm off, and looks what it left.
final class Storm {
  private let options: Options
  private let base: Base
  private var random: SeededNumbers
  private var intruder: Intruder
  private var programs: [ProgramProcess] = []
  /// What each program was asked last and hasn't answered yet.
  private var open: [Program.Request?] = []
  private var tally: [String: Int] = [:]
  private var ledger = Ledger()
  private var violations: [String] = []

  init(_ options: Options, _ base: Base) {
    self.options = options
    self.base = base
    random = SeededNumbers(options.seed)
    intruder = Intruder(base, nextNumber: options.files)
  }

  /// Returns what must not be.
  func run() async throws -> [String] {
    try prepare()
    for _ in 0..<options.programs {
      programs.append(try await start())
      open.append(nil)
    }
    guard let first = await ask(0, .init(action: .list)) else { return ["No program starts."] }
    for (id, path) in first.paths {
      if let number = NumberedPhoto.number(at: URL(fileURLWithPath: path)) {
        ledger.identifiers[number] = id
      }
    }
    guard ledger.identifiers.count == options.files else {
      return ["The library lists \(ledger.identifiers.count) of \(options.files) files."]
    }
    for number in 0..<options.operations {
      ledger.now = number
      try await operate()
    }
    for index in programs.indices { await finish(index) }
    let did = tally.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    print("Done: \(did.joined(separator: ", ")).")
    var aftermath = Aftermath(
      base: base, programs: programs, ledger: ledger, disturbed: intruder.disturbed)
    violations += try await aftermath.violations { try await self.start() }
    for program in programs { program.kill() }
    return violations
  }

  private func prepare() throws {
    for folder in [base.outside] + (0..<7).map({ base.pictures.appending(path: "\($0)/deep") }) {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    for number in 0..<options.files {
      let folder = number.isMultiple(of: 3) ? "\(number % 7)/deep" : "\(number % 7)"
      try NumberedPhoto.data(number).write(
        to: base.pictures.appending(path: "\(folder)/\(number).jpg"))
    }
    // Programs that each made an album of that name would have two.
    let albums = base.pictures.appending(path: ".viewfinder/albums")
    try FileManager.default.createDirectory(at: albums, withIntermediateDirectories: true)
    for name in ["Saved"] + (0..<options.programs).map({ "Album \($0)" }) {
      let id = UUID().uuidString.lowercased()
      let album = #"{"version": 1, "id": "\#(id)", "name": "\#(name)", "assets": []}"#
      try Data(album.utf8).write(to: albums.appending(component: "\(id).json"))
    }
  }

  private func start() async throws -> ProgramProcess {
    let program = try ProgramProcess(base)
    if await program.reply() == nil { violations.append("A program doesn't start.") }
    return program
  }

  private func count(_ name: String) { tally[name, default: 0] += 1 }

  private func operate() async throws {
    switch UInt64.random(in: 0..<100, using: &random) {
    case 0:
      let index = Int.random(in: 0..<programs.count, using: &random)
      // In the middle of what it was asked last.
      programs[index].kill()
      count("kill")
      open[index] = nil
      programs[index] = try await start()
    case 1..<45:
      let act = Intruder.Act.allCases.randomElement(using: &random)!
      count(act.rawValue)
      for (number, what) in intruder.perform(act, &random) { ledger.note(what, number) }
    default: await request()
    }
    let pause = Int.random(in: 0..<8, using: &random)
    if pause > 3 { try await Task.sleep(for: .milliseconds(pause)) }
  }

  private func request() async {
    let index = Int.random(in: 0..<programs.count, using: &random)
    let photo = NumberedPhoto.all(in: base.pictures).randomElement(using: &random)
    let path = photo?.url.path ?? ""
    var request: Program.Request
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<2:
      request = .init(action: .save, number: intruder.nextNumber, album: "Saved")
      intruder.nextNumber += 1
    case 2..<4: request = .init(action: .add, path: path, album: "Album \(index)")
    case 4: request = .init(action: .favorite, path: path, album: "favorites")
    case 5..<7: request = .init(action: .trash, path: path)
    default: request = .init(action: .restore, number: Int.random(in: 0..<1000, using: &random))
    }
    await finish(index)
    count("\(request.action)")
    if let number = photo?.number, request.path != "" {
      ledger.note("\(request.action) by \(index)", number)
    }
    programs[index].send(request)
    open[index] = request
  }

  /// Waits for the answer of a program to what it was asked, and keeps what it promised.
  private func finish(_ index: Int) async {
    guard let request = open[index] else { return }
    open[index] = nil
    guard let reply = await programs[index].reply() else {
      violations.append("Program \(index) doesn't answer to “\(request.action)”.")
      return
    }
    ledger.note(request, reply)
    guard let problem = reply.problem else { return }
    count("refused")
    // What it was to work on may have gone, or be there again. Nothing else keeps a program from its work.
    let expected = ["There is no ", "No such file or directory", "File exists"]
    if !expected.contains(where: problem.contains) {
      violations.append("Program \(index) refused to \(request.action): \(problem)")
    }
  }

  private func ask(_ index: Int, _ request: Program.Request) async -> Program.Reply? {
    programs[index].send(request)
    return await programs[index].reply()
  }
}

/// What programs have promised, and what happened to each photo.
struct Ledger {
  /// The number of the operation.
  var now = 0
  private var histories: [Int: [String]] = [:]

  mutating func note(_ what: String, _ number: Int) {
    histories[number, default: []].append("\(now) \(what)")
  }

  /// What was done to a photo, as far as it was found by its name.
  func history(_ number: Int) -> String {
    (histories[number] ?? []).joined(separator: ", ")
  }

  /// The identifiers of assets, by their photos' numbers.
  var identifiers: [Int: String] = [:]
  /// What was put into albums.
  private(set) var members: [String: Set<String>] = [:]
  /// Photos that were saved.
  private(set) var saved: Set<Int> = []

  mutating func note(_ request: Program.Request, _ reply: Program.Reply) {
    guard reply.problem == nil else { return }
    switch request.action {
    case .save:
      guard let (id, _) = reply.paths.first else { return }
      identifiers[request.number] = id
      saved.insert(request.number)
      members[request.album, default: []].insert(id)
    case .add, .favorite: members[request.album, default: []].formUnion(reply.found)
    default: break
    }
  }
}

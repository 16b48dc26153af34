import Foundation
import GRDB
import Testing

@testable import ViewfinderLibrary

/// Several processes that work on one library at once.
@Suite struct TwoProcessTests {
  @Test("What two processes save and put into one album is all there, and each hears of the other")
  func savingAndEditing() async throws {
    let folder = try ScratchFolder()
    try WorkerProcess.prepare(folder.path)
    let library = try await LibraryRig.open(folder.path, watches: true)
    try await library.update()
    let own = try await library.everything()
    let heard = Heard()
    let changes = library.changes
    let listener = Task { for await change in changes { await heard.add(change) } }
    defer { listener.cancel() }

    let worker = try WorkerProcess(folder.path, .save, count: 40, watches: true)
    #expect(try await worker.hasTold("saved"))
    let shared = try #require(
      try await library.albums().first { $0.kind == .made && $0.name == "Saved" })
    let mine = try await library.makeAlbum(named: "Mine")
    for asset in own {
      try await shared.add([asset])
      try await mine.add([asset])
      try await mine.move([asset], to: 0)
      try await library.setFavorite(true, [asset])
    }
    #expect(try await worker.hasTold("done"))

    let saved = worker.told("saved").compactMap { URL(string: $0[1]).map { FilePath($0) } }
    #expect(saved.count == 40)
    let members = try await assets(of: shared).map(\.path)
    #expect(members.filter { saved.contains($0) } == saved)
    #expect(members.filter { !saved.contains($0) } == own.map(\.path))
    #expect(try await assets(of: mine).map(\.path) == own.map(\.path).reversed())
    #expect(try await assets(of: library.album(.favorites)).map(\.path) == own.map(\.path))

    // Each hears of what the other did.
    let ids = Set(try await assets(of: shared).map(\.id)).subtracting(own.map(\.id))
    #expect(try await eventually { await heard.assets.isSuperset(of: ids) })
    #expect(await heard.albums.contains(shared.id))
    #expect(try await eventually { worker.told("heard").contains([mine.id.uuidString]) })
    let fresh = try await LibraryRig.fresh(of: folder.path).everything()
    #expect(Set(try await library.everything().map(\.summary)) == Set(fresh.map(\.summary)))
    #expect(worker.kill(), "It ended with an error.")
  }

  @Test("Processes that open a library at the same moment, without an index, work on one")
  func opening() async throws {
    let folder = try ScratchFolder()
    try WorkerProcess.prepare(folder.path)
    let workers = try (0..<4).map {
      try WorkerProcess(folder.path, .save, first: $0 * 1000, count: 10)
    }
    for worker in workers { #expect(try await worker.hasTold("done")) }
    let library = try await LibraryRig.open(folder.path)
    // The index had all before it was brought up to date.
    #expect(try await library.album(.cameraRoll).counts().all == 20)
    try await library.update()
    let all = try await library.everything()
    #expect(all.count == 8 + 40)
    for line in workers.flatMap({ $0.told("saved") }) {
      let url = try #require(URL(string: line[1]))
      #expect(try Data(contentsOf: url) == WorkerProcess.photo(Int(line[0]) ?? -1))
    }
  }

  @Test(
    "While one process saves, another makes the index anew, and both go on with one that has all",
    arguments: [false, true])
  func replacing(isDamaged: Bool) async throws {
    let folder = try ScratchFolder()
    try WorkerProcess.prepare(folder.path)
    let library = try await LibraryRig.open(folder.path)
    try await library.update()
    let worker = try WorkerProcess(folder.path, .save, count: 60, watches: true)
    #expect(try await worker.hasTold("saved", 10))
    let index = library.core.index
    let before = index.path
    if isDamaged {
      // What a disk may do: the file's head is nonsense. Its pages come from the log, until that is gone.
      let handle = try FileHandle(forWritingTo: before.url)
      try handle.write(contentsOf: Data(repeating: 0x20, count: 4096 * 8))
      try handle.close()
    } else {
      try index.rebuild()
    }
    #expect(try await worker.hasTold("done"))
    let saved = worker.told("saved").compactMap { URL(string: $0[1]).map { FilePath($0) } }
    #expect(saved.count == 60)
    let other = try await LibraryRig.open(folder.path)
    for library in [library, other] {
      try await library.update()
      #expect(Set(try await library.everything().map(\.path)).isSuperset(of: saved))
      #expect(try await library.everything().count == 68)
      #expect(try await library.verify().isHealthy)
      let album = try await library.makeAlbum(named: "Saved")
      #expect(try await assets(of: album).map(\.path) == saved)
    }
    #expect(library.core.index.path == other.core.index.path)
    #expect(IndexFile.newest(in: before.folder)?.path == other.core.index.path)
    if !isDamaged { #expect(other.core.index.path != before) }
    #expect(worker.kill(), "It ended with an error.")
  }

  @Test("An index that another process keeps for itself can't be opened, and isn't deleted")
  func busyIndex() throws {
    let folder = try ScratchFolder()
    let version = try {
      let index = try IndexDatabase(folder: folder.path)
      try index.writeNow { db in
        try db.execute(sql: "INSERT INTO change (subject, kind) VALUES (x'00', 0)")
      }
      return try index.readNow { db in try ChangeLog.version(in: db) }
    }()
    let path = try #require(IndexFile.newest(in: folder.path)).path
    let other = try DatabaseQueue(path: path.description)
    try other.inDatabase { db in
      try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
      try db.inTransaction(.immediate) {
        #expect {
          _ = try IndexDatabase(folder: folder.path, waitingFor: .milliseconds(50))
        } throws: { error in
          if case PhotoLibraryError.indexUnusable(path.description, _) = error {
            true
          } else {
            false
          }
        }
        return .commit
      }
    }
    try other.close()
    let found = try IndexDatabase(folder: folder.path).readNow { db in
      try ChangeLog.version(in: db)
    }
    #expect(found == version)
  }

  private func assets(of album: Album) async throws -> [Asset] {
    let list = try await album.assets()
    return try await list.assets(in: 0..<list.count)
  }
}

/// What a library told of.
private actor Heard {
  var assets: Set<UUID> = []
  var albums: Set<UUID> = []

  func add(_ change: LibraryChange) {
    assets.formUnion(change.inserted)
    albums.formUnion(change.insertedAlbums.union(change.updatedAlbums))
  }
}

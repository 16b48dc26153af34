import Foundation
import GRDB
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// What becomes of the index when versions, programs and disks do their worst.
@Suite struct IndexFileTests {
  private func file(_ rig: LibraryRig) throws -> IndexFile {
    try #require(IndexFile.newest(in: rig.library.core.index.path.folder))
  }

  /// What can't be found again: an edited file's identifier, and when the library first saw it.
  private func edited() async throws -> (rig: LibraryRig, id: UUID, date: Date) {
    let rig = try await LibraryRig { folder in
      for number in 0..<40 { try folder.write("\(number).jpg", seed: number) }
    }
    let before = try await rig.asset("7.jpg")
    try rig.folder.write("7.jpg", seed: 900)
    try await rig.library.update()
    try rig.library.core.index.writeNow {
      try $0.execute(sql: "UPDATE file SET added = added - 86400000000000")
    }
    return (rig, before.id, before.additionDate - 86_400)
  }

  private func checkpoint(_ path: FilePath) throws {
    let queue = try DatabaseQueue(path: path.description)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    try queue.close()
  }

  /// What the version before this one had.
  private func makePredecessor(of index: IndexDatabase, at path: FilePath) throws {
    let queue = try DatabaseQueue(path: index.path.description)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "VACUUM INTO ?", arguments: [path.description])
    }
    try queue.close()
    let copy = try DatabaseQueue(path: path.description)
    try copy.write { db in
      for column in ["stale", "isIncomplete", "dateSource"] {
        try db.execute(sql: "ALTER TABLE file DROP COLUMN \(column)")
      }
      try db.execute(sql: "ALTER TABLE folder DROP COLUMN absent; DROP TABLE checksum")
    }
    try copy.close()
  }

  private func expectKept(_ known: (rig: LibraryRig, id: UUID, date: Date)) async throws {
    let library = try await known.rig.reopened()
    try await library.update()
    #expect(try await library.everything().count == 40)
    let asset = try await library.asset(at: known.rig.root.appending("7.jpg").url)
    #expect(asset.id == known.id)
    #expect(abs(asset.additionDate.timeIntervalSince(known.date)) < 0.001)
  }

  @Test("Identifiers of edited files, and when they were first seen, outlive a rebuild")
  func rebuild() async throws {
    let known = try await edited()
    var configuration = PhotoLibrary.Configuration(roots: [known.rig.root.url])
    configuration.indexFolder = known.rig.base.appending("index").url
    let before = try file(known.rig)
    #expect(try await PhotoLibrary.rebuild(configuration).filesRead == 40)
    #expect(try file(known.rig) != before)
    try await expectKept(known)
  }

  @Test("They outlive pages of the index that are damaged, while it is in use")
  func damage() async throws {
    let known = try await edited()
    let index = known.rig.library.core.index
    let before = try file(known.rig)
    // All that is in the log goes into the file, where a page of the table's indexes is damaged.
    let page = try index.readNow { db in
      try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'fileByName'")!
    }
    try checkpoint(before.path)
    let handle = try FileHandle(forWritingTo: before.path.url)
    try handle.seek(toOffset: UInt64(page - 1) * 4096)
    try handle.write(contentsOf: Data(repeating: 0x55, count: 4096))
    try handle.close()
    // Whoever meets it goes on, with another file.
    let fresh = try await known.rig.reopened()
    try known.rig.folder.write("new.jpg", seed: 1000)
    try await fresh.update()
    #expect(try file(known.rig) != before)
    #expect(try await fresh.everything().count == 41)
    try known.rig.folder.delete("new.jpg")
    // Those who had it open follow.
    try await known.rig.library.update()
    #expect(try await known.rig.all().count == 40)
    #expect(known.rig.library.core.index.path == (try file(known.rig)).path)
    try await expectKept(known)
  }

  @Test("An index of the version before this one gives what it knows")
  func predecessor() async throws {
    let known = try await edited()
    let index = known.rig.library.core.index
    let old = index.path.folder.appending("index.sqlite")
    try makePredecessor(of: index, at: old)
    try file(known.rig).remove()
    try await expectKept(known)
    #expect(old.exists)
  }

  @Test("A program of this version works on an index that a later one has added to, and keeps it")
  func laterVersion() async throws {
    let rig = try await LibraryRig { try $0.write("a.jpg", seed: 1) }
    let before = try file(rig)
    try rig.library.core.index.writeNow { db in
      try db.execute(
        sql: """
          ALTER TABLE file ADD COLUMN mood TEXT DEFAULT 'fine';
          CREATE TABLE face (id INTEGER PRIMARY KEY, file INTEGER);
          INSERT INTO face (file) VALUES (1);
          INSERT INTO grdb_migrations (identifier) VALUES ('faces');
          """)
    }
    let library = try await rig.reopened()
    try rig.folder.write("b.jpg", seed: 2)
    try await library.update()
    #expect(try await library.everything().count == 2)
    #expect(try file(rig) == before)
    let faces = try library.core.index.readNow {
      try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM face")
    }
    #expect(faces == 1)
  }

  @Test("One error of a disk is no damage")
  func readError() {
    for code in [
      ResultCode.SQLITE_IOERR, .SQLITE_IOERR_READ, .SQLITE_BUSY, .SQLITE_FULL, .SQLITE_NOMEM,
    ] {
      #expect(!IndexDamage.isLikely(DatabaseError(resultCode: code)))
    }
    for code in [ResultCode.SQLITE_CORRUPT, .SQLITE_NOTADB] {
      #expect(IndexDamage.isLikely(DatabaseError(resultCode: code)))
    }
  }

  @Test(
    "An error that looks like damage, or like a lost file, replaces no index in which nothing is wrong",
    arguments: [11, 14])
  func healthyIndex(code: CInt) async throws {
    let rig = try await LibraryRig { try $0.write("a.jpg", seed: 1) }
    let before = try file(rig)
    #expect {
      try rig.library.core.index.readNow { _ in
        throw DatabaseError(resultCode: ResultCode(rawValue: code))
      }
    } throws: { error in
      if case PhotoLibraryError.indexUnusable = error { true } else { false }
    }
    #expect(try file(rig) == before)
    #expect(try await rig.all().count == 1)
  }

  @Test(
    "An index that somebody deletes while it is in use is made anew, and nothing is written into the void"
  )
  func deletedIndex() async throws {
    let rig = try await LibraryRig { try $0.write("a.jpg", seed: 1) }
    try file(rig).remove()
    let saved = try await rig.library.save([PhotoResource(.data(LibraryFolder.jpeg(seed: 5)))])
    try await rig.library.update()
    let other = try await rig.reopened()
    #expect(Set(try await other.everything().map(\.fileName)) == ["a.jpg", saved.fileName])
    #expect(try await rig.all().count == 2)
  }

  @Test("Readers don't wait for a writer, and see all or nothing of what it does")
  func readersDuringAWrite() async throws {
    let rig = try await LibraryRig { folder in
      for number in 0..<5 { try folder.write("\(number).jpg", seed: number) }
    }
    let core = rig.library.core
    let count = try core.writer.write { db in
      try db.execute(sql: "UPDATE file SET removed = 1, isDefault = 0")
      let done = DispatchSemaphore(value: 0)
      let found = Mutex(-1)
      Thread.detachNewThread {
        let count = try? core.index.readNow { db in
          try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM file WHERE removed = 0")
        }
        found.withLock { $0 = count ?? -2 }
        done.signal()
      }
      #expect(done.wait(timeout: .now() + 60) == .success)
      return found.withLock { $0 }
    }
    #expect(count == 5)
  }
}

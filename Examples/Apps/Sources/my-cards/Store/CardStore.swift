import CardModel
import FeedSync
import Foundation
import GRDB

/// The person's cards: records in SQLite and pictures as files, all in one folder that nobody else may read.
///
/// It works without a network. What has changed waits in it for whoever syncs; an edit and its place in the queue
/// are one transaction, so that an end at any moment loses neither.
public final class CardStore: Sendable {
  let database: StoreDatabase
  /// The identifier of this wallet among those of the person.
  let wallet: String
  let pictures: PictureFolder
  let watchers = StoreWatchers()
  let memory = CardMemory()
  /// The clock, for what is shown.
  public let now: @Sendable () -> Date

  /// How long a deleted card can be brought back at least, in seconds.
  static let undoTime = 30.0 * 86_400

  /// Opens the store in a folder, which is made where it is missing.
  ///
  /// - Parameters:
  ///   - folder: The folder; it and its files are for this user alone.
  ///   - now: The clock, for what is shown; nothing is decided by it.
  /// - Throws: ``CardStoreError``; a store that a newer version made isn't touched.
  public init(folder: URL, now: @escaping @Sendable () -> Date = { Date() }) throws {
    self.now = now
    try CardStoreError.files(folder) {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    database = try StoreDatabase(in: folder)
    wallet = try database.read { try String.fetchOne($0, sql: "SELECT id FROM wallet") ?? "" }
    // Also a folder that was there before.
    guard chmod(folder.path, 0o700) == 0 else {
      throw CardStoreError.ofFiles(POSIXError.current, folder)
    }
    pictures = try PictureFolder(folder.appending(component: "pictures"))
    // On a full disk the store can still be read.
    try? tidy()
  }

  /// One value at once and one after each change that this process makes, the newest only.
  public func changes() -> AsyncStream<Void> { watchers.watch() }

  /// Changes the database, and tells of it.
  func change<T>(_ body: (RecordTable) throws -> T) throws -> T {
    let result = try database.write { db in try body(RecordTable(db: db, wallet: wallet)) }
    watchers.tell()
    return result
  }

  func look<T>(_ body: (RecordTable) throws -> T) throws -> T {
    try database.read { db in try body(RecordTable(db: db, wallet: wallet)) }
  }

  /// Removes what can't be brought back any more, and pictures that nothing names.
  private func tidy() throws {
    let time = now().timeIntervalSince1970
    let old = time - Self.undoTime
    try database.write { db in
      // A clock that is wrong once takes nothing: what looks old must look old for as long again.
      try db.execute(
        sql: "UPDATE former SET old = ? WHERE date < ? AND (old IS NULL OR old > ?)",
        arguments: [time, old, time])
      try db.execute(sql: "DELETE FROM former WHERE old < ?", arguments: [old])
      try db.execute(
        sql: "DELETE FROM draft WHERE date < ?", arguments: [time - Self.draftTime])
    }
    try pictures.removeAll {
      try database.read { db in
        try CardRecord.blobs(in: ["record", "former"] + FeedTables.withRecords, db)
          .union(String.fetchSet(db, sql: "SELECT hash FROM draft"))
      }
    }
  }
}

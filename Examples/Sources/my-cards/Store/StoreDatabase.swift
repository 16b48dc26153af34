import Foundation
import GRDB

/// The store's database: what is written is on the disk, all of it or nothing.
struct StoreDatabase: Sendable {
  private let queue: DatabaseQueue
  private let folder: URL

  /// Opens the database in a folder; one that a newer version made isn't touched.
  init(in folder: URL) throws {
    self.folder = folder
    let file = folder.appending(component: "cards.sqlite")
    var configuration = Configuration()
    configuration.label = "Cards"
    configuration.busyMode = .timeout(10)
    do {
      // SQLite would let everybody read it, and gives its other files the same mode.
      try PrivateFile.make(file)
      queue = try DatabaseQueue(path: file.path, configuration: configuration)
      let migrations = StoreSchema.migrations
      guard try !queue.read(migrations.hasBeenSuperseded) else {
        throw CardStoreError.newerSchema(path: folder.path)
      }
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
      }
      try migrations.migrate(queue)
    } catch {
      throw Self.storeError(error, folder)
    }
  }

  func read<T>(_ body: (Database) throws -> T) throws -> T {
    do { return try queue.read(body) } catch { throw Self.storeError(error, folder) }
  }

  func write<T>(_ body: (Database) throws -> T) throws -> T {
    do { return try queue.write(body) } catch { throw Self.storeError(error, folder) }
  }

  /// In words without SQL, whose arguments are what is on the cards.
  private static func storeError(_ error: any Error, _ folder: URL) -> any Error {
    if error is POSIXError { return CardStoreError.ofFiles(error, folder) }
    guard let error = error as? DatabaseError else { return error }
    switch error.resultCode {
    case .SQLITE_FULL: return CardStoreError.diskFull
    case .SQLITE_BUSY, .SQLITE_LOCKED: return CardStoreError.busy
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: return CardStoreError.damaged(path: folder.path)
    case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
      return CardStoreError.unusable(path: folder.path, reason: "the folder can't be written")
    default:
      return CardStoreError.unusable(
        path: folder.path, reason: "\(error.resultCode) in its database")
    }
  }
}

import Foundation
import GRDB
import SharedDatabase

/// The store's database: what is written is on the disk, all of it or nothing.
struct StoreDatabase: Sendable {
  private let queue: DatabaseQueue
  private let folder: URL

  /// Opens the database in a folder; one that a newer version made isn't touched.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - version: The tables' version; `nil`, the default, for the newest.
  /// - Throws: ``CardStoreError``.
  init(in folder: URL, upTo version: String? = nil) throws {
    self.folder = folder
    let file = folder.appending(component: "cards.sqlite")
    do {
      // SQLite would let everybody read it, and gives its other files the same mode.
      try PrivateFile.make(file)
      queue = try Self.open(file)
      let migrations = StoreSchema.migrations
      guard try !queue.read(migrations.hasBeenSuperseded) else {
        throw CardStoreError.newerSchema(path: folder.path)
      }
      try SharedDatabase.prepare(
        queue, in: folder, isDurable: true, migrations, upTo: version)
    } catch {
      throw Self.storeError(error, folder)
    }
  }

  private static func open(_ file: URL) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.label = "Cards"
    configuration.busyMode = .timeout(10)
    do {
      let queue = try DatabaseQueue(path: file.path, configuration: configuration)
      // The first look makes the file that programs share.
      _ = try queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM sqlite_master") }
      return queue
    } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE {
      // On a full disk there is no room for it; a program that is alone shows the cards without.
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
      return try DatabaseQueue(path: file.path, configuration: configuration)
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
    if error.extendedResultCode == .SQLITE_IOERR_SHMSIZE { return CardStoreError.diskFull }
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

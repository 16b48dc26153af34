import Foundation
import GRDB

/// The library's index: an SQLite database that knows every file.
///
/// It is a cache. The library makes a damaged one, or one that another version wrote, again and fills it
/// by a scan.
struct IndexDatabase: Sendable {
  private let queue: DatabaseQueue

  private static let fileName = "index.sqlite"

  /// Opens the index in a folder, which is made where it is missing.
  ///
  /// `limit` is how long to wait, now and later, while another process writes.
  init(folder: FilePath, waitingFor limit: Duration = .seconds(10)) throws(PhotoLibraryError) {
    let path = folder.appending(Self.fileName)
    try folder.makeFolder(mode: 0o700)
    // Nobody opens, or deletes as damaged, what another process is just making.
    let lock = try LibraryLock(folder: folder)
    defer { lock.release() }
    do {
      do {
        self = try Self.open(path, limit)
      } catch let error as DatabaseError
        where Self.isDamage(error) || error.resultCode == .SQLITE_SCHEMA
      {
        Self.delete(path)
        self = try Self.open(path, limit)
      }
    } catch {
      throw Self.libraryError(error, path: path.description)
    }
  }

  /// Whether the database itself is at fault: one that is busy, or on a full disk, is kept.
  private static func isDamage(_ error: any Error) -> Bool {
    guard let error = error as? DatabaseError else { return error is RowDecodingError }
    return [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
      || [.SQLITE_IOERR_READ, .SQLITE_IOERR_SHORT_READ].contains(error.extendedResultCode)
  }

  /// Opens the index without anything in it.
  ///
  /// Others who have it open go on with the empty one, unless it was damaged.
  static func emptied(folder: FilePath) throws(PhotoLibraryError) -> IndexDatabase {
    if try !IndexDatabase(folder: folder).empty() {
      let lock = try LibraryLock(folder: folder)
      delete(folder.appending(fileName))
      lock.release()
    }
    return try IndexDatabase(folder: folder)
  }

  /// Takes everything out; `false` when it is damaged.
  private func empty() throws(PhotoLibraryError) -> Bool {
    try writeNow { db in
      guard try Self.problem(db) == nil else { return false }
      try IndexSchema.empty(db)
      return true
    }
  }

  private init(queue: DatabaseQueue) { self.queue = queue }

  private static func open(_ path: FilePath, _ limit: Duration) throws -> IndexDatabase {
    var configuration = Configuration()
    configuration.label = "Viewfinder library"
    configuration.busyMode = .timeout(limit / .seconds(1))
    configuration.journalMode = .wal
    configuration.prepareDatabase { db in
      // What a power cut takes from a cache is found again; it is never damaged by one.
      try db.execute(sql: "PRAGMA cache_size = -8000; PRAGMA synchronous = NORMAL")
    }
    let queue = try DatabaseQueue(path: path.description, configuration: configuration)
    // Only reading, so that it is open at once while another process writes.
    let found = try queue.read { db in try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0 }
    if found != 0, found != IndexSchema.version { throw DatabaseError(resultCode: .SQLITE_SCHEMA) }
    if found == 0 { try queue.write { db in try IndexSchema.create(in: db) } }
    return IndexDatabase(queue: queue)
  }

  /// What is wrong with the index, or `nil`.
  static func problem(_ db: Database) throws -> String? {
    do {
      let found = try String.fetchOne(db, sql: "PRAGMA quick_check(1)")
      return found == "ok" ? nil : found
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return "\(error)"
    }
  }

  private static func delete(_ path: FilePath) {
    for suffix in ["", "-wal", "-shm"] { FilePath(bytes: path.bytes + Array(suffix.utf8)).unlink() }
  }

  /// Reads in the index, in one view of it that stays as it is meanwhile.
  func read<T: Sendable>(_ body: @Sendable @escaping (Database) throws -> T)
    async throws(PhotoLibraryError) -> T
  {
    do { return try await queue.read(body) } catch { throw libraryError(error) }
  }

  /// Reads in the index while the caller waits.
  func readNow<T>(_ body: (Database) throws -> T) throws(PhotoLibraryError) -> T {
    do { return try queue.read(body) } catch { throw libraryError(error) }
  }

  /// Writes to the index, all or nothing, while the caller waits.
  func writeNow<T>(_ body: (Database) throws -> T) throws(PhotoLibraryError) -> T {
    do { return try queue.write(body) } catch { throw libraryError(error) }
  }

  private func libraryError(_ error: any Error) -> PhotoLibraryError {
    if Self.isDamage(error) {
      Self.delete(FilePath(queue.path))
      return .indexUnusable(
        path: queue.path,
        reason: "it was damaged (\(error)); opening the library again makes a new one")
    }
    return Self.libraryError(error, path: queue.path)
  }

  private static func libraryError(_ error: any Error, path: String) -> PhotoLibraryError {
    if let error = error as? PhotoLibraryError { return error }
    if error is CancellationError { return .cancelled }
    if isBusy(error) {
      return .indexUnusable(
        path: path, reason: "another program is writing to it and doesn't come to an end")
    }
    if let error = error as? DatabaseError {
      switch error.resultCode {
      case .SQLITE_FULL: return .cannotWrite(path: path, code: ENOSPC)
      case .SQLITE_READONLY: return .cannotWrite(path: path, code: EROFS)
      default: break
      }
    }
    return .indexUnusable(path: path, reason: "\(error)")
  }

  private static func isBusy(_ error: any Error) -> Bool {
    (error as? DatabaseError)?.resultCode == .SQLITE_BUSY
  }
}

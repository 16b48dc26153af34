import Foundation
import GRDB

/// A database that several programs open, maybe at the same moment.
public enum SharedDatabase {
  /// Makes a database ready: with a write-ahead log, and its newest tables.
  ///
  /// Neither can be done by two programs at once. SQLite doesn't wait for the log, whatever its busy timeout; GRDB
  /// looks which migrations are to be made before it has the database for itself. So the folder is locked meanwhile.
  ///
  /// - Parameters:
  ///   - queue: The database.
  ///   - folder: Where it is.
  ///   - isDurable: Whether what was written is on the disk when a transaction ends, whatever happens to the
  ///     computer.
  ///   - migrator: Makes the tables.
  ///   - version: The last migration to make; all with `nil`.
  /// - Throws: Why the database can't be had, or its tables can't be made.
  public static func prepare(
    _ queue: DatabaseQueue, in folder: URL, isDurable: Bool, _ migrator: DatabaseMigrator,
    upTo version: String? = nil
  ) throws {
    let lock = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard lock >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    defer { close(lock) }
    // A file system without locks is no place for programs that share a database; one alone goes on.
    while flock(lock, LOCK_EX) != 0, errno == EINTR {}
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL")
      if isDurable { try db.execute(sql: "PRAGMA synchronous = FULL") }
    }
    guard let last = version ?? migrator.migrations.last else { return }
    try migrator.migrate(queue, upTo: last)
  }
}

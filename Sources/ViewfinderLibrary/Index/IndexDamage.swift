import GRDB

/// A value in the index that can't be there.
struct NonsenseInIndex: Error {}

/// Tells whether an error means that the index is damaged.
enum IndexDamage {
  /// Whether the database itself may be at fault: one that is busy, or on a full disk or one that can't be read for
  /// a moment, is not.
  static func isLikely(_ error: any Error) -> Bool {
    guard let error = error as? DatabaseError else { return isCertain(error) }
    return [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
      || error.extendedResultCode == .SQLITE_IOERR_SHORT_READ
  }

  /// Whether it holds what can't be: SQLite's own check finds nothing wrong with that.
  static func isCertain(_ error: any Error) -> Bool {
    error is RowDecodingError || error is NonsenseInIndex
      || (error as? DatabaseError)?.resultCode == .SQLITE_NOTADB
  }

  /// Whether somebody has deleted its file.
  static func isLost(_ error: any Error) -> Bool {
    (error as? DatabaseError)?.resultCode == .SQLITE_CANTOPEN
  }

  /// What SQLite's check finds, or `nil`.
  static func problem(_ db: Database) throws -> String? {
    do {
      let found = try String.fetchOne(db, sql: "PRAGMA quick_check(1)")
      return found == "ok" ? nil : found
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return "\(error)"
    }
  }
}

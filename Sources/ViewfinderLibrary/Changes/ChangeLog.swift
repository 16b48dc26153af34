import Foundation
import GRDB

/// What became of assets and albums, in the index: so that every process with the library open hears of
/// what another one found.
enum ChangeLog {
  /// How many entries are kept; who is further behind starts over.
  static let capacity = 20_000

  static func append(_ kind: LoggedChange.Kind, _ subject: UUID, in db: Database) throws {
    try db.cachedStatement(sql: "INSERT INTO change (subject, kind) VALUES (?, ?)")
      .execute(arguments: [subject, kind.rawValue])
  }

  /// The version of the newest entry; 0 without any.
  static func version(in db: Database) throws -> Int64 {
    try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'change'") ?? 0
  }

  /// What happened after a version, or `nil` when that is no longer known.
  static func entries(after version: Int64, in db: Database) throws -> [LoggedChange]? {
    let newest = try self.version(in: db)
    guard newest > version else { return [] }
    let entries = try LoggedChange.fetchAll(
      db, sql: "SELECT subject, kind FROM change WHERE version > ? ORDER BY version",
      arguments: [version])
    return entries.count == Int(newest - version) ? entries : nil
  }

  /// Whether it has far more entries than are kept.
  static func isLong(_ db: Database) throws -> Bool {
    let oldest = try Int64.fetchOne(db, sql: "SELECT MIN(version) FROM change")
    guard let oldest else { return false }
    return try version(in: db) - oldest > Int64(2 * capacity)
  }

  /// Forgets old entries.
  static func trim(in db: Database) throws {
    try db.execute(
      sql: "DELETE FROM change WHERE version <= ?",
      arguments: [try version(in: db) - Int64(capacity)])
  }
}

/// An entry of the log.
struct LoggedChange: FetchableRecord {
  enum Kind: Int {
    case inserted, updated, removed, moved
    case albumInserted, albumUpdated, albumRemoved
  }

  var subject: UUID
  var kind: Kind

  init(row: Row) throws {
    subject = try row.decode(forColumn: "subject")
    kind = Kind(rawValue: try row.decode(forColumn: "kind")) ?? .updated
  }
}

import Foundation
import GRDB

/// Copies what can be read of an index into a new one: which files there were, when the library first saw them, and
/// what their identifiers are.
///
/// None of that can be found again where files were edited. Everything else may be wrong, and is marked to be
/// read again from the files.
struct IndexSalvage {
  private let old: DatabaseQueue?
  private let db: Database
  /// Rows that are read at a time, while none of them is damaged.
  private static let batchSize: Int64 = 200
  /// How often reading may fail before the rest is given up.
  private static let failureLimit = 20_000

  init(_ old: FilePath, into db: Database) {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.label = "Viewfinder library, old index"
    self.old = try? DatabaseQueue(path: old.description, configuration: configuration)
    self.db = db
  }

  func run() throws {
    guard let old else { return }
    try db.inTransaction {
      try copy("folder", key: "id", from: old) { row in _ = try row.path("path") }
      try copy("file", key: "row", from: old) { row in _ = try FileRow(row: row) }
      try copy("checksum", key: "file", from: old) { _ in }
      try db.execute(
        sql: """
          DELETE FROM file WHERE folder NOT IN (SELECT id FROM folder);
          UPDATE file SET stale = 1;
          """)
      return .commit
    }
  }

  /// Copies a table's rows, as far as both have its columns; `check` throws for a row that makes no sense.
  private func copy(
    _ table: String, key: String, from old: DatabaseQueue, _ check: (Row) throws -> Void
  ) throws {
    let known = try db.columns(in: table).map(\.name)
    guard let found = try? old.read({ db in try db.columns(in: table).map(\.name) }) else { return }
    let columns = known.filter { found.contains($0) }
    guard columns.contains(key), let last = lastKey(of: table, key, old) else { return }
    let list = columns.joined(separator: ", ")
    let insertion = try db.makeStatement(
      sql: """
        INSERT OR IGNORE INTO \(table) (\(list)) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        """)
    // What the old one doesn't have is as in a new row.
    let selection =
      "SELECT \(list)\(missing(known, found)) FROM \(table) WHERE \(key) BETWEEN ? AND ?"
    var failures = 0
    var next: Int64 = 1
    while next <= last, failures < Self.failureLimit {
      let end = min(next + Self.batchSize - 1, last)
      let rows = rows(selection, next...end, old, &failures)
      for row in rows where (try? check(row)) != nil {
        let values = columns.map { row[$0] as DatabaseValue }
        try insertion.execute(arguments: StatementArguments(values))
      }
      next = end + 1
    }
  }

  private func missing(_ known: [String], _ found: [String]) -> String {
    let defaults = known.filter { !found.contains($0) }.map { name in
      ["stale", "isIncomplete", "absent"].contains(name) ? ", 0 AS \(name)" : ", NULL AS \(name)"
    }
    return defaults.joined()
  }

  private func lastKey(of table: String, _ key: String, _ old: DatabaseQueue) -> Int64? {
    let found = try? old.read { db in
      try Int64.fetchOne(db, sql: "SELECT MAX(\(key)) FROM \(table)")
    }
    return found.flatMap { $0 }.map { min($0, 50_000_000) }
  }

  /// The rows that can be read: all at once, else one by one.
  private func rows(
    _ sql: String, _ keys: ClosedRange<Int64>, _ old: DatabaseQueue, _ failures: inout Int
  ) -> [Row] {
    do {
      return try old.read { db in
        try Row.fetchAll(
          db.cachedStatement(sql: sql), arguments: [keys.lowerBound, keys.upperBound])
      }
    } catch {
      failures += 1
      guard keys.count > 1 else { return [] }
      let middle = keys.lowerBound + Int64(keys.count) / 2
      return rows(sql, keys.lowerBound...middle - 1, old, &failures)
        + rows(sql, middle...keys.upperBound, old, &failures)
    }
  }
}

import Foundation
import GRDB
import WebInterface

/// A person's records, within a transaction.
struct RecordTable {
  let db: Database
  let person: Int64

  /// How large a page gets before it ends, in bytes.
  private static let pageBytes = 4 << 20

  /// What became of a write.
  enum Result: Sendable {
    case stored(tag: String, isNew: Bool)
    /// With the present version, if there is one.
    case conflict(Data?)
  }

  /// A page of what has changed after a cursor, as JSON; `nil` for a cursor of another database.
  func changes(since cursor: String?, limit: Int) throws -> Data? {
    guard let start = try number(of: cursor ?? "0") else { return nil }
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT number, tag, json FROM record WHERE person = ? AND number > ? ORDER BY number LIMIT ?
        """, arguments: [person, start, limit + 1])
    var (records, next, hasMore) = ([Data](), cursor ?? "0", false)
    var size = 0
    while let row = try rows.next() {
      guard records.count < limit, size < Self.pageBytes else {
        hasMore = true
        break
      }
      let record = Self.json(tag: row["tag"], record: row["json"])
      size += record.count
      records.append(record)
      next = "\(row["number"] as Int)-\(row["tag"] as String)"
    }
    let head = "{\"cursor\":\"\(next)\",\"more\":\(hasMore),\"records\":["
    return Data(head.utf8) + records.joined(separator: Data(",".utf8)) + Data("]}".utf8)
  }

  /// The number of the version that a cursor names, if that version was ever here.
  private func number(of cursor: String) throws -> Int? {
    if cursor == "0" { return 0 }
    let parts = cursor.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]) else { return nil }
    let tag = try String.fetchOne(
      db, sql: "SELECT tag FROM version WHERE person = ? AND number = ?",
      arguments: [person, number])
    return tag == String(parts[1]) ? number : nil
  }

  private static func json(tag: String, record: Data) -> Data {
    Data("{\"etag\":\"\\\"\(tag)\\\"\",\"record\":".utf8) + record + Data("}".utf8)
  }

  /// Writes a record if its condition holds.
  func put(_ record: SentRecord, _ condition: WriteCondition, _ quota: Quota) throws -> Result {
    let present = try Row.fetchOne(
      db, sql: "SELECT tag, json, isDeleted FROM record WHERE person = ? AND id = ?",
      arguments: [person, record.id])
    let (tag, json): (String?, Data?) = (present?["tag"], present?["json"])
    guard condition.holds(for: tag) else {
      return .conflict(tag.map { Self.json(tag: $0, record: json ?? Data()) })
    }
    if present?["isDeleted"] == true, !record.isDeleted {
      throw WebError(.conflict, "A deleted record stays deleted. Use a new identifier.")
    }
    try checkCount(isNew: present == nil, quota)
    try db.add(bytes: record.json.count - (json?.count ?? 0), to: person, quota)
    return .stored(tag: try write(record), isNew: present == nil)
  }

  private func checkCount(isNew: Bool, _ quota: Quota) throws {
    guard isNew else { return }
    let count = try Int.fetchOne(
      db, sql: "SELECT COUNT(*) FROM record WHERE person = ?", arguments: [person])
    guard count ?? 0 < quota.records else {
      throw WebError(.insufficientStorage, "You have \(quota.records) records, which is the most.")
    }
  }

  /// Gives the record a tag that nothing ever had, so that no version is taken for another.
  private func write(_ record: SentRecord) throws -> String {
    let tag = UUID().uuidString.lowercased()
    let last = try Int.fetchOne(
      db, sql: "SELECT MAX(number) FROM version WHERE person = ?", arguments: [person])
    let number = (last ?? 0) + 1
    try db.execute(
      sql: "INSERT INTO version VALUES (?, ?, ?)", arguments: [person, number, tag])
    try db.execute(
      sql: "INSERT OR REPLACE INTO record VALUES (?, ?, ?, ?, ?, ?)",
      arguments: [person, record.id, number, tag, record.isDeleted, record.json])
    return tag
  }
}

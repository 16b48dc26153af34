import Checksums
import Foundation
import GRDB
import WebServing

/// A person's records of a feed, within a transaction.
struct RecordTable {
  let db: Database
  let person: Int64
  let feed: Feed

  /// How large a page gets before it ends, in bytes.
  private static let pageBytes = 4 << 20

  /// A page of what has changed after a cursor; `nil` for a cursor of another database or time.
  func changes(since cursor: String?, limit: Int) throws -> RecordPage? {
    guard let start = try number(of: cursor ?? "0") else { return nil }
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT number, tag, changed, json FROM record WHERE person = ? AND feed = ? AND number > ?
        ORDER BY number LIMIT ?
        """, arguments: [person, feed.name, start, limit + 1])
    var (page, size) = (RecordPage(cursor: cursor ?? "0"), 0)
    while let row = try rows.next() {
      guard page.records.count < limit, size < Self.pageBytes else {
        page.hasMore = true
        break
      }
      let record = StoredRecord(tag: row["tag"], changed: row["changed"], json: row["json"])
      size += record.json.count
      page.records.append(record)
      page.cursor = "\(row["number"] as Int)-\(record.tag)"
    }
    return page
  }

  /// The number of the version that a cursor names, if that version was here, and nothing after it is forgotten.
  private func number(of cursor: String) throws -> Int? {
    if cursor == "0" { return 0 }
    let parts = cursor.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]) else { return nil }
    let tag = try String.fetchOne(
      db, sql: "SELECT tag FROM version WHERE person = ? AND feed = ? AND number = ?",
      arguments: [person, feed.name, number])
    let floor = try Int.fetchOne(
      db, sql: "SELECT floor FROM head WHERE person = ? AND feed = ?",
      arguments: [person, feed.name])
    return tag == String(parts[1]) && number >= floor ?? 0 ? number : nil
  }

  /// A record.
  func record(_ id: String) throws -> StoredRecord? {
    try Row.fetchOne(
      db, sql: "SELECT tag, changed, json FROM record WHERE person = ? AND feed = ? AND id = ?",
      arguments: [person, feed.name, id]
    ).map { StoredRecord(tag: $0["tag"], changed: $0["changed"], json: $0["json"]) }
  }

  /// Writes a record if its condition holds.
  func write(
    _ record: SentRecord, if condition: WriteCondition, limits: Limits
  ) throws -> WriteResult {
    let present = try self.record(record.id)
    guard condition.holds(for: present?.tag) else { return .conflict(present) }
    let wasDeleted = try Bool.fetchOne(
      db, sql: "SELECT isDeleted FROM record WHERE person = ? AND feed = ? AND id = ?",
      arguments: [person, feed.name, record.id])
    if wasDeleted == true, !record.isDeleted {
      throw WebError(.conflict, "A deleted record stays deleted. Use a new identifier.")
    }
    let number = try takeNumber(
      counting: (record.isDeleted ? 0 : 1) - (wasDeleted == false ? 1 : 0))
    let before = wasDeleted == false ? present?.json.count ?? 0 : 0
    try db.add(bytes: (record.isDeleted ? 0 : record.json.count) - before, to: person, limits)
    let missing = try name(record.blobs, in: record.id)
    let tag = try put(record, number)
    return .stored(tag: tag, isNew: present == nil, missing: missing)
  }

  /// The person's next number; counts records as theirs, if they have room for them.
  private func takeNumber(counting records: Int) throws -> Int {
    let head = try Row.fetchOne(
      db,
      sql: """
        INSERT INTO head (person, feed, last, records) VALUES (?, ?, 1, ?)
        ON CONFLICT DO UPDATE SET last = last + 1, records = records + excluded.records
        RETURNING last, records
        """, arguments: [person, feed.name, records])
    guard records <= 0 || head?["records"] ?? 0 <= feed.maximumRecords else {
      throw WebError(
        .insufficientStorage, "You have \(feed.maximumRecords) records, which is the most.")
    }
    return head?["last"] ?? 0
  }

  /// Gives the record a tag that nothing ever had, so that no version is taken for another.
  private func put(_ record: SentRecord, _ number: Int) throws -> String {
    let tag = UUID().uuidString.lowercased()
    let now = Int(Date.now.timeIntervalSince1970)
    try db.execute(
      sql: """
        UPDATE version SET replaced = ? WHERE person = ? AND feed = ? AND number =
          (SELECT number FROM record WHERE person = ?2 AND feed = ?3 AND id = ?)
        """, arguments: [now, person, feed.name, record.id])
    try db.execute(
      sql: "INSERT INTO version VALUES (?, ?, ?, ?, NULL)",
      arguments: [person, feed.name, number, tag])
    try db.execute(
      sql: "INSERT OR REPLACE INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      arguments: [person, feed.name, record.id, number, tag, record.isDeleted, now, record.json])
    return tag
  }

  /// Notes what a record names in place of what it named; gives what isn't here.
  private func name(_ blobs: Set<BlobName>, in id: String) throws -> [BlobName] {
    let named = try String.fetchSet(
      db, sql: "SELECT name FROM naming WHERE person = ? AND feed = ? AND id = ?",
      arguments: [person, feed.name, id])
    for name in named.subtracting(blobs.map(\.text)) {
      try db.execute(
        sql: "DELETE FROM naming WHERE person = ? AND feed = ? AND id = ? AND name = ?",
        arguments: [person, feed.name, id, name])
      try db.noteWhetherNamed(name, of: person)
    }
    var missing: [BlobName] = []
    for name in blobs.sorted() {
      if let blob = try db.blob(BlobKey(person: person, name: name)) {
        guard feed.takes(blob) else {
          throw WebError(
            .unprocessableContent,
            "Records of \(feed.name) can't name what \(name) is (\(blob.type)).")
        }
      } else {
        missing.append(name)
      }
      guard !named.contains(name.text) else { continue }
      try db.execute(
        sql: "INSERT INTO naming VALUES (?, ?, ?, ?)",
        arguments: [person, feed.name, id, name.text])
      try db.noteWhetherNamed(name.text, of: person)
    }
    return missing
  }
}

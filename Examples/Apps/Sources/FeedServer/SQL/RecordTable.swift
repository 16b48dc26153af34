import Checksums
import Foundation
import WebServing

/// A person's records of a feed, within a transaction.
struct RecordTable {
  let session: any SQLSession
  let person: Int64
  let feed: Feed

  /// How large a page gets before it ends, in bytes.
  private static let pageBytes = 4 << 20

  /// What a row says of a record.
  struct Entry {
    var stored: StoredRecord
    var number: Int
    var isDeleted: Bool
  }

  // MARK: Reading

  /// A record.
  func record(_ id: String) throws -> Entry? {
    try session.row(
      """
      SELECT tag, changed, json, number, isDeleted FROM record
      WHERE person = $1 AND feed = $2 AND id = $3
      """, person, feed.name, id
    ).map { row in
      Entry(
        stored: StoredRecord(tag: row.text(0), changed: row.integer(1), json: row.data(2)),
        number: row.integer(3), isDeleted: row.integer(4) != 0)
    }
  }

  /// A page of what has changed after a cursor; `nil` for a cursor of another database or time.
  func changes(since cursor: String?, limit: Int) throws -> RecordPage? {
    guard let start = try number(of: cursor ?? "0") else { return nil }
    // Their sizes first, so that no more is read than a page holds.
    let sizes = try session.rows(
      """
      SELECT number, length(json) FROM record WHERE person = $1 AND feed = $2 AND number > $3
      ORDER BY number LIMIT $4
      """, person, feed.name, start, limit + 1)
    var (count, size) = (0, 0)
    while count < min(limit, sizes.count), size < Self.pageBytes {
      size += sizes[count].integer(1)
      count += 1
    }
    var page = RecordPage(cursor: cursor ?? "0", hasMore: count < sizes.count)
    guard count > 0 else { return page }
    let last = sizes[count - 1].integer(0)
    page.records = try session.rows(
      """
      SELECT tag, changed, json FROM record
      WHERE person = $1 AND feed = $2 AND number > $3 AND number <= $4 ORDER BY number
      """, person, feed.name, start, last
    ).map { StoredRecord(tag: $0.text(0), changed: $0.integer(1), json: $0.data(2)) }
    page.cursor = "\(last)-\(page.records.last?.tag ?? "")"
    return page
  }

  /// Whether nothing has changed after a cursor.
  func isNewest(_ cursor: String) throws -> Bool {
    guard let (number, tag) = Self.parts(of: cursor) else { return false }
    return try session.row(
      """
      SELECT 1 FROM head JOIN version ON version.person = head.person AND version.feed = head.feed
        AND version.number = head.last
      WHERE head.person = $1 AND head.feed = $2 AND head.last = $3 AND version.tag = $4
      """, person, feed.name, number, tag) != nil
  }

  /// The number of the version that a cursor names, if that version was here, and nothing after it is forgotten.
  private func number(of cursor: String) throws -> Int? {
    if cursor == "0" { return 0 }
    guard let (number, tag) = Self.parts(of: cursor) else { return nil }
    let row = try session.row(
      """
      SELECT 1 FROM version JOIN head ON head.person = version.person AND head.feed = version.feed
      WHERE version.person = $1 AND version.feed = $2 AND version.number = $3 AND version.tag = $4
        AND version.number >= head.floor
      """, person, feed.name, number, tag)
    return row == nil ? nil : number
  }

  private static func parts(of cursor: String) -> (number: Int, tag: String)? {
    let parts = cursor.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    // Texts of PostgreSQL have no U+0000.
    guard parts.count == 2, !parts[1].contains("\0"), let number = Int(parts[0]) else { return nil }
    return (number, String(parts[1]))
  }

  // MARK: Writing

  /// Writes a record if its condition holds.
  func write(
    _ record: SentRecord, if condition: WriteCondition, limits: Limits
  ) throws -> WriteResult {
    let present = try self.record(record.id)
    guard condition.holds(for: present?.stored.tag) else { return .conflict(present?.stored) }
    if present?.isDeleted == true, !record.isDeleted {
      throw WebError(.conflict, "A deleted record stays deleted. Use a new identifier.")
    }
    let replaced = present.flatMap { $0.isDeleted ? nil : $0 }
    let number = try takeNumber(
      counting: (record.isDeleted ? 0 : 1) - (replaced == nil ? 0 : 1))
    let bytes = (record.isDeleted ? 0 : record.json.count) - (replaced?.stored.json.count ?? 0)
    try session.add(bytes: bytes, to: person, limits)
    let missing = try name(record.blobs, in: record.id)
    let tag = try put(record, number, replacing: present?.number)
    return .stored(tag: tag, isNew: present == nil, missing: missing)
  }

  /// The person's next number; counts records as theirs, if they have room for them.
  private func takeNumber(counting records: Int) throws -> Int {
    let head = try session.row(
      """
      INSERT INTO head (person, feed, last, records) VALUES ($1, $2, 1, $3)
      ON CONFLICT (person, feed) DO UPDATE SET last = head.last + 1, records = head.records + excluded.records
      RETURNING last, records
      """, person, feed.name, records)
    guard records <= 0 || head?.integer(1) ?? 0 <= feed.maximumRecords else {
      throw WebError(
        .insufficientStorage, "You have \(feed.maximumRecords) records, which is the most.")
    }
    return head?.integer(0) ?? 0
  }

  /// Gives the record a tag that nothing ever had, so that no version is taken for another.
  private func put(_ record: SentRecord, _ number: Int, replacing old: Int?) throws -> String {
    let tag = UUID().uuidString.lowercased()
    let now = Int(Date.now.timeIntervalSince1970)
    if let old {
      try session.run(
        "UPDATE version SET replaced = $1 WHERE person = $2 AND feed = $3 AND number = $4",
        now, person, feed.name, old)
    }
    try session.run(
      "INSERT INTO version (person, feed, number, tag) VALUES ($1, $2, $3, $4)",
      person, feed.name, number, tag)
    try session.run(
      """
      INSERT INTO record (person, feed, id, number, tag, isDeleted, changed, json)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      ON CONFLICT (person, feed, id) DO UPDATE SET number = excluded.number, tag = excluded.tag,
        isDeleted = excluded.isDeleted, changed = excluded.changed, json = excluded.json
      """, person, feed.name, record.id, number, tag, record.isDeleted ? 1 : 0, now, record.json)
    return tag
  }

  /// Notes what a record names in place of what it named; gives what isn't here.
  private func name(_ blobs: Set<BlobName>, in id: String) throws -> [BlobName] {
    let named = Set(
      try session.rows(
        "SELECT name FROM naming WHERE person = $1 AND feed = $2 AND id = $3",
        person, feed.name, id
      ).map { $0.text(0) })
    for name in named.subtracting(blobs.map(\.text)) {
      try session.run(
        "DELETE FROM naming WHERE person = $1 AND feed = $2 AND id = $3 AND name = $4",
        person, feed.name, id, name)
      try session.noteWhetherNamed(name, of: person)
    }
    var missing: [BlobName] = []
    for name in blobs.sorted() {
      if let blob = try session.blob(BlobKey(person: person, name: name)) {
        guard feed.takes(blob) else {
          throw WebError(
            .unprocessableContent,
            "Records of \(feed.name) can't name what \(name) is (\(blob.type)).")
        }
      } else {
        missing.append(name)
      }
      guard !named.contains(name.text) else { continue }
      try session.run(
        "INSERT INTO naming (person, feed, id, name) VALUES ($1, $2, $3, $4)",
        person, feed.name, id, name.text)
      try session.noteWhetherNamed(name.text, of: person)
    }
    return missing
  }
}

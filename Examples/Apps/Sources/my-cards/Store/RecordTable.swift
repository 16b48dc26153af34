import CardModel
import Checksums
import Foundation
import GRDB

/// The records in the database, within a transaction.
struct RecordTable {
  let db: Database
  /// The identifier of this wallet.
  let wallet: String

  /// The identifier as the tables and the wire have it.
  static func key(_ id: UUID) -> String { id.uuidString.lowercased() }

  /// Text without case, accents and width, for search and order.
  static func folded(_ text: String) -> String {
    text.folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive],
      locale: Locale(identifier: "en_US_POSIX"))
  }

  func record(_ id: UUID) throws -> CardRecord? {
    let json = try Data.fetchOne(
      db, sql: "SELECT json FROM record WHERE id = ?", arguments: [Self.key(id)])
    return try json.map(Self.parse)
  }

  static func parse(_ json: Data) throws -> CardRecord {
    guard let record = (try? JSONValue(parsing: json)).flatMap({ CardRecord($0) }) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT)
    }
    return record
  }

  /// The pictures that the records in tables name.
  static func pictures(in tables: [String], _ db: Database) throws -> Set<String> {
    let all = tables.map { "SELECT json FROM \($0)" }.joined(separator: " UNION ALL ")
    let texts = try Data.fetchCursor(db, sql: all)
    var names: Set<String> = []
    while let json = try texts.next() { names.formUnion(try parse(json).pictures.map(\.text)) }
    return names
  }

  /// Puts this wallet's own edit in the place of the version before.
  @discardableResult
  func putSigned(_ record: CardRecord) throws -> CardRecord {
    var record = record
    record.sign(by: wallet)
    try put(record)
    return record
  }

  /// Puts a version in the place of the one before, which it comes from.
  func put(_ record: CardRecord) throws {
    let card = record.card
    let key = Self.key(record.id)
    let row: [(String, any DatabaseValueConvertible)] = [
      ("id", key), ("edit", record.edit), ("content", Self.content(of: record)),
      ("json", record.json.data),
      ("isDeleted", record.isDeleted), ("isStarred", card?.starStatus ?? false),
      ("isArchived", card?.archiveStatus ?? false), ("isKept", !record.kept.isEmpty),
      ("sortKey", Self.folded(card?.name ?? "")),
      ("searchText", Self.folded(Self.searchText(of: card))),
    ]
    let names = row.map(\.0).joined(separator: ", ")
    let changes = row.map { "\($0.0) = excluded.\($0.0)" }.joined(separator: ", ")
    let marks = row.map { _ in "?" }.joined(separator: ", ")
    try db.execute(
      sql: "INSERT INTO record (\(names)) VALUES (\(marks)) ON CONFLICT DO UPDATE SET \(changes)",
      arguments: StatementArguments(row.map(\.1)))
    try db.execute(sql: "DELETE FROM membership WHERE card = ?", arguments: [key])
    for group in card?.groups ?? [] {
      try db.execute(sql: "INSERT INTO membership VALUES (?, ?)", arguments: [group, key])
    }
    try noteSeen(record)
  }

  /// What a card is found by, in lines.
  private static func searchText(of card: Card?) -> String {
    let fields = CardFields.all.filter(\.isSearched)
    let values = fields.compactMap { card?.members[$0.name] }
    return values.flatMap { $0.text.map { [$0] } ?? [String](member: $0) }.joined(separator: "\n")
  }

  /// How many versions of a record are remembered: a backup of a backend that is older than those brings back what
  /// was changed since, as somebody's edit.
  static let memory = 500

  /// Remembers that the record's present version knows a version.
  func noteSeen(_ record: CardRecord) throws {
    let key = Self.key(record.id)
    try db.execute(
      sql: "INSERT OR REPLACE INTO seen (id, edit, content) VALUES (?, ?, ?)",
      arguments: [key, record.edit, Self.content(of: record)])
    try db.execute(
      sql: """
        DELETE FROM seen WHERE id = :key AND number <=
          (SELECT number FROM seen WHERE id = :key ORDER BY number DESC LIMIT 1 OFFSET :count)
        """, arguments: ["key": key, "count": Self.memory])
  }

  /// Whether the record's present version knows a version.
  ///
  /// The name alone doesn't tell: other programs change versions without giving them new ones.
  func hasSeen(_ record: CardRecord) throws -> Bool {
    guard record.isSigned else { return false }
    let content = try Data.fetchOne(
      db, sql: "SELECT content FROM seen WHERE id = ? AND edit = ?",
      arguments: [Self.key(record.id), record.edit])
    return content == Self.content(of: record)
  }

  /// Names what a version says, byte for byte.
  private static func content(of record: CardRecord) -> Data {
    Data(SHA256.hash(data: record.json.data))
  }
}

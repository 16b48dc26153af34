import CardModel
import Checksums
import FeedSync
import Foundation
import GRDB

/// The records in the database, within a transaction.
struct RecordTable {
  let db: Database
  /// The identifier of this wallet.
  let wallet: String

  /// Text without case, accents and width, for search and order.
  static func folded(_ text: String) -> String {
    text.folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive],
      locale: Locale(identifier: "en_US_POSIX"))
  }

  func record(_ id: UUID) throws -> CardRecord? { try CardRecord.find(id, db) }

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
    let key = record.id.key
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
    let key = record.id.key
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
      arguments: [record.id.key, record.edit])
    return content == Self.content(of: record)
  }

  /// Names what a version says, byte for byte.
  private static func content(of record: CardRecord) -> Data {
    Data(SHA256.hash(data: record.json.data))
  }

  /// Lets an undo bring a deleted card back under another identifier only.
  func endSameUndo(_ id: UUID) throws {
    try db.execute(sql: "UPDATE former SET isSame = 0 WHERE id = ?", arguments: [id.key])
  }
}

import Checksums
import ErrorWords
import Foundation
import GRDB

/// What is to be done about a blob, here or at a server; where there is no row, nothing is.
package enum BlobState: String {
  /// It isn't here, and a record names it.
  case wanted
  /// It was here, and isn't itself any more; it is wanted as well.
  case damaged
  /// It is to be sent, unless the server has it.
  case sending
  /// The server has it.
  case sent
  /// The server doesn't take it.
  case refused
}

/// The blobs' states in the table `picture`, one for each blob and place.
package struct BlobStates {
  /// The place that is this device, among the keys of servers.
  package static let here: Int64 = 0

  private let db: Database

  /// The states in a database, within a transaction.
  package init(_ db: Database) { self.db = db }

  /// Notes a blob's state at a place; a blob of which something is known keeps its state with `isNew`.
  package func note(
    _ state: BlobState, _ name: BlobName, at place: Int64, record: UUID? = nil,
    reason: ErrorWords? = nil, isNew: Bool = false
  ) throws {
    try db.execute(
      sql: """
        INSERT INTO picture (place, hash, state, card, reason) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET card = ifnull(excluded.card, card)
          \(isNew ? "" : ", state = excluded.state, reason = excluded.reason")
        """,
      arguments: [place, name.text, state.rawValue, record?.key, reason?.keptText])
  }

  /// Blobs in states at a place that a record still names, with the reasons, by their names.
  func blobs<Record: FeedRecord>(
    _ states: [BlobState], at place: Int64, of type: Record.Type
  ) throws -> [(name: BlobName, record: UUID?, reason: ErrorWords?)] {
    let marks = states.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    let rows = try Row.fetchAll(
      db, sql: "SELECT * FROM picture WHERE place = ? AND state IN (\(marks)) ORDER BY hash",
      arguments: [place])
    // Mostly it is the record for which it was noted; all are parsed only for others.
    var all: Set<String>?
    return try rows.compactMap { row in
      guard let name = BlobName(row["hash"] as String) else { return nil }
      let id = (row["card"] as String?).flatMap(UUID.init(uuidString:))
      if let id, try Record.find(id, db)?.blobs.contains(name) == true {
        return (name, id, reason(in: row))
      }
      let named = try all ?? Record.blobs(in: ["record"], db)
      all = named
      return named.contains(name.text) ? (name, nil, reason(in: row)) : nil
    }
  }

  private func reason(in row: Row) -> ErrorWords? {
    (row["reason"] as String?).map { ErrorWords(kept: $0) }
  }

  /// Whether a blob is noted as one that is to come.
  package func isWanted(_ name: BlobName) throws -> Bool {
    try Bool.fetchOne(
      db, sql: "SELECT 1 FROM picture WHERE place = ? AND hash = ?",
      arguments: [Self.here, name.text]) ?? false
  }

  /// Notes that a blob has come: servers that lack it as well can have it now.
  package func didCome(_ name: BlobName) throws {
    try db.execute(
      sql: "DELETE FROM picture WHERE place = ? AND hash = ?", arguments: [Self.here, name.text])
    try db.execute(
      sql:
        "INSERT OR IGNORE INTO picture (place, hash, state) SELECT key, ?, 'sending' FROM backend",
      arguments: [name.text])
  }
}

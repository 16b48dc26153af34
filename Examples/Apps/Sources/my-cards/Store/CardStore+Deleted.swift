import CardModel
import Foundation
import GRDB

/// What is known of a card's end.
public struct CardDeletion: Hashable, Sendable {
  /// The wallet that deleted it, as ``CardStore/device`` names it; `nil` where it isn't known.
  public let wallet: String?
  /// When that was, by this machine's clock; `nil` for another wallet's, and when it can't be brought back any more.
  public let date: Date?
}

/// A card that was deleted here and can be brought back.
public struct DeletedCard: Hashable, Sendable, Identifiable {
  /// As it was.
  public let card: Card
  /// When it was deleted, by this machine's clock.
  public let date: Date
  /// From when on it may be gone for good.
  public let end: Date

  /// The card's identifier.
  public var id: UUID { card.id }
}

extension CardStore {
  /// Deletes a card; only its tombstone stays, and what this wallet can bring back for 30 days.
  public func delete(_ id: UUID) throws {
    try change { table in
      guard let record = try table.record(id), !record.isDeleted else { return }
      try table.db.execute(
        sql: "INSERT OR REPLACE INTO former (id, json, isSame, date) VALUES (?, ?, 1, ?)",
        arguments: [id.key, record.json.data, now().timeIntervalSince1970])
      try table.putSigned(CardRecord(id: id, edits: record.edits, isDeleted: true))
    }
  }

  /// Where and when a card was deleted; `nil` for one that is here, or never was.
  public func deletion(of id: UUID) throws -> CardDeletion? {
    try look { table in
      guard let record = try table.record(id), record.isDeleted else { return nil }
      let date = try Double.fetchOne(
        table.db, sql: "SELECT date FROM former WHERE id = ?", arguments: [id.key])
      return CardDeletion(
        wallet: record.edits.first { $0.value == record.edit }?.key,
        date: date.map(Date.init(timeIntervalSince1970:)))
    }
  }

  /// The cards that were deleted here within the last 30 days, the last one first.
  public func deletedCards() throws -> [DeletedCard] {
    try look { table in
      let rows = try Row.fetchCursor(
        table.db, sql: "SELECT json, date, old FROM former ORDER BY date DESC, id")
      var cards: [DeletedCard] = []
      while let row = try rows.next() {
        guard let card = try CardRecord.parse(row[0]).card else { continue }
        let (date, old) = (row[1] as Double, row[2] as Double?)
        // A clock that was wrong once doesn't shorten the time.
        let end = max(date, old ?? date) + Self.undoTime
        cards.append(
          DeletedCard(
            card: card, date: Date(timeIntervalSince1970: date),
            end: Date(timeIntervalSince1970: end)))
      }
      return cards
    }
  }

  /// Brings back a card that was deleted here within the last 30 days, or a while longer.
  ///
  /// It is as it was if its tombstone was never sent, otherwise under a new identifier, because no delete comes back. What
  /// it kept comes with it.
  ///
  /// - Parameter id: What was deleted.
  /// - Returns: The card; `nil` when it can't be brought back.
  /// - Throws: ``CardStoreError``.
  public func undelete(_ id: UUID) throws -> Card? {
    try change { table in
      let row = try Row.fetchOne(
        table.db, sql: "SELECT json, isSame FROM former WHERE id = ?", arguments: [id.key])
      guard let row else { return nil }
      try table.db.execute(sql: "DELETE FROM former WHERE id = ?", arguments: [id.key])
      let former = try CardRecord.parse(row[0])
      if row[1] {
        try table.put(former)
        return former.card
      }
      let back = CardRecord(id: UUID(), members: former.members, kept: former.kept)
      return try table.putSigned(back).card
    }
  }

  /// Gives up cards that were deleted: nothing brings them back.
  ///
  /// - Parameter ids: Which ones; `nil` for all.
  /// - Throws: ``CardStoreError``.
  public func forgetDeleted(_ ids: [UUID]? = nil) throws {
    try change { table in
      guard let ids else { return try table.db.execute(sql: "DELETE FROM former") }
      for id in ids {
        try table.db.execute(sql: "DELETE FROM former WHERE id = ?", arguments: [id.key])
      }
    }
  }
}

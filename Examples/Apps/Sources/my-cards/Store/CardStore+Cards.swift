import CardModel
import FeedSync
import Foundation
import GRDB

extension CardStore {
  /// Which cards to list.
  public struct Filter: Hashable, Sendable {
    /// Words that a card's name, note, number or groups have, all of them; without case and accents.
    public var text = ""
    /// A group that the cards are in; `nil` for all.
    public var group: String?
    /// Whether the cards are put away; `nil` for both.
    ///
    /// The default is `false`.
    public var isArchived: Bool? = false

    /// Creates a filter that lets everything pass that isn't archived.
    public init() {}

    /// Lets everything pass.
    public static var all: Filter {
      var filter = Filter()
      filter.isArchived = nil
      return filter
    }
  }

  /// The cards that a filter lets pass: starred ones first, then by name.
  public func cards(_ filter: Filter = Filter()) throws -> [Card] {
    var sql = "SELECT id, content, json FROM record WHERE NOT isDeleted"
    var arguments: [any DatabaseValueConvertible] = []
    if let isArchived = filter.isArchived {
      sql += " AND isArchived = ?"
      arguments.append(isArchived)
    }
    if let group = filter.group {
      sql += " AND id IN (SELECT card FROM membership WHERE name = ?)"
      arguments.append(group)
    }
    for word in RecordTable.folded(filter.text).split(whereSeparator: \.isWhitespace) {
      sql += " AND instr(searchText, ?) > 0"
      arguments.append(String(word))
    }
    sql += " ORDER BY isStarred DESC, sortKey, id"
    return try look { table in
      let rows = try Row.fetchCursor(
        table.db, sql: sql, arguments: StatementArguments(arguments))
      var cards: [Card] = []
      while let row = try rows.next() {
        let card = try memory.card(row[0], content: row[1]) { try CardRecord.parse(row[2]).card }
        if let card { cards.append(card) }
      }
      return cards
    }
  }

  /// All records, tombstones too, by identifier.
  package func records() throws -> [CardRecord] {
    try look { table in
      try Data.fetchAll(table.db, sql: "SELECT json FROM record ORDER BY id").map(CardRecord.parse)
    }
  }

  /// A card; `nil` when there is none, or it was deleted.
  public func card(_ id: UUID) throws -> Card? {
    try look { try $0.record(id)?.card }
  }

  /// The groups with the number of cards in each that aren't archived, by name.
  public func groups() throws -> [(name: String, count: Int)] {
    let rows = try look { table in
      try Row.fetchAll(
        table.db,
        sql: """
          SELECT name, SUM(NOT isArchived) FROM membership JOIN record ON id = card GROUP BY name
          """)
    }
    let groups = rows.map { (name: $0[0] as String, count: $0[1] as Int) }
    return groups.sorted {
      (RecordTable.folded($0.name), $0.name) < (RecordTable.folded($1.name), $1.name)
    }
  }

  /// Saves a card, which then waits to be sent.
  ///
  /// - Parameters:
  ///   - card: The card; members that belong to the exchange with other wallets are left out.
  ///   - original: The card as the person saw it before. What has come from elsewhere since is merged: the
  ///     person's values stand, others that they replace are kept. With `nil` the card is taken as it is.
  /// - Throws: ``CardStoreError``.
  public func save(_ card: Card, changedFrom original: Card? = nil) throws {
    try change { table in
      let present = try table.record(card.id)
      if present?.isDeleted == true { throw CardStoreError.deleted }
      guard card.problems.isEmpty else { throw CardStoreError.incomplete(card.problems) }
      let named = present?.card?.pictures ?? []
      // What was missing before may be missing still.
      if let missing = card.pictures.subtracting(named).first(where: { !pictures.has($0) }) {
        throw CardStoreError.missingPicture(missing)
      }
      var saved = CardRecord(
        id: card.id, edits: present?.edits ?? [:], members: card.members,
        kept: present?.kept ?? [])
      if let original, let present, original.members != present.members {
        let base = CardRecord(id: card.id, members: original.members, kept: present.kept)
        saved =
          RecordMerge(
            base: base, mine: present, theirs: saved, date: now(), author: wallet
          ).result
      }
      if let present, saved.says(present) { return }
      try table.putSigned(saved)
    }
  }

  /// Adds cards, all of them or none, which then wait to be sent.
  ///
  /// - Parameters:
  ///   - cards: New cards, whose pictures are here. One that is in the wallet already is left as it is; one that was
  ///     deleted comes under a new identifier, because no delete comes back.
  ///   - commit: Called before they count; what it throws undoes all.
  /// - Returns: How many are new.
  /// - Throws: ``CardStoreError``, and what `commit` throws.
  public func add(_ cards: [Card], commit: () throws -> Void = {}) throws -> Int {
    try change { table in
      var count = 0
      for card in cards {
        guard card.problems.isEmpty else { throw CardStoreError.incomplete(card.problems) }
        let present = try table.record(card.id)
        guard present?.isDeleted ?? true else { continue }
        let id = present == nil ? card.id : UUID()
        try table.putSigned(CardRecord(id: id, members: card.members))
        count += 1
      }
      try commit()
      return count
    }
  }
}

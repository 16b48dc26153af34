import CardModel
import FeedSync
import Foundation
import GRDB

extension CardStore {
  /// Values that lost a merge, of one card or of all, the oldest first.
  public func keptCopies(of id: UUID? = nil) throws -> [KeptCopy] {
    let records = try look { table in
      if let id { return try [table.record(id)].compactMap { $0 } }
      return try Data.fetchAll(table.db, sql: "SELECT json FROM record WHERE isKept")
        .map(CardRecord.parse)
    }
    let copies = records.flatMap { record in record.kept.compactMap { copy($0, of: record) } }
    return copies.sorted {
      ($0.date ?? .distantPast, $0.field ?? "", "\($0.card)")
        < ($1.date ?? .distantPast, $1.field ?? "", "\($1.card)")
    }
  }

  private func copy(_ entry: JSONValue, of record: CardRecord) -> KeptCopy? {
    guard let kept = KeptValue(entry) else { return nil }
    let name = record.card?.name ?? kept.value?.object?["name"]?.text ?? ""
    return KeptCopy(
      card: record.id, name: name, field: kept.field, value: kept.value ?? .null,
      date: try? Date(kept.when, strategy: .iso8601), isOwn: kept.wallet == wallet,
      wallet: kept.wallet, winner: kept.winner?.wallet(of: record.value(of: kept.field)),
      entry: entry)
  }

  /// Forgets a kept value, in all wallets.
  public func dismiss(_ copy: KeptCopy) throws { _ = try settle([(copy, .dismiss)]) }

  /// Takes a kept value for the present one, as an edit; a whole card comes back under a new identifier.
  ///
  /// - Parameter copy: The kept value, which goes.
  /// - Returns: The card with the value; `nil` when the value was dismissed or the card deleted meanwhile.
  /// - Throws: ``CardStoreError``.
  @discardableResult
  public func use(_ copy: KeptCopy) throws -> Card? {
    try change { try settle(copy, .use, $0)?.card }
  }

  /// Chooses between kept values and present ones, all of them or none.
  ///
  /// - Parameter choices: The kept values; what was settled or deleted meanwhile is passed over.
  /// - Returns: What ``undo(_:)`` takes to bring the conflicts back.
  /// - Throws: ``CardStoreError``.
  public func settle(_ choices: [(KeptCopy, KeptChoice)]) throws -> [KeptUndo] {
    try change { table in try choices.compactMap { try settle($0.0, $0.1, table)?.undo } }
  }

  /// Takes choices back: the conflicts are there again, here and where the choices have come, and neither value is lost.
  ///
  /// - Parameter undos: The choices as they were made.
  /// - Throws: ``CardStoreError``; `deleted` when a card was deleted meanwhile, and nothing is changed then.
  public func undo(_ undos: [KeptUndo]) throws {
    try change { table in
      for undo in undos.reversed() {
        guard var record = try table.record(undo.card),
          record.isDeleted == (undo.field == nil)
        else { throw CardStoreError.deleted }
        undo.apply(to: &record)
        try table.putSigned(record)
      }
    }
  }

  private func settle(
    _ copy: KeptCopy, _ choice: KeptChoice, _ table: RecordTable
  ) throws -> (card: Card?, undo: KeptUndo?)? {
    guard var record = try table.record(copy.card), let kept = KeptValue(copy.entry),
      record.kept.remove(copy.entry) != nil
    else { return nil }
    var undo = KeptUndo(copy.entry, of: record, choice, at: now())
    if choice == .use {
      if let field = kept.field {
        guard !record.isDeleted else { return nil }
        record.members[field] = kept.value
      } else {
        // The card is another one from now on, which can be deleted.
        undo = nil
        try table.putSigned(record)
        record = CardRecord(id: UUID(), members: kept.value?.object ?? [:])
      }
    }
    return (try table.putSigned(record).card, undo)
  }
}

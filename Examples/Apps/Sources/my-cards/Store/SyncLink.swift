import CardModel
import Foundation
import GRDB

/// What the store knows of one backend: the versions that it had, what it still has to get, and where to go on.
///
/// Every call is one transaction.
package struct SyncLink: Sendable {
  package let store: CardStore
  let key: Int64
}

extension CardStore {
  /// The link to the backend at an address, new or as it was left.
  package func link(to address: String) throws -> SyncLink {
    let key = try database.write { db in
      try db.execute(
        sql: "INSERT OR IGNORE INTO backend (address) VALUES (?)", arguments: [address])
      return try Int64.fetchOne(
        db, sql: "SELECT key FROM backend WHERE address = ?", arguments: [address])
    }
    return SyncLink(store: self, key: key ?? 0)
  }
}

extension CardStore {
  /// All records, tombstones too, by identifier.
  package func records() throws -> [CardRecord] {
    try read { table in
      try Data.fetchAll(table.db, sql: "SELECT json FROM record ORDER BY id").map(RecordTable.parse)
    }
  }
}

extension SyncLink {
  /// Where the next download goes on; `nil` for a first one.
  package var cursor: String? {
    get throws { try value("SELECT cursor FROM backend WHERE key = ?") }
  }

  /// Whose the backend's cards are, as the exchange notes it; `nil` until it was told.
  package var account: Data? {
    get throws { try value("SELECT account FROM backend WHERE key = ?") }
  }

  /// Remembers whose the backend's cards are.
  package func setAccount(_ account: Data) throws {
    try store.database.write { db in
      try db.execute(
        sql: "UPDATE backend SET account = ? WHERE key = ?", arguments: [account, key])
    }
  }

  /// Whether the backend honours conditions; `nil` until it was tried.
  package var honoursConditions: Bool? {
    get throws { try value("SELECT honoursConditions FROM backend WHERE key = ?") }
  }

  private func value<T: DatabaseValueConvertible>(_ sql: String) throws -> T? {
    try store.read { try T.fetchOne($0.db, sql: sql, arguments: [key]) }
  }

  /// Remembers whether the backend honours conditions; `nil` to try again.
  package func setHonoursConditions(_ honours: Bool?) throws {
    try store.database.write { db in
      try db.execute(
        sql: "UPDATE backend SET honoursConditions = ? WHERE key = ?", arguments: [honours, key])
    }
  }

  /// The records that the backend doesn't have yet as they are here, and didn't refuse: deletions first, because they
  /// need no room.
  package func waiting() throws -> [UUID] {
    let ids = try store.read { table in
      try String.fetchAll(
        table.db,
        sql: """
          SELECT record.id FROM record
          LEFT JOIN base ON base.backend = :key AND base.id = record.id
          LEFT JOIN refusal ON refusal.backend = :key AND refusal.id = record.id
            AND refusal.edit = record.edit
          WHERE base.edit IS NOT record.edit AND refusal.id IS NULL
          ORDER BY record.isDeleted DESC, record.rowid
          """, arguments: ["key": key])
    }
    return ids.compactMap { UUID(uuidString: $0) }
  }

  /// A record that waits, with the ETag that it replaces; `nil` when it doesn't wait any more.
  package func next(_ id: UUID) throws -> (record: CardRecord, etag: String?)? {
    try store.read { table in
      guard let record = try table.record(id) else { return nil }
      let base = try Row.fetchOne(
        table.db, sql: "SELECT edit, etag FROM base WHERE backend = ? AND id = ?",
        arguments: [key, RecordTable.key(id)])
      return base?["edit"] == record.edit ? nil : (record, base?["etag"])
    }
  }

  /// Notes that the backend may have a record from now on, whatever is heard of it.
  ///
  /// - Returns: `false` when the record isn't that version any more.
  package func offer(_ record: CardRecord) throws -> Bool {
    try store.database.write { db in
      let table = RecordTable(db: db, wallet: store.wallet)
      guard try table.record(record.id)?.edit == record.edit else { return false }
      if record.isDeleted { try table.endSameUndo(record.id) }
      try db.execute(
        sql: "INSERT OR REPLACE INTO offer VALUES (?, ?, ?, ?)",
        arguments: [key, RecordTable.key(record.id), record.edit, record.json.data])
      return true
    }
  }

  /// Notes that the backend has taken a record.
  ///
  /// - Parameters:
  ///   - version: The record.
  ///   - missing: Which of its pictures the backend lacks; `nil` where it doesn't tell.
  /// - Throws: ``CardStoreError``.
  package func didSend(_ version: CardVersion, missing: [PictureHash]?) throws {
    try store.database.write { db in
      let table = RecordTable(db: db, wallet: store.wallet)
      try setBase(version, table)
      guard let missing else { return }
      for picture in version.record.pictures {
        let id = version.record.id
        try table.note(missing.contains(picture) ? .sending : .sent, picture, at: key, card: id)
        // A file that was lost here may be in another wallet.
        if !store.hasPicture(picture) {
          try table.note(.wanted, picture, at: RecordTable.here, card: id, isNew: true)
        }
      }
    }
  }

  /// Notes that the backend doesn't take a record as it is, so that it isn't sent before it changes.
  package func didRefuse(_ record: CardRecord, reason: String) throws {
    try store.database.write { db in
      try db.execute(
        sql: "INSERT OR REPLACE INTO refusal VALUES (?, ?, ?, ?)",
        arguments: [key, RecordTable.key(record.id), record.edit, reason])
    }
  }

  /// Why the backend doesn't take records that wait, or pictures of cards.
  package func refusals() throws -> [(id: UUID, reason: String)] {
    let rows = try store.read { table in
      try Row.fetchAll(
        table.db,
        sql: """
          SELECT refusal.id, reason FROM refusal
          JOIN record ON record.id = refusal.id AND record.edit = refusal.edit
          WHERE backend = ? ORDER BY refusal.id
          """, arguments: [key])
    }
    let pictures = try store.read { try $0.pictures([.refused], at: key) }
    return rows.compactMap { row in UUID(uuidString: row[0]).map { ($0, row[1]) } }
      + pictures.compactMap { picture in picture.card.map { ($0, picture.reason ?? "") } }
  }

  /// Lets what the backend refused, and the backend itself, be tried again.
  package func forgetRefusals() throws {
    try store.database.write { db in
      try db.execute(sql: "DELETE FROM refusal WHERE backend = ?", arguments: [key])
      try db.execute(
        sql: "UPDATE picture SET state = 'sending' WHERE place = ? AND state = 'refused'",
        arguments: [key])
      try db.execute(
        sql: "UPDATE backend SET honoursConditions = NULL WHERE key = ? AND NOT honoursConditions",
        arguments: [key])
    }
  }

  /// Notes what the backend has, which settles what was offered before.
  ///
  /// Whether it has the pictures that are here is to be asked, unless that is known.
  func setBase(_ version: CardVersion, _ table: RecordTable) throws {
    for picture in version.record.pictures where store.hasPicture(picture) {
      try table.note(.sending, picture, at: key, card: version.record.id, isNew: true)
    }
    let db = table.db
    try db.execute(
      sql: "DELETE FROM offer WHERE backend = ? AND id = ?",
      arguments: [key, RecordTable.key(version.record.id)])
    try db.execute(
      sql: "INSERT OR REPLACE INTO base VALUES (?, ?, ?, ?, ?)",
      arguments: [
        key, RecordTable.key(version.record.id), version.record.edit, version.etag,
        version.record.json.data,
      ])
  }
}

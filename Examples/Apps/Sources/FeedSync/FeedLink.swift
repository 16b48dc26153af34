import Checksums
import ErrorWords
import FeedClient
import Foundation
import GRDB

/// What a store knows of one server: the versions that it had, what it still has to get, and where to go on.
///
/// Every call is one transaction.
package struct FeedLink<Store: FeedStore>: Sendable {
  package typealias Version = FeedVersion<Store.Record>

  let store: Store
  let address: String
  let key: Int64
}

extension FeedStore {
  /// The link to the server at an address, new or as it was left.
  package func link(to address: String) throws -> FeedLink<Self> {
    let key = try write { db in
      try db.execute(
        sql: "INSERT OR IGNORE INTO backend (address) VALUES (?)", arguments: [address])
      return try Int64.fetchOne(
        db, sql: "SELECT key FROM backend WHERE address = ?", arguments: [address])
    }
    return FeedLink(store: self, address: address, key: key ?? 0)
  }
}

// MARK: The server

extension FeedLink {
  /// Where the next download goes on; `nil` for a first one.
  package var cursor: String? { get throws { try value("cursor") } }

  /// Whose the server's records are; `nil` until it was told.
  var account: FeedClient.Account? {
    get throws {
      try (value("account") as Data?).map {
        try JSONDecoder().decode(FeedClient.Account.self, from: $0)
      }
    }
  }

  /// Remembers whose the server's records are.
  func setAccount(_ account: FeedClient.Account) throws {
    try set("account", JSONEncoder().encode(account))
  }

  /// Whether the server honours conditions; `nil` until it was tried.
  package var honoursConditions: Bool? { get throws { try value("honoursConditions") } }

  /// Remembers whether the server honours conditions; `nil` to try again.
  package func setHonoursConditions(_ honours: Bool?) throws {
    try set("honoursConditions", honours)
  }

  private func value<T: DatabaseValueConvertible>(_ column: String) throws -> T? {
    try store.read { db in
      try T.fetchOne(db, sql: "SELECT \(column) FROM backend WHERE key = ?", arguments: [key])
    }
  }

  private func set(_ column: String, _ value: (any DatabaseValueConvertible)?) throws {
    try store.write { db in
      try db.execute(
        sql: "UPDATE backend SET \(column) = ? WHERE key = ?", arguments: [value, key])
    }
  }

  /// Forgets what the server had, because it is another now: all is compared anew, nothing is lost.
  func forget() throws {
    try store.write { db in
      for table in ["base", "offer", "refusal"] {
        try db.execute(sql: "DELETE FROM \(table) WHERE backend = ?", arguments: [key])
      }
      try db.execute(sql: "DELETE FROM picture WHERE place = ?", arguments: [key])
      try db.execute(sql: "UPDATE backend SET cursor = NULL WHERE key = ?", arguments: [key])
    }
  }
}

// MARK: Records that wait

extension FeedLink {
  /// The records that the server doesn't have yet as they are here, and didn't refuse: deletions first, because they
  /// need no room.
  package func waiting() throws -> [UUID] {
    try store.read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT record.id FROM record
          LEFT JOIN base ON base.backend = :key AND base.id = record.id
          LEFT JOIN refusal ON refusal.backend = :key AND refusal.id = record.id
            AND refusal.edit = record.edit
          WHERE base.edit IS NOT record.edit AND refusal.id IS NULL
          ORDER BY record.isDeleted DESC, record.rowid
          """, arguments: ["key": key])
    }.compactMap(UUID.init(uuidString:))
  }

  /// A record that waits, with the ETag that it replaces; `nil` when it doesn't wait any more.
  package func next(_ id: UUID) throws -> (record: Store.Record, etag: String?)? {
    try store.read { db in
      guard let record = try Store.Record.find(id, db) else { return nil }
      let base = try Row.fetchOne(
        db, sql: "SELECT edit, etag FROM base WHERE backend = ? AND id = ?",
        arguments: [key, id.key])
      return base?["edit"] == record.edit ? nil : (record, base?["etag"])
    }
  }

  /// Notes that the server may have a record from now on, whatever is heard of it.
  ///
  /// - Returns: `false` when the record isn't that version any more.
  package func offer(_ record: Store.Record) throws -> Bool {
    try store.write { db in
      guard try Store.Record.find(record.id, db)?.edit == record.edit else { return false }
      try store.willSend(record, db)
      try db.execute(
        sql: "INSERT OR REPLACE INTO offer VALUES (?, ?, ?, ?)",
        arguments: [key, record.id.key, record.edit, record.data])
      return true
    }
  }

  /// Notes that the server has taken a record.
  ///
  /// - Parameters:
  ///   - version: The record.
  ///   - missing: Which of its blobs the server lacks; `nil` where it doesn't tell.
  /// - Throws: The store's error.
  package func didSend(_ version: Version, missing: [BlobName]?) throws {
    try store.write { db in
      try setBase(version, isListed: false, db)
      guard let missing else { return }
      let (states, id) = (BlobStates(db), version.record.id)
      for blob in version.record.blobs {
        try states.note(missing.contains(blob) ? .sending : .sent, blob, at: key, record: id)
        // A file that was lost here may be on another device.
        if !store.hasBlob(blob) {
          try states.note(.wanted, blob, at: BlobStates.here, record: id, isNew: true)
        }
      }
    }
  }

  /// Notes what the server has, which settles what was offered before; what it acknowledged alone stays offered until it
  /// lists it, too.
  ///
  /// Whether it has the blobs that are here is to be asked, unless that is known.
  func setBase(_ version: Version, isListed: Bool, _ db: Database) throws {
    let record = version.record
    for blob in record.blobs where store.hasBlob(blob) {
      try BlobStates(db).note(.sending, blob, at: key, record: record.id, isNew: true)
    }
    try db.execute(
      sql: "DELETE FROM offer WHERE backend = ? AND id = ? AND edit IS NOT ?",
      arguments: [key, record.id.key, isListed ? nil : record.edit])
    try db.execute(
      sql: "INSERT OR REPLACE INTO base VALUES (?, ?, ?, ?, ?)",
      arguments: [key, record.id.key, record.edit, version.etag, record.data])
  }
}

// MARK: Writes that are lost

extension FeedLink {
  /// ETags that the server acknowledged for records, and hasn't listed so far.
  func unlisted() throws -> Set<String> { try store.read(unlisted) }

  private func unlisted(_ db: Database) throws -> Set<String> {
    // The offers first: they are few.
    try String.fetchSet(
      db,
      sql: """
        SELECT base.etag FROM offer CROSS JOIN base
          ON base.backend = offer.backend AND base.id = offer.id AND base.edit = offer.edit
        WHERE offer.backend = ?
        """, arguments: [key])
  }

  /// Lets records be sent again which the server acknowledged before it listed all that it has, and didn't list: another
  /// has taken its place that never had them, such as a standby that lagged behind.
  func forgetLost(_ etags: Set<String>) throws {
    guard !etags.isEmpty else { return }
    try store.write { db in
      for etag in try unlisted(db).intersection(etags) {
        try db.execute(
          sql: "DELETE FROM base WHERE backend = ? AND etag = ?", arguments: [key, etag])
      }
    }
  }
}

// MARK: Refusals

extension FeedLink {
  /// Notes that the server doesn't take a record as it is, so that it isn't sent before it changes.
  func didRefuse(_ record: Store.Record, reason: ErrorWords) throws {
    try store.write { db in
      try db.execute(
        sql: "INSERT OR REPLACE INTO refusal VALUES (?, ?, ?, ?)",
        arguments: [key, record.id.key, record.edit, reason.keptText])
    }
  }

  /// Why the server doesn't take records that wait, or blobs of records.
  func refusals() throws -> [(id: UUID, reason: ErrorWords)] {
    try store.read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT refusal.id, reason FROM refusal
          JOIN record ON record.id = refusal.id AND record.edit = refusal.edit
          WHERE backend = ? ORDER BY refusal.id
          """, arguments: [key])
      let blobs = try BlobStates(db).blobs([.refused], at: key, of: Store.Record.self)
      return rows.compactMap { row in
        UUID(uuidString: row[0]).map { ($0, ErrorWords(kept: row[1])) }
      }
        + blobs.compactMap { blob in blob.record.map { ($0, blob.reason ?? ErrorWords("")) } }
    }
  }

  /// Lets what the server refused, and the server itself, be tried again.
  package func forgetRefusals() throws {
    try store.write { db in
      try db.execute(sql: "DELETE FROM refusal WHERE backend = ?", arguments: [key])
      try db.execute(
        sql: "UPDATE picture SET state = 'sending' WHERE place = ? AND state = 'refused'",
        arguments: [key])
      try db.execute(
        sql: "UPDATE backend SET honoursConditions = NULL WHERE key = ? AND NOT honoursConditions",
        arguments: [key])
    }
  }
}

// MARK: Blobs

extension FeedLink {
  /// The blobs that records name and that aren't here.
  package func wantedBlobs() throws -> [BlobName] {
    try store.read { db in
      // One may have come just before a sudden end.
      try BlobStates(db).blobs(
        [.wanted, .damaged], at: BlobStates.here, of: Store.Record.self
      ).map(\.name).filter { !store.hasBlob($0) }
    }
  }

  /// The blobs that are here, and that the server may lack.
  package func waitingBlobs() throws -> [BlobName] {
    try store.read { db in
      try BlobStates(db).blobs([.sending], at: key, of: Store.Record.self).map(\.name)
        .filter(store.hasBlob)
    }
  }

  /// How many blobs the server is known to have.
  package func sentBlobs() throws -> Int {
    try store.read { db in
      try Int.fetchOne(
        db, sql: "SELECT COUNT(*) FROM picture WHERE place = ? AND state = 'sent'",
        arguments: [key]) ?? 0
    }
  }

  /// Notes that the server has a blob, or doesn't take it.
  func note(_ state: BlobState, _ blob: BlobName, reason: ErrorWords? = nil) throws {
    try store.write { try BlobStates($0).note(state, blob, at: key, reason: reason) }
  }
}

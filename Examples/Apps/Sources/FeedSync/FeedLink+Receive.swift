import FeedClient
import Foundation
import GRDB

extension FeedLink {
  /// What receiving versions did.
  package struct Received: Hashable, Sendable {
    /// How many records are new here, or have changed.
    package var changed = 0
    /// How many were changed on both sides.
    package var merged = 0
    /// How many values lost and were kept.
    package var kept = 0
  }

  /// The cursor isn't any more what it was when the versions were asked for.
  struct OutOfTurn: Error {}

  /// Takes versions that came after a cursor, and goes on from the next one.
  package func receive(
    _ versions: [Version], after cursor: String?, next: String
  ) throws -> Received {
    try change { db, received in
      try db.execute(
        sql: "UPDATE backend SET cursor = ? WHERE key = ? AND cursor IS ?",
        arguments: [next, key, cursor])
      // Another process has received the same, and perhaps newer ones.
      guard db.changesCount == 1 else { throw OutOfTurn() }
      for version in versions { try receive(version, db, &received) }
    }
  }

  /// Takes the version that kept a record from being sent.
  package func receive(_ version: Version) throws -> Received {
    try change { db, received in try receive(version, db, &received) }
  }

  private func change(_ body: (Database, inout Received) throws -> Void) throws -> Received {
    let received = try store.write { db in
      var received = Received()
      try body(db, &received)
      return received
    }
    store.tell()
    return received
  }

  private func receive(_ version: Version, _ db: Database, _ received: inout Received) throws {
    let theirs = version.record
    let before = try offered(theirs, db) ?? base(theirs.id, db)
    try setBase(version, isListed: true, db)
    guard let taken = try store.take(theirs, since: before, db) else { return }
    for blob in taken.record.blobs where !store.hasBlob(blob) {
      try BlobStates(db).note(
        .wanted, blob, at: BlobStates.here, record: theirs.id, isNew: true)
    }
    received.changed += 1
    received.merged += taken.isMerged ? 1 : 0
    received.kept += taken.kept
  }

  /// What was sent from here without an answer, if theirs goes on from it.
  private func offered(_ theirs: Store.Record, _ db: Database) throws -> Store.Record? {
    try Data.fetchOne(
      db, sql: "SELECT json FROM offer WHERE id = ? AND edit = ?",
      arguments: [theirs.id.key, theirs.edits[store.device]]
    ).map(Store.Record.parse)
  }

  private func base(_ id: UUID, _ db: Database) throws -> Store.Record? {
    try Data.fetchOne(
      db, sql: "SELECT json FROM base WHERE backend = ? AND id = ?", arguments: [key, id.key]
    ).map(Store.Record.parse)
  }
}

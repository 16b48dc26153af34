import CardModel
import Foundation
import GRDB

extension SyncLink {
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
  package struct OutOfTurn: Error {}

  /// Takes a page of versions that came after a cursor, and goes on from its own.
  package func receive(
    _ versions: [CardVersion], after cursor: String?, next: String
  ) throws -> Received {
    try store.change { table in
      try table.db.execute(
        sql: "UPDATE backend SET cursor = ? WHERE key = ? AND cursor IS ?",
        arguments: [next, key, cursor])
      // Another process has received the same, and perhaps newer ones.
      guard table.db.changesCount == 1 else { throw OutOfTurn() }
      var received = Received()
      for version in versions { try receive(version, table, &received) }
      return received
    }
  }

  /// Takes the version that kept a record from being sent.
  package func receive(_ version: CardVersion) throws -> Received {
    try store.change { table in
      var received = Received()
      try receive(version, table, &received)
      return received
    }
  }

  private func receive(
    _ version: CardVersion, _ table: RecordTable, _ received: inout Received
  ) throws {
    let theirs = version.record
    let before = try offer(theirs, table) ?? base(theirs.id, table)
    try setBase(version, table)
    guard let mine = try table.record(theirs.id) else {
      received.changed += 1
      return try put(theirs, table)
    }
    // The present version comes from theirs: it is what waits to be sent, or theirs itself.
    if try table.hasSeen(theirs) { return }
    let merged = RecordMerge(base: before, mine: mine, theirs: theirs, date: store.now()).result
    if mine.isDeleted { try table.endSameUndo(mine.id) }
    try table.noteSeen(theirs)
    received.changed += 1
    if merged.says(theirs) { return try put(theirs, table) }
    received.merged += 1
    received.kept += merged.kept.subtracting(theirs.kept).subtracting(mine.kept).count
    var signed = merged
    signed.sign(by: store.wallet)
    try put(signed, table)
  }

  /// What was sent from here without an answer, if theirs goes on from it.
  private func offer(_ theirs: CardRecord, _ table: RecordTable) throws -> CardRecord? {
    let json = try Data.fetchOne(
      table.db, sql: "SELECT json FROM offer WHERE id = ? AND edit = ?",
      arguments: [RecordTable.key(theirs.id), theirs.edits[store.wallet]])
    return try json.map(RecordTable.parse)
  }

  private func base(_ id: UUID, _ table: RecordTable) throws -> CardRecord? {
    let json = try Data.fetchOne(
      table.db, sql: "SELECT json FROM base WHERE backend = ? AND id = ?",
      arguments: [key, RecordTable.key(id)])
    return try json.map(RecordTable.parse)
  }

  /// Puts a version that may name pictures which aren't here.
  private func put(_ record: CardRecord, _ table: RecordTable) throws {
    try table.put(record)
    for picture in record.pictures where !store.hasPicture(picture) {
      try table.note(
        .wanted, picture, at: RecordTable.here, card: record.id, isNew: true)
    }
  }

  /// Forgets what the backend had, because it is another now: all is compared anew, nothing is lost.
  package func forget() throws {
    try store.database.write { db in
      for table in ["base", "offer", "refusal"] {
        try db.execute(sql: "DELETE FROM \(table) WHERE backend = ?", arguments: [key])
      }
      try db.execute(sql: "DELETE FROM picture WHERE place = ?", arguments: [key])
      try db.execute(sql: "UPDATE backend SET cursor = NULL WHERE key = ?", arguments: [key])
    }
  }
}

extension RecordTable {
  /// Lets an undo bring a deleted card back under another identifier only.
  func endSameUndo(_ id: UUID) throws {
    try db.execute(
      sql: "UPDATE former SET isSame = 0 WHERE id = ?", arguments: [RecordTable.key(id)])
  }
}

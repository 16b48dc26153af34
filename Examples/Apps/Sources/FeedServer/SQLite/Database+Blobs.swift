import Foundation
import GRDB
import HTTPTypes
import WebServing

extension Database {
  /// What is known of a blob.
  func blob(_ key: BlobKey) throws -> Blob? {
    try Row.fetchOne(
      self, sql: "SELECT size, type, place FROM blob WHERE person = ? AND name = ?",
      arguments: [key.person, key.name.text]
    ).map { Blob(size: $0["size"], type: $0["type"], place: $0["place"]) }
  }

  /// Notes since when no record names a blob, or that one does.
  func noteWhetherNamed(_ name: String, of person: Int64) throws {
    try execute(
      sql: """
        UPDATE blob SET unnamed = CASE
          WHEN EXISTS (SELECT 1 FROM naming WHERE naming.person = blob.person AND naming.name = blob.name)
          THEN NULL ELSE ifnull(unnamed, ?) END
        WHERE person = ? AND name = ?
        """, arguments: [Int(Date.now.timeIntervalSince1970), person, name])
  }

  /// Counts bytes as the person's, if they have room for them.
  func add(bytes: Int, to person: Int64, _ limits: Limits) throws {
    let sum = try Int.fetchOne(
      self, sql: "UPDATE person SET bytes = bytes + ? WHERE key = ? RETURNING bytes",
      arguments: [bytes, person])
    guard bytes <= 0 || sum ?? 0 <= limits.bytes else { throw WebError.noRoom(limits) }
  }

  /// Notes places whose files are to be deleted.
  func discard(_ places: [String]) throws {
    for place in places {
      try execute(
        sql: "INSERT OR REPLACE INTO rubbish VALUES (?, ?)",
        arguments: [place, Int(Date.now.timeIntervalSince1970)])
    }
  }

  // MARK: Time

  /// Forgets versions that were replaced before a time; whether there were as many as the limit.
  func forgetVersions(before time: Int, limit: Int) throws -> Bool {
    try execute(
      sql: """
        DELETE FROM version WHERE (person, feed, number) IN (
          SELECT person, feed, number FROM version WHERE replaced < ? LIMIT ?)
        """, arguments: [time, limit])
    return changesCount == limit
  }

  /// Forgets records that were deleted before a time; whether there were as many as the limit.
  func forgetDeleted(before time: Int, limit: Int) throws -> Bool {
    let rows = try Row.fetchAll(
      self,
      sql: """
        SELECT person, feed, id, number FROM record WHERE isDeleted AND changed < ? LIMIT ?
        """, arguments: [time, limit])
    for row in rows {
      let (person, feed, id): (Int64, String, String) = (row["person"], row["feed"], row["id"])
      let number: Int = row["number"]
      try execute(
        sql: "DELETE FROM record WHERE person = ? AND feed = ? AND id = ?",
        arguments: [person, feed, id])
      try execute(
        sql: "UPDATE head SET floor = max(floor, ?) WHERE person = ? AND feed = ?",
        arguments: [number, person, feed])
      // A client that has seen the deletion goes on from there for another while.
      try execute(
        sql: "UPDATE version SET replaced = ? WHERE person = ? AND feed = ? AND number = ?",
        arguments: [Int(Date.now.timeIntervalSince1970), person, feed, number])
      let names = try String.fetchAll(
        self, sql: "DELETE FROM naming WHERE person = ? AND feed = ? AND id = ? RETURNING name",
        arguments: [person, feed, id])
      for name in names { try noteWhetherNamed(name, of: person) }
    }
    return rows.count == limit
  }

  /// Forgets blobs that nothing has named since a time; whether there were as many as the limit.
  func forgetBlobs(before time: Int, limit: Int) throws -> Bool {
    let rows = try Row.fetchAll(
      self, sql: "SELECT person, name, size, place FROM blob WHERE unnamed < ? LIMIT ?",
      arguments: [time, limit])
    for row in rows {
      let (person, size): (Int64, Int) = (row["person"], row["size"])
      try execute(
        sql: "DELETE FROM blob WHERE person = ? AND name = ?",
        arguments: [person, row["name"] as String])
      try execute(
        sql: "UPDATE person SET bytes = bytes - ? WHERE key = ?", arguments: [size, person])
      try discard([row["place"]])
    }
    return rows.count == limit
  }
}

extension HTTPResponse.Status {
  /// The status of WebDAV (RFC 4918) for want of room.
  static let insufficientStorage = Self(code: 507, reasonPhrase: "Insufficient Storage")
}

extension WebError {
  /// The disk has no room.
  static let diskFull = WebError(
    .insufficientStorage, "The server's disk is full. Its keeper must make room.")

  /// A person has no room.
  static func noRoom(_ limits: Limits) -> WebError {
    WebError(
      .insufficientStorage,
      "You have no room left here: \(limits.bytes / 1_000_000) MB are yours. Ask the server's keeper for more."
    )
  }
}

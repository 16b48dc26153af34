import Foundation
import HTTPTypes
import WebServing

extension SQLSession {
  /// What is known of a blob.
  func blob(_ key: BlobKey) throws -> Blob? {
    try row(
      "SELECT size, type, place FROM blob WHERE person = $1 AND name = $2",
      key.person, key.name.text
    ).map { Blob(size: $0.integer(0), type: $0.text(1), place: $0.text(2)) }
  }

  /// Notes since when no record names a blob, or that one does.
  func noteWhetherNamed(_ name: String, of person: Int64) throws {
    try run(
      """
      UPDATE blob SET unnamed = CASE
        WHEN EXISTS (SELECT 1 FROM naming WHERE naming.person = blob.person AND naming.name = blob.name)
        THEN NULL ELSE coalesce(unnamed, $1) END
      WHERE person = $2 AND name = $3
      """, Int(Date.now.timeIntervalSince1970), person, name)
  }

  /// Counts bytes as the person's, if they have room for them.
  func add(bytes: Int, to person: Int64, _ limits: Limits) throws {
    let sum = try row(
      "UPDATE person SET bytes = bytes + $1 WHERE key = $2 RETURNING bytes", bytes, person)
    guard bytes <= 0 || sum?.integer(0) ?? 0 <= limits.bytes else {
      throw WebError.noRoom(limits)
    }
  }

  /// Notes a place whose file is to be deleted.
  func discard(_ place: String) throws {
    try run(
      """
      INSERT INTO rubbish (place, since) VALUES ($1, $2)
      ON CONFLICT (place) DO UPDATE SET since = excluded.since
      """, place, Int(Date.now.timeIntervalSince1970))
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

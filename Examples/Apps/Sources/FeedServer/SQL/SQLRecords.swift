import Checksums
import Foundation
import HTTPTypes
import WebServing

/// The engine over a database.
struct SQLRecords: RecordEngine {
  private let database: any SQLDatabase
  private let lastUses = LastUses()
  let server: UUID

  /// Uses a database that has its tables.
  init(_ database: any SQLDatabase) async throws {
    self.database = database
    let id = try await database.read { try $0.row("SELECT id FROM server")?.text(0) }
    server = id.flatMap { UUID(uuidString: $0) } ?? UUID()
  }

  private static var now: Int { Int(Date.now.timeIntervalSince1970) }
}

// MARK: People

extension SQLRecords {
  func addDevice(_ name: String, of person: String, token: Data) async throws {
    try await database.write { session in
      try session.run(
        "INSERT INTO person (name) VALUES ($1) ON CONFLICT (name) DO NOTHING", person)
      let key = try session.row("SELECT key FROM person WHERE name = $1", person)?.key(0) ?? 0
      try session.run(
        """
        INSERT INTO device (person, name, token, made) VALUES ($1, $2, $3, $4)
        ON CONFLICT (person, name) DO UPDATE
          SET token = excluded.token, made = excluded.made, seen = NULL, client = NULL
        """, key, name, token, Self.now)
    }
  }

  func addDevice(_ name: String, of person: Int64, token: Data) async throws -> Device {
    try await database.write { session in
      let made = Self.now
      let row = try session.row(
        """
        INSERT INTO device (person, name, token, made) VALUES ($1, $2, $3, $4)
        ON CONFLICT (person, name) DO NOTHING RETURNING key
        """, person, name, token, made)
      guard let row else {
        throw WebError(.conflict, "You have a device of that name. Choose another name.")
      }
      return Device(id: row.key(0), name: name, made: Date(timeIntervalSince1970: Double(made)))
    }
  }

  func visitor(token: Data) async throws -> Visitor? {
    let row = try await database.read { session in
      try session.row(
        """
        SELECT person.key, person.name, device.key, device.seen
        FROM device JOIN person ON person.key = device.person WHERE device.token = $1
        """, token)
    }
    guard let row else { return nil }
    lastUses.note(row.key(2), at: Self.now, written: row.integer(3))
    return Visitor(person: row.key(0), name: row.text(1), device: row.key(2))
  }

  /// How many rows a transaction changes, so that nobody waits for long.
  private static let mostLastUses = 500

  func writeLastUses() async throws -> Int {
    let open = lastUses.open
    for start in stride(from: 0, to: open.count, by: Self.mostLastUses) {
      let some = open[start..<min(start + Self.mostLastUses, open.count)]
      try await database.write { session in
        for (device, time) in some {
          try session.run(
            "UPDATE device SET seen = $1 WHERE key = $2 AND coalesce(seen, 0) < $1", time,
            device)
        }
      }
      lastUses.forget(some)
    }
    return open.count
  }

  func devices(of person: Int64) async throws -> [Device] {
    try await database.read { [lastUses] session in
      try session.rows(
        "SELECT key, name, made, seen, client FROM device WHERE person = $1 ORDER BY name", person
      ).map { row in
        let seen = lastUses.time(of: row.key(0)) ?? row.optionalInteger(3)
        return Device(
          id: row.key(0), name: row.text(1),
          made: Date(timeIntervalSince1970: Double(row.integer(2))),
          seen: seen.map { Date(timeIntervalSince1970: Double($0)) }, client: row.optionalText(4))
      }
    }
  }

  func setClient(_ client: String, of visitor: Visitor) async throws {
    try await database.write { session in
      // Who comes again under another name is known by the new one alone.
      try session.run(
        "UPDATE device SET client = NULL WHERE person = $1 AND client = $2 AND key <> $3",
        visitor.person, client, visitor.device)
      try session.run(
        "UPDATE device SET client = $1 WHERE key = $2 AND coalesce(client, '') <> $1", client,
        visitor.device)
    }
  }

  func removeDevice(_ id: Int64, of person: Int64) async throws -> Bool {
    try await database.write { session in
      try session.row(
        "DELETE FROM device WHERE key = $1 AND person = $2 RETURNING key", id, person) != nil
    }
  }

  func bytes(of person: Int64) async throws -> Int {
    try await database.read { session in
      try session.row("SELECT bytes FROM person WHERE key = $1", person)?.integer(0) ?? 0
    }
  }

  func records(of person: Int64, in feed: Feed) async throws -> Int {
    try await database.read { session in
      try session.row(
        "SELECT records FROM head WHERE person = $1 AND feed = $2", person, feed.name)?.integer(0)
        ?? 0
    }
  }
}

// MARK: Records

extension SQLRecords {
  func changes(
    of person: Int64, in feed: Feed, since cursor: String?, limit: Int
  ) async throws -> RecordPage? {
    // Who waits for news asks often, and mostly there is none.
    if let cursor {
      let isNewest = try await database.read { session in
        try RecordTable(session: session, person: person, feed: feed).isNewest(cursor)
      }
      if isNewest { return RecordPage(cursor: cursor) }
    }
    return try await database.snapshot { session in
      try RecordTable(session: session, person: person, feed: feed)
        .changes(since: cursor, limit: limit)
    }
  }

  func record(_ id: String, of person: Int64, in feed: Feed) async throws -> StoredRecord? {
    try await database.read { session in
      try RecordTable(session: session, person: person, feed: feed).record(id)?.stored
    }
  }

  func write(
    _ record: SentRecord, of person: Int64, in feed: Feed, if condition: WriteCondition,
    limits: Limits
  ) async throws -> WriteResult {
    try await database.write { session in
      try session.lock(person: person)
      return try RecordTable(session: session, person: person, feed: feed)
        .write(record, if: condition, limits: limits)
    }
  }

  func missing(of person: Int64, in feed: Feed) async throws -> [BlobName] {
    try await database.read { session in
      try session.rows(
        """
        SELECT DISTINCT name FROM naming WHERE person = $1 AND feed = $2 AND NOT EXISTS (
          SELECT 1 FROM blob WHERE blob.person = naming.person AND blob.name = naming.name)
        LIMIT 500
        """, person, feed.name
      ).compactMap { BlobName($0.text(0)) }
    }
  }
}

// MARK: Blobs

extension SQLRecords {
  func blob(_ key: BlobKey) async throws -> Blob? {
    try await database.read { try $0.blob(key) }
  }

  func reserve(_ place: String) async throws {
    try await database.write { try $0.discard(place) }
  }

  func addBlob(_ blob: Blob, _ key: BlobKey, limits: Limits) async throws {
    try await database.write { session in
      try session.lock(person: key.person)
      let old = try session.blob(key)
      if let old, old.place != blob.place { try session.discard(old.place) }
      try session.run(
        """
        INSERT INTO blob (person, name, size, type, place) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (person, name) DO UPDATE
          SET size = excluded.size, type = excluded.type, place = excluded.place
        """, key.person, key.name.text, blob.size, blob.type, blob.place)
      try session.run("DELETE FROM rubbish WHERE place = $1", blob.place)
      try session.noteWhetherNamed(key.name.text, of: key.person)
      try session.add(bytes: blob.size - (old?.size ?? 0), to: key.person, limits)
    }
  }

  func upload(_ key: BlobKey) async throws -> String? {
    try await database.read { session in
      try session.row(
        "SELECT upload FROM upload WHERE person = $1 AND name = $2", key.person, key.name.text)?
        .text(0)
    }
  }

  /// How many uploads of a person may have begun.
  private static let maximumUploads = 16

  func setUpload(_ upload: String?, _ key: BlobKey) async throws {
    try await database.write { session in
      guard let upload else {
        try session.run(
          "DELETE FROM upload WHERE person = $1 AND name = $2", key.person, key.name.text)
        return
      }
      try session.lock(person: key.person)
      let count = try session.row("SELECT count(*) FROM upload WHERE person = $1", key.person)
      guard count?.integer(0) ?? 0 < Self.maximumUploads else {
        throw WebError(
          .tooManyRequests, "\(Self.maximumUploads) uploads have begun. Complete one of them first."
        )
      }
      try session.run(
        """
        INSERT INTO upload (person, name, upload, begun) VALUES ($1, $2, $3, $4)
        ON CONFLICT (person, name) DO UPDATE SET upload = excluded.upload, begun = excluded.begun
        """, key.person, key.name.text, upload, Self.now)
    }
  }
}

// MARK: Time

extension SQLRecords {
  /// How many places a sweep gives at once.
  private static let maximumPlaces = 1000

  func sweep(at time: Date, limits: Limits) async throws -> Rubbish {
    @Sendable func before(_ age: Duration) -> Int {
      Int(time.timeIntervalSince1970) - Int(age.components.seconds)
    }
    let (window, unnamed, upload) = (
      before(limits.window), before(limits.unnamed), before(limits.upload)
    )
    while try await database.write({ try $0.forgetVersions(before: window) }) {}
    while try await database.write({ try $0.forgetDeleted(before: window) }) {}
    while try await database.write({ try $0.forgetBlobs(before: unnamed) }) {}
    return try await database.write { session in
      let uploads = try session.rows(
        "DELETE FROM upload WHERE begun < $1 RETURNING upload", upload)
      // An hour: what was reserved a moment ago may still come to be.
      let places = try session.rows(
        "SELECT place FROM rubbish WHERE since < $1 LIMIT $2", before(.seconds(3600)),
        Self.maximumPlaces)
      return Rubbish(places: places.map { $0.text(0) }, uploads: uploads.map { $0.text(0) })
    }
  }

  func forget(places: [String]) async throws {
    try await database.write { session in
      for place in places { try session.run("DELETE FROM rubbish WHERE place = $1", place) }
    }
  }
}

import Checksums
import Foundation
import GRDB
import HTTPTypes
import WebServing

/// The engine of one process: a database in a folder.
struct SQLiteRecords: RecordEngine {
  private let queue: DatabaseQueue
  let server: UUID

  /// Opens the database in a folder, which is made for this user alone where it is missing.
  init(in folder: URL) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    let path = folder.appending(component: "backend.sqlite").path
    queue = try DatabaseQueue(path: path, configuration: configuration)
    try Schema.migrate(queue, in: folder)
    server = try queue.read { db in
      try String.fetchOne(db, sql: "SELECT id FROM server").flatMap { UUID(uuidString: $0) }
        ?? UUID()
    }
  }

  private func read<T: Sendable>(
    _ body: @Sendable @escaping (Database) throws -> T
  ) async throws -> T {
    do { return try await queue.read(body) } catch { throw Self.webError(error) }
  }

  private func write<T: Sendable>(
    _ body: @Sendable @escaping (Database) throws -> T
  ) async throws -> T {
    do { return try await queue.write(body) } catch { throw Self.webError(error) }
  }

  /// Without SQL, whose arguments are what is in the records.
  private static func webError(_ error: any Error) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    if error.resultCode == .SQLITE_FULL { return WebError.diskFull }
    return WebError(
      .serviceUnavailable, "The server's database has a problem (\(error.resultCode)).")
  }

  private static var now: Int { Int(Date.now.timeIntervalSince1970) }
}

// MARK: People

extension SQLiteRecords {
  func addDevice(_ name: String, of person: String, token: Data) async throws {
    try await write { db in
      try db.execute(
        sql: "INSERT INTO person (name) VALUES (?) ON CONFLICT DO NOTHING", arguments: [person])
      try db.execute(
        sql: """
          INSERT INTO device (person, name, token, made)
            SELECT key, ?, ?, ? FROM person WHERE name = ?
          ON CONFLICT (person, name) DO UPDATE SET token = excluded.token, made = excluded.made, seen = NULL
          """, arguments: [name, token, Self.now, person])
    }
  }

  func addDevice(_ name: String, of person: Int64, token: Data) async throws -> Device {
    try await write { db in
      guard
        try !Bool(
          db, "SELECT 1 FROM device WHERE person = ? AND name = ?", [person, name])
      else {
        throw WebError(.conflict, "You have a device of that name. Choose another name.")
      }
      let made = Self.now
      try db.execute(
        sql: "INSERT INTO device (person, name, token, made) VALUES (?, ?, ?, ?)",
        arguments: [person, name, token, made])
      return Device(
        id: db.lastInsertedRowID, name: name, made: Date(timeIntervalSince1970: Double(made)))
    }
  }

  /// How exact `seen` is, in seconds, so that few requests write.
  private static let exactness = 600

  func visitor(token: Data) async throws -> Visitor? {
    let found = try await read { db in
      try Row.fetchOne(
        db,
        sql: """
          SELECT person, person.name, device.key, seen FROM device JOIN person ON person.key = person
          WHERE token = ?
          """, arguments: [token]
      ).map { row -> (Visitor, Int) in
        (Visitor(person: row["person"], name: row["name"], device: row["key"]), row["seen"] ?? 0)
      }
    }
    guard let (visitor, seen) = found else { return nil }
    if seen < Self.now - Self.exactness {
      // Who reads is served from a full disk, too.
      try? await write { db in
        try db.execute(
          sql: "UPDATE device SET seen = ? WHERE key = ?", arguments: [Self.now, visitor.device])
      }
    }
    return visitor
  }

  func devices(of person: Int64) async throws -> [Device] {
    try await read { db in
      try Row.fetchAll(
        db, sql: "SELECT key, name, made, seen FROM device WHERE person = ? ORDER BY name",
        arguments: [person]
      ).map { row in
        Device(
          id: row["key"], name: row["name"],
          made: Date(timeIntervalSince1970: row["made"] as Double),
          seen: (row["seen"] as Double?).map(Date.init(timeIntervalSince1970:)))
      }
    }
  }

  func removeDevice(_ id: Int64, of person: Int64) async throws -> Bool {
    try await write { db in
      try db.execute(
        sql: "DELETE FROM device WHERE key = ? AND person = ?", arguments: [id, person])
      return db.changesCount == 1
    }
  }

  func bytes(of person: Int64) async throws -> Int {
    try await read { db in
      try Int.fetchOne(db, sql: "SELECT bytes FROM person WHERE key = ?", arguments: [person]) ?? 0
    }
  }

  func records(of person: Int64, in feed: Feed) async throws -> Int {
    try await read { db in
      try Int.fetchOne(
        db, sql: "SELECT records FROM head WHERE person = ? AND feed = ?",
        arguments: [person, feed.name]) ?? 0
    }
  }
}

// MARK: Records

extension SQLiteRecords {
  func changes(
    of person: Int64, in feed: Feed, since cursor: String?, limit: Int
  ) async throws -> RecordPage? {
    try await read { db in
      try RecordTable(db: db, person: person, feed: feed).changes(since: cursor, limit: limit)
    }
  }

  func record(_ id: String, of person: Int64, in feed: Feed) async throws -> StoredRecord? {
    try await read { db in try RecordTable(db: db, person: person, feed: feed).record(id) }
  }

  func write(
    _ record: SentRecord, of person: Int64, in feed: Feed, if condition: WriteCondition,
    limits: Limits
  ) async throws -> WriteResult {
    try await write { db in
      try RecordTable(db: db, person: person, feed: feed)
        .write(record, if: condition, limits: limits)
    }
  }

  func missing(of person: Int64, in feed: Feed) async throws -> [BlobName] {
    try await read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT name FROM naming WHERE person = ? AND feed = ? AND NOT EXISTS (
            SELECT 1 FROM blob WHERE blob.person = naming.person AND blob.name = naming.name)
          LIMIT 500
          """, arguments: [person, feed.name]
      ).compactMap(BlobName.init)
    }
  }
}

// MARK: Blobs

extension SQLiteRecords {
  func blob(_ key: BlobKey) async throws -> Blob? {
    try await read { try $0.blob(key) }
  }

  func reserve(_ place: String) async throws {
    try await write { try $0.discard([place]) }
  }

  func addBlob(_ blob: Blob, _ key: BlobKey, limits: Limits) async throws {
    try await write { db in
      let old = try db.blob(key)
      if let old, old.place != blob.place { try db.discard([old.place]) }
      try db.execute(
        sql: "INSERT OR REPLACE INTO blob VALUES (?, ?, ?, ?, ?, NULL)",
        arguments: [key.person, key.name.text, blob.size, blob.type, blob.place])
      try db.execute(sql: "DELETE FROM rubbish WHERE place = ?", arguments: [blob.place])
      try db.noteWhetherNamed(key.name.text, of: key.person)
      try db.add(bytes: blob.size - (old?.size ?? 0), to: key.person, limits)
    }
  }

  func upload(_ key: BlobKey) async throws -> String? {
    try await read { db in
      try String.fetchOne(
        db, sql: "SELECT upload FROM upload WHERE person = ? AND name = ?",
        arguments: [key.person, key.name.text])
    }
  }

  /// How many uploads of a person may have begun.
  private static let maximumUploads = 16

  func setUpload(_ upload: String?, _ key: BlobKey) async throws {
    try await write { db in
      guard let upload else {
        return try db.execute(
          sql: "DELETE FROM upload WHERE person = ? AND name = ?",
          arguments: [key.person, key.name.text])
      }
      let count = try Int.fetchOne(
        db, sql: "SELECT count(*) FROM upload WHERE person = ?", arguments: [key.person])
      guard count ?? 0 < Self.maximumUploads else {
        throw WebError(
          .tooManyRequests, "\(Self.maximumUploads) uploads have begun. Complete one of them first."
        )
      }
      try db.execute(
        sql: "INSERT OR REPLACE INTO upload VALUES (?, ?, ?, ?)",
        arguments: [key.person, key.name.text, upload, Self.now])
    }
  }
}

// MARK: Time

extension SQLiteRecords {
  /// How many rows a sweep takes in one transaction, so that nobody waits for long.
  private static let sweepSize = 1000

  func sweep(at time: Date, limits: Limits) async throws -> Rubbish {
    @Sendable func before(_ age: Duration) -> Int {
      Int(time.timeIntervalSince1970) - Int(age.components.seconds)
    }
    let (window, unnamed, upload) = (
      before(limits.window), before(limits.unnamed), before(limits.upload)
    )
    while try await write({ try $0.forgetVersions(before: window, limit: Self.sweepSize) }) {}
    while try await write({ try $0.forgetDeleted(before: window, limit: Self.sweepSize) }) {}
    while try await write({ try $0.forgetBlobs(before: unnamed, limit: Self.sweepSize) }) {}
    return try await write { db in
      let uploads = try String.fetchAll(
        db, sql: "DELETE FROM upload WHERE begun < ? RETURNING upload", arguments: [upload])
      // An hour: what was reserved a moment ago may still come to be.
      let places = try String.fetchAll(
        db, sql: "SELECT place FROM rubbish WHERE since < ? LIMIT ?",
        arguments: [before(.seconds(3600)), Self.sweepSize])
      return Rubbish(places: places, uploads: uploads)
    }
  }

  func forget(places: [String]) async throws {
    try await write { db in
      for place in places {
        try db.execute(sql: "DELETE FROM rubbish WHERE place = ?", arguments: [place])
      }
    }
  }
}

extension Bool {
  /// Whether a query has a row.
  fileprivate init(_ db: Database, _ sql: String, _ arguments: StatementArguments) throws {
    self = try Row.fetchOne(db, sql: sql, arguments: arguments) != nil
  }
}

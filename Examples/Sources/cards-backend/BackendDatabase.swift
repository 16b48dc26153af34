import Checksums
import Foundation
import GRDB
import HTTPTypes
import WebInterface

/// The database: who may ask, what they have, and every version that there was.
struct BackendDatabase: Sendable {
  private let queue: DatabaseQueue

  /// Opens the database in a folder, which is made for this user alone where it is missing.
  init(in folder: URL) throws {
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    let path = folder.appending(component: "backend.sqlite").path
    queue = try DatabaseQueue(path: path, configuration: configuration)
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { try $0.execute(sql: Self.first) }
    try queue.writeWithoutTransaction { db in
      // What was answered is on the disk.
      try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
    }
    try migrator.migrate(queue)
  }

  /// `version` has a row for every write that there was: a cursor is one of them, so that one of another database, or
  /// of a time after the backup that this one is, is noticed.
  private static let first = """
    CREATE TABLE person (
      key INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      token BLOB NOT NULL UNIQUE,
      bytes INTEGER NOT NULL DEFAULT 0
    );
    CREATE TABLE version (
      person INTEGER NOT NULL,
      number INTEGER NOT NULL,
      tag TEXT NOT NULL,
      PRIMARY KEY (person, number)
    ) WITHOUT ROWID;
    CREATE TABLE record (
      person INTEGER NOT NULL,
      id TEXT NOT NULL,
      number INTEGER NOT NULL,
      tag TEXT NOT NULL,
      isDeleted INTEGER NOT NULL,
      json BLOB NOT NULL,
      PRIMARY KEY (person, id)
    );
    CREATE UNIQUE INDEX recordByNumber ON record (person, number);
    CREATE TABLE picture (
      person INTEGER NOT NULL,
      hash TEXT NOT NULL,
      size INTEGER NOT NULL,
      PRIMARY KEY (person, hash)
    ) WITHOUT ROWID;
    """

  func read<T: Sendable>(_ body: @Sendable @escaping (Database) throws -> T) async throws -> T {
    do { return try await queue.read(body) } catch { throw Self.webError(error) }
  }

  func write<T: Sendable>(_ body: @Sendable @escaping (Database) throws -> T) async throws -> T {
    do { return try await queue.write(body) } catch { throw Self.webError(error) }
  }

  /// Without SQL, whose arguments are what is on the cards.
  private static func webError(_ error: any Error) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    if error.resultCode == .SQLITE_FULL { return WebError.diskFull }
    return WebError(
      .serviceUnavailable, "The server's database has a problem (\(error.resultCode)).")
  }

  /// Lets a person in with a token, of which only a hash is kept.
  func setToken(_ token: String, for name: String) async throws {
    try await write { db in
      try db.execute(
        sql: """
          INSERT INTO person (name, token) VALUES (?, ?)
          ON CONFLICT (name) DO UPDATE SET token = excluded.token
          """, arguments: [name, Self.hash(token)])
    }
  }

  /// Who has a token; `nil` for nobody.
  func person(with token: String) async throws -> Int64? {
    try await read { db in
      try Int64.fetchOne(
        db, sql: "SELECT key FROM person WHERE token = ?", arguments: [Self.hash(token)])
    }
  }

  private static func hash(_ token: String) -> Data { Data(SHA256.hash(data: Data(token.utf8))) }
}

extension Database {
  /// Counts bytes as the person's, if they have room for them.
  func add(bytes: Int, to person: Int64, _ quota: Quota) throws {
    try execute(
      sql: "UPDATE person SET bytes = bytes + ? WHERE key = ?", arguments: [bytes, person])
    let sum = try Int.fetchOne(
      self, sql: "SELECT bytes FROM person WHERE key = ?", arguments: [person])
    guard bytes <= 0 || sum ?? 0 <= quota.bytes else {
      throw WebError(
        .insufficientStorage,
        "You have no room left here: \(quota.bytes / 1_000_000) MB are yours. Delete photos.")
    }
  }
}

extension HTTPResponse.Status {
  /// The status of WebDAV (RFC 4918) for want of room.
  static let insufficientStorage = Self(code: 507, reasonPhrase: "Insufficient Storage")
}

extension WebError {
  static let diskFull = WebError(
    .insufficientStorage, "The server's disk is full. Its keeper must make room.")
}

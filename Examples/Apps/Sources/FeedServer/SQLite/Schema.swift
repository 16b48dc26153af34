import Foundation
import GRDB
import SharedDatabase

/// The tables.
enum Schema {
  /// Brings a database to the newest tables, or to those of a version.
  static func migrate(_ queue: DatabaseQueue, in folder: URL, upTo version: String? = nil) throws {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { try $0.execute(sql: first) }
    migrator.registerMigration("2") { db in
      try db.execute(sql: second)
      try db.execute(sql: "INSERT INTO server VALUES (?)", arguments: [UUID().uuidString])
      try nameBlobs(db)
    }
    migrator.registerMigration("3") { db in
      // An index counts only for the words that it is made with.
      try db.execute(
        sql: """
          DROP INDEX recordByDeletion;
          CREATE INDEX recordByDeletion ON record (changed) WHERE isDeleted = 1;
          """)
    }
    migrator.registerMigration("4") { db in
      try db.execute(sql: "ALTER TABLE device ADD COLUMN client TEXT")
    }
    // What was answered is on the disk.
    try SharedDatabase.prepare(queue, in: folder, isDurable: true, migrator, upTo: version)
  }

  /// The tables of `cards-backend`, when it had one feed and one token for each person.
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

  /// The tables of several feeds and devices.
  ///
  /// `head` has a row for each person's feed: a write takes the number after its `last`, so that a cursor skips
  /// nothing. `version` has a row for each version of which a client may have a cursor: for those that are there,
  /// and for a time after `replaced` for those that were. No trace of a deleted record up to `floor` is left.
  private static let second = """
    CREATE TABLE server (id TEXT NOT NULL);
    CREATE TABLE device (
      key INTEGER PRIMARY KEY,
      person INTEGER NOT NULL,
      name TEXT NOT NULL,
      token BLOB NOT NULL UNIQUE,
      made INTEGER NOT NULL,
      seen INTEGER,
      UNIQUE (person, name)
    );
    INSERT INTO device (person, name, token, made) SELECT key, 'first', token, unixepoch() FROM person;
    CREATE TABLE head (
      person INTEGER NOT NULL,
      feed TEXT NOT NULL,
      last INTEGER NOT NULL DEFAULT 0,
      floor INTEGER NOT NULL DEFAULT 0,
      records INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (person, feed)
    ) WITHOUT ROWID;
    INSERT INTO head (person, feed, last, records)
      SELECT key, 'cards',
        (SELECT ifnull(max(number), 0) FROM version WHERE person = key),
        (SELECT count(*) FROM record WHERE person = key AND NOT isDeleted)
      FROM person;

    ALTER TABLE record RENAME TO oldRecord;
    DROP INDEX recordByNumber;
    CREATE TABLE record (
      person INTEGER NOT NULL,
      feed TEXT NOT NULL,
      id TEXT NOT NULL,
      number INTEGER NOT NULL,
      tag TEXT NOT NULL,
      isDeleted INTEGER NOT NULL,
      changed INTEGER NOT NULL,
      json BLOB NOT NULL,
      PRIMARY KEY (person, feed, id)
    );
    INSERT INTO record SELECT person, 'cards', id, number, tag, isDeleted, unixepoch(), json FROM oldRecord;
    DROP TABLE oldRecord;
    CREATE UNIQUE INDEX recordByNumber ON record (person, feed, number);
    CREATE INDEX recordByDeletion ON record (changed) WHERE isDeleted;

    ALTER TABLE version RENAME TO oldVersion;
    CREATE TABLE version (
      person INTEGER NOT NULL,
      feed TEXT NOT NULL,
      number INTEGER NOT NULL,
      tag TEXT NOT NULL,
      replaced INTEGER,
      PRIMARY KEY (person, feed, number)
    ) WITHOUT ROWID;
    INSERT INTO version
      SELECT person, 'cards', number, tag, CASE WHEN EXISTS (
        SELECT 1 FROM record WHERE record.person = oldVersion.person AND feed = 'cards'
          AND record.number = oldVersion.number) THEN NULL ELSE unixepoch() END
      FROM oldVersion;
    DROP TABLE oldVersion;
    CREATE INDEX versionByReplacement ON version (replaced) WHERE replaced IS NOT NULL;

    CREATE TABLE blob (
      person INTEGER NOT NULL,
      name TEXT NOT NULL,
      size INTEGER NOT NULL,
      type TEXT NOT NULL,
      place TEXT NOT NULL,
      unnamed INTEGER,
      PRIMARY KEY (person, name)
    ) WITHOUT ROWID;
    INSERT INTO blob
      SELECT person, hash, size, 'image/jpeg', 'pictures/' || person || '/' || hash || '.jpg', unixepoch()
      FROM picture;
    DROP TABLE picture;
    CREATE INDEX blobByTime ON blob (unnamed) WHERE unnamed IS NOT NULL;
    CREATE TABLE naming (
      person INTEGER NOT NULL,
      feed TEXT NOT NULL,
      id TEXT NOT NULL,
      name TEXT NOT NULL,
      PRIMARY KEY (person, feed, id, name)
    ) WITHOUT ROWID;
    CREATE INDEX namingByBlob ON naming (person, name);
    CREATE TABLE upload (
      person INTEGER NOT NULL,
      name TEXT NOT NULL,
      upload TEXT NOT NULL,
      begun INTEGER NOT NULL,
      PRIMARY KEY (person, name)
    ) WITHOUT ROWID;
    CREATE TABLE rubbish (place TEXT PRIMARY KEY, since INTEGER NOT NULL) WITHOUT ROWID;

    CREATE TABLE newPerson (
      key INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      bytes INTEGER NOT NULL DEFAULT 0
    );
    INSERT INTO newPerson SELECT key, name,
        (SELECT ifnull(sum(length(json)), 0) FROM record WHERE person = key AND NOT isDeleted)
        + (SELECT ifnull(sum(size), 0) FROM blob WHERE person = key)
      FROM person;
    DROP TABLE person;
    ALTER TABLE newPerson RENAME TO person;
    """

  /// Notes what the records name that were there before.
  private static func nameBlobs(_ db: Database) throws {
    let rows = try Row.fetchCursor(db, sql: "SELECT person, id, json FROM record")
    while let row = try rows.next() {
      for name in SentRecord.named(in: row["json"]) {
        try db.execute(
          sql: "INSERT INTO naming VALUES (?, 'cards', ?, ?)",
          arguments: [row["person"] as Int64, row["id"] as String, name.text])
      }
    }
    try db.execute(
      sql: """
        UPDATE blob SET unnamed = NULL WHERE EXISTS (
          SELECT 1 FROM naming WHERE naming.person = blob.person AND naming.name = blob.name)
        """)
  }
}

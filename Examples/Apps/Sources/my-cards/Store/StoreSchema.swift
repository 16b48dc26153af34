import Foundation
import GRDB

/// The database's tables, and how each version came from the one before.
enum StoreSchema {
  static var migrations: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { db in
      try db.execute(sql: first)
      let wallet = UUID().uuidString.lowercased()
      try db.execute(sql: "INSERT INTO wallet VALUES (?)", arguments: [wallet])
    }
    migrator.registerMigration("2") { db in
      // Since when it looks old.
      try db.execute(sql: "ALTER TABLE former ADD COLUMN old REAL")
      try db.execute(sql: "ALTER TABLE backend ADD COLUMN account BLOB")
    }
    migrator.registerMigration("3") { try $0.execute(sql: third) }
    return migrator
  }

  /// The columns of `record` beside `json` are made from it.
  ///
  /// `former` is a card as it was when it was deleted here, for undo. `base` is a backend's last version of a record
  /// that is known here: a record waits to be sent where its edit is another, so that the queue needs no table.
  /// `offer` are versions that were sent since, whether they arrived or not; `refusal` is one that the backend
  /// doesn't take. `seen` are the versions that a record's present one comes from.
  private static let first = """
    CREATE TABLE wallet (id TEXT NOT NULL);
    CREATE TABLE record (
      id TEXT PRIMARY KEY,
      edit TEXT NOT NULL,
      content BLOB NOT NULL,
      json BLOB NOT NULL,
      isDeleted INTEGER NOT NULL,
      isStarred INTEGER NOT NULL,
      isArchived INTEGER NOT NULL,
      isKept INTEGER NOT NULL,
      sortKey TEXT NOT NULL,
      searchText TEXT NOT NULL
    );
    CREATE INDEX recordByName ON record (isDeleted, isStarred DESC, sortKey, id);
    CREATE INDEX recordByKept ON record (id) WHERE isKept;
    CREATE TABLE membership (
      name TEXT NOT NULL,
      card TEXT NOT NULL REFERENCES record (id) ON DELETE CASCADE,
      PRIMARY KEY (name, card)
    ) WITHOUT ROWID;
    CREATE INDEX membershipByCard ON membership (card);
    CREATE TABLE former (
      id TEXT PRIMARY KEY,
      json BLOB NOT NULL,
      isSame INTEGER NOT NULL,
      date REAL NOT NULL
    );

    CREATE TABLE backend (
      key INTEGER PRIMARY KEY,
      address TEXT NOT NULL UNIQUE,
      cursor TEXT,
      honoursConditions INTEGER
    );
    CREATE TABLE base (
      backend INTEGER NOT NULL,
      id TEXT NOT NULL,
      edit TEXT NOT NULL,
      etag TEXT NOT NULL,
      json BLOB NOT NULL,
      PRIMARY KEY (backend, id)
    ) WITHOUT ROWID;
    CREATE TABLE offer (
      backend INTEGER NOT NULL,
      id TEXT NOT NULL,
      edit TEXT NOT NULL,
      json BLOB NOT NULL,
      PRIMARY KEY (id, edit, backend)
    ) WITHOUT ROWID;
    CREATE TABLE seen (
      id TEXT NOT NULL,
      edit TEXT NOT NULL,
      content BLOB NOT NULL,
      PRIMARY KEY (id, edit)
    ) WITHOUT ROWID;
    CREATE TABLE refusal (
      backend INTEGER NOT NULL,
      id TEXT NOT NULL,
      edit TEXT NOT NULL,
      reason TEXT NOT NULL,
      PRIMARY KEY (backend, id)
    ) WITHOUT ROWID;
    CREATE TABLE sentPicture (
      backend INTEGER NOT NULL,
      hash TEXT NOT NULL,
      PRIMARY KEY (backend, hash)
    ) WITHOUT ROWID;
    CREATE TABLE wantedPicture (hash TEXT PRIMARY KEY) WITHOUT ROWID;
    """

  /// One table for the states of pictures, and an order of `seen`.
  ///
  /// `picture` has the state of a picture here (place 0) or at a backend, and a card that names it. Of `seen` the
  /// oldest go.
  private static let third = """
    CREATE TABLE picture (
      place INTEGER NOT NULL,
      hash TEXT NOT NULL,
      state TEXT NOT NULL,
      card TEXT,
      reason TEXT,
      PRIMARY KEY (place, hash)
    ) WITHOUT ROWID;
    INSERT INTO picture (place, hash, state) SELECT 0, hash, 'wanted' FROM wantedPicture;
    INSERT INTO picture (place, hash, state) SELECT backend, hash, 'sent' FROM sentPicture;
    DROP TABLE wantedPicture;
    DROP TABLE sentPicture;
    CREATE TABLE seenInOrder (
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL,
      edit TEXT NOT NULL,
      content BLOB NOT NULL,
      UNIQUE (id, edit)
    );
    INSERT INTO seenInOrder (id, edit, content) SELECT id, edit, content FROM seen;
    DROP TABLE seen;
    ALTER TABLE seenInOrder RENAME TO seen;
    CREATE INDEX seenByAge ON seen (id, number);
    """
}

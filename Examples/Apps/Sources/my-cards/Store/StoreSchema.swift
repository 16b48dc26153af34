import FeedSync
import Foundation
import GRDB

/// The database's tables, and how each version came from the one before.
enum StoreSchema {
  static var migrations: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { db in
      try db.execute(sql: first + FeedTables.first)
      let wallet = UUID().uuidString.lowercased()
      try db.execute(sql: "INSERT INTO wallet VALUES (?)", arguments: [wallet])
    }
    migrator.registerMigration("2") { db in
      // Since when it looks old.
      try db.execute(sql: "ALTER TABLE former ADD COLUMN old REAL")
      try db.execute(sql: FeedTables.second)
    }
    migrator.registerMigration("3") { try $0.execute(sql: third + FeedTables.third) }
    migrator.registerMigration("4") { try $0.execute(sql: fourth) }
    return migrator
  }

  /// The columns of `record` beside `json` are made from it.
  ///
  /// `former` is a card as it was when it was deleted here, for undo. `seen` are the versions that a record's present
  /// one comes from.
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
    CREATE TABLE seen (
      id TEXT NOT NULL,
      edit TEXT NOT NULL,
      content BLOB NOT NULL,
      PRIMARY KEY (id, edit)
    ) WITHOUT ROWID;
    """

  /// An order of `seen`, of which the oldest go.
  private static let third = """
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

  /// Pictures of half-typed forms, each in a browser, and when that one last had it.
  private static let fourth = """
    CREATE TABLE draft (
      id TEXT NOT NULL,
      hash TEXT NOT NULL,
      date REAL NOT NULL,
      PRIMARY KEY (id, hash)
    ) WITHOUT ROWID;
    """
}

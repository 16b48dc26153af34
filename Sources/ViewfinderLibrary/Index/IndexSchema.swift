import GRDB

/// The index's tables.
///
/// Programs that were built with different versions share an index. So a migration only adds tables, indexes, and
/// columns that have a default; it never takes away or renames, and never changes what a column means. What can't be
/// done so gets another file name (``IndexFile``).
enum IndexSchema {
  /// All that there are, in their order: one that has been released is never changed.
  private static let migrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("tables") { db in
      try db.execute(sql: tables)
      // Lists that are being shown know versions of the log of an index before this one: they are lower.
      try db.execute(
        sql: "INSERT INTO sqlite_sequence (name, seq) VALUES ('change', ?)",
        arguments: [Int64.now / 1000])
    }
    return migrator
  }()

  /// Whether an index has all tables and columns of this version; it may have those of later ones.
  static func isReady(_ db: Database) throws -> Bool { try migrator.hasCompletedMigrations(db) }

  static func migrate(_ pool: DatabasePool) throws { try migrator.migrate(pool) }

  /// Folders have absolute paths; one that can't be reached has the time since then in `absent`.
  ///
  /// A `file` that is gone stays for a while with the time in `removed`: it may
  /// come back, or turn up elsewhere, and lists that are being shown still name it. The asset's own
  /// columns are those of its default file. What is said of a `stale` one may be wrong: the next scan reads it.
  private static let tables = """
    CREATE TABLE folder (
      id INTEGER PRIMARY KEY,
      path BLOB NOT NULL UNIQUE,
      device INTEGER NOT NULL,
      inCameraRoll INTEGER NOT NULL,
      absent INTEGER NOT NULL DEFAULT 0
    );
    CREATE TABLE file (
      row INTEGER PRIMARY KEY AUTOINCREMENT,
      folder INTEGER NOT NULL,
      name BLOB NOT NULL,
      size INTEGER NOT NULL,
      device INTEGER NOT NULL,
      inode INTEGER NOT NULL,
      modified INTEGER NOT NULL,
      changed INTEGER NOT NULL,
      content BLOB NOT NULL,
      id BLOB NOT NULL UNIQUE,
      asset BLOB NOT NULL,
      stem BLOB NOT NULL,
      role INTEGER NOT NULL,
      isItem INTEGER NOT NULL,
      isDefault INTEGER NOT NULL DEFAULT 0,
      isBurst INTEGER NOT NULL DEFAULT 0,
      added INTEGER NOT NULL,
      removed INTEGER NOT NULL DEFAULT 0,
      stale INTEGER NOT NULL DEFAULT 0,
      isIncomplete INTEGER NOT NULL DEFAULT 0,
      mimeType TEXT,
      kind TEXT,
      extension TEXT,
      width INTEGER,
      height INTEGER,
      orientation INTEGER NOT NULL,
      date INTEGER NOT NULL,
      localSeconds INTEGER,
      nanoseconds INTEGER,
      offset INTEGER,
      dateSource TEXT,
      latitude REAL,
      longitude REAL,
      altitude REAL,
      duration REAL,
      previewStart INTEGER,
      previewEnd INTEGER,
      thumbnailStart INTEGER,
      thumbnailEnd INTEGER,
      motionStart INTEGER,
      motionEnd INTEGER,
      contentIdentifier TEXT,
      sidecar INTEGER,
      camera TEXT,
      damage TEXT,
      isScreenshot INTEGER NOT NULL
    );
    CREATE UNIQUE INDEX fileByName ON file (folder, name) WHERE removed = 0;
    CREATE INDEX fileByStem ON file (folder, stem) WHERE removed = 0;
    CREATE INDEX fileByAsset ON file (asset);
    CREATE INDEX fileByContent ON file (content);
    CREATE INDEX removedFile ON file (removed) WHERE removed <> 0;
    CREATE INDEX assetByDate ON file (date, row) WHERE isDefault = 1;
    CREATE INDEX assetByName ON file (name, row) WHERE isDefault = 1;
    CREATE INDEX assetByAdded ON file (added, row) WHERE isDefault = 1;
    CREATE INDEX assetByKind ON file (kind, date, row) WHERE isDefault = 1;
    CREATE INDEX assetByFolder ON file (folder, date, row, kind) WHERE isDefault = 1;
    CREATE INDEX assetByScreenshot ON file (date, row) WHERE isDefault = 1 AND isScreenshot = 1;
    CREATE INDEX assetByBurst ON file (date, row) WHERE isDefault = 1 AND isBurst = 1;

    CREATE TABLE album (
      id BLOB PRIMARY KEY,
      name TEXT NOT NULL,
      path BLOB NOT NULL,
      size INTEGER NOT NULL,
      inode INTEGER NOT NULL,
      modified INTEGER NOT NULL,
      missing INTEGER NOT NULL
    );
    CREATE TABLE member (
      album BLOB NOT NULL,
      position INTEGER NOT NULL,
      asset BLOB NOT NULL,
      PRIMARY KEY (album, position)
    ) WITHOUT ROWID;
    CREATE INDEX memberByAsset ON member (asset);

    CREATE TABLE checksum (
      file INTEGER PRIMARY KEY,
      size INTEGER NOT NULL,
      modified INTEGER NOT NULL,
      hash BLOB NOT NULL,
      since INTEGER NOT NULL
    );

    CREATE TABLE change (
      version INTEGER PRIMARY KEY AUTOINCREMENT,
      subject BLOB NOT NULL,
      kind INTEGER NOT NULL
    );
    """
}

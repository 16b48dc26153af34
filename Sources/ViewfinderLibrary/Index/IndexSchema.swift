import GRDB

/// The index's tables.
enum IndexSchema {
  /// Raise it with every change: the library makes an index of another version again.
  static let version = 5

  static func create(in db: Database) throws {
    try db.execute(sql: tables)
    try db.execute(sql: "PRAGMA user_version = \(version)")
  }

  /// Takes everything out.
  ///
  /// Keys are never used again: lists that are being shown have them. The gap in the log tells its readers that
  /// everything has changed.
  static func empty(_ db: Database) throws {
    for table in ["folder", "file", "album", "member", "change"] {
      try db.execute(sql: "DELETE FROM \(table)")
    }
    try db.execute(sql: "UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'change'")
  }

  /// Folders have absolute paths.
  ///
  /// A `file` that is gone stays for a while with the time in `removed`: it may
  /// come back, or turn up elsewhere, and lists that are being shown still name it. The asset's own
  /// columns are those of its default file.
  private static let tables = """
    CREATE TABLE folder (
      id INTEGER PRIMARY KEY,
      path BLOB NOT NULL UNIQUE,
      device INTEGER NOT NULL,
      inCameraRoll INTEGER NOT NULL
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
      latitude REAL,
      longitude REAL,
      altitude REAL,
      duration REAL,
      previewStart INTEGER,
      previewEnd INTEGER,
      thumbnailStart INTEGER,
      thumbnailEnd INTEGER,
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

    CREATE TABLE change (
      version INTEGER PRIMARY KEY AUTOINCREMENT,
      subject BLOB NOT NULL,
      kind INTEGER NOT NULL
    );
    """
}

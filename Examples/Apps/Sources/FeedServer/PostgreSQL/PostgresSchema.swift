import Foundation

/// The tables, as ``Schema`` explains them.
///
/// What is people's is in parts by a hash of the person, so that parts can be put elsewhere when one computer is too
/// small for all.
enum PostgresSchema {
  /// Brings a database to the newest tables; others who do the same wait.
  static func migrate(_ connection: PostgresConnection) throws {
    try connection.run("BEGIN")
    // Any number that nobody else locks: the letters "feed".
    try connection.run("SELECT pg_advisory_xact_lock(\(0x6665_6564))")
    try connection.run(
      """
      SET LOCAL client_min_messages = warning;
      CREATE TABLE IF NOT EXISTS migration (number INTEGER PRIMARY KEY)
      """)
    let made = try connection.rows("SELECT number FROM migration", []).map { $0.integer(0) }
    for (index, statements) in migrations.enumerated() where !made.contains(index + 1) {
      try connection.run(statements)
      try connection.run("INSERT INTO migration VALUES (\(index + 1))")
    }
    try connection.run("COMMIT")
  }

  /// In how many parts a table is.
  private static let parts = 16

  private static let migrations = [first, "ALTER TABLE device ADD COLUMN client TEXT"]

  private static var first: String {
    """
    CREATE TABLE server (id TEXT NOT NULL);
    INSERT INTO server VALUES (gen_random_uuid());
    CREATE TABLE person (
      key BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      bytes BIGINT NOT NULL DEFAULT 0
    ) WITH (fillfactor = 80);
    CREATE TABLE device (
      key BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      person BIGINT NOT NULL,
      name TEXT NOT NULL,
      token BYTEA NOT NULL UNIQUE,
      made BIGINT NOT NULL,
      seen BIGINT,
      UNIQUE (person, name)
    ) WITH (fillfactor = 80);
    CREATE TABLE rubbish (place TEXT PRIMARY KEY, since BIGINT NOT NULL);
    CREATE INDEX rubbishByTime ON rubbish (since);
    """
      + table(
        "head",
        """
        feed TEXT NOT NULL,
        last BIGINT NOT NULL DEFAULT 0,
        floor BIGINT NOT NULL DEFAULT 0,
        records BIGINT NOT NULL DEFAULT 0,
        PRIMARY KEY (person, feed)
        """)
      + table(
        "record",
        """
        feed TEXT NOT NULL,
        id TEXT NOT NULL,
        number BIGINT NOT NULL,
        tag TEXT NOT NULL,
        isDeleted SMALLINT NOT NULL,
        changed BIGINT NOT NULL,
        json BYTEA NOT NULL,
        PRIMARY KEY (person, feed, id)
        """)
        + """
        CREATE UNIQUE INDEX recordByNumber ON record (person, feed, number);
        CREATE INDEX recordByDeletion ON record (changed) WHERE isDeleted = 1;
        """
      + table(
        "version",
        """
        feed TEXT NOT NULL,
        number BIGINT NOT NULL,
        tag TEXT NOT NULL,
        replaced BIGINT,
        PRIMARY KEY (person, feed, number)
        """)
      + "CREATE INDEX versionByReplacement ON version (replaced) WHERE replaced IS NOT NULL;"
      + table(
        "blob",
        """
        name TEXT NOT NULL,
        size BIGINT NOT NULL,
        type TEXT NOT NULL,
        place TEXT NOT NULL,
        unnamed BIGINT,
        PRIMARY KEY (person, name)
        """)
      + "CREATE INDEX blobByTime ON blob (unnamed) WHERE unnamed IS NOT NULL;"
      + table(
        "naming",
        """
        feed TEXT NOT NULL,
        id TEXT NOT NULL,
        name TEXT NOT NULL,
        PRIMARY KEY (person, feed, id, name)
        """)
      + "CREATE INDEX namingByBlob ON naming (person, name);"
      + table(
        "upload",
        """
        name TEXT NOT NULL,
        upload TEXT NOT NULL,
        begun BIGINT NOT NULL,
        PRIMARY KEY (person, name)
        """)
  }

  private static func table(_ name: String, _ columns: String) -> String {
    let whole =
      "CREATE TABLE \(name) (person BIGINT NOT NULL, \(columns)) PARTITION BY HASH (person);"
    return (0..<parts).reduce(whole) { statements, part in
      statements
        + "CREATE TABLE \(name)_\(part) PARTITION OF \(name) FOR VALUES WITH (MODULUS \(parts), REMAINDER \(part));"
    }
  }
}

import GRDB

/// The tables in which a store remembers what servers have, and how each version of them came from the one before.
///
/// `base` is a server's last version of a record that is known here: a record waits to be sent where its edit is another,
/// so that the queue needs no table. `offer` are versions that were sent and that the server hasn't listed since, whether
/// they arrived or not; `refusal` is one that the server doesn't take. `picture` has the state of a blob here (place 0) or at a server, and a record
/// that names it.
public enum FeedTables {
  /// Tables that have versions of records, in `json`.
  public static let withRecords = ["base", "offer"]

  /// Makes the tables.
  public static let first = """
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

  /// Whose a server's records are.
  public static let second = "ALTER TABLE backend ADD COLUMN account BLOB;"

  /// One table for the states of blobs.
  public static let third = """
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
    """
}

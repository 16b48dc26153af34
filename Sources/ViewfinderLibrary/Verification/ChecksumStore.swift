public import Foundation
import GRDB

/// The checksum of a whole file, and since when it is known.
public struct FileChecksum: Hashable, Sendable {
  /// Where the file is.
  public let fileURL: URL
  /// The XXH3 hash of 128 bits, as 32 hexadecimal digits: what `xxhsum -H128` prints.
  public let hash: String
  /// When the library first read the whole file as it is: since then its bytes are known to be good.
  public let since: Date
}

/// The checksums of whole files in the index.
///
/// A checksum holds as long as the file's size and time of change are what they were. Nothing but another size or
/// time makes a new one: a byte that a disk changes never becomes the right one.
enum ChecksumStore {
  /// What the index has of a file.
  struct Entry: FetchableRecord {
    var hash: FileHash
    var since: Int64

    var date: Date { Date(timeIntervalSince1970: Double(since) / 1_000_000_000) }

    init(row: Row) throws {
      hash = FileHash(bytes: try row.decode(forColumn: "hash"))
      since = try row.decode(forColumn: "since")
    }
  }

  private static let holds = "checksum.size = file.size AND checksum.modified = file.modified"

  /// A file's checksum, if it has one that holds.
  static func entry(of row: Int64, _ db: Database) throws -> Entry? {
    try Entry.fetchOne(
      db.cachedStatement(
        sql:
          "SELECT hash, since FROM checksum JOIN file ON file.row = checksum.file AND \(holds) WHERE file = ?"
      ), arguments: [row])
  }

  /// The next files after a row that have no checksum.
  static func missing(after row: Int64, limit: Int, _ db: Database) throws -> [AssetQueries.Located]
  {
    try AssetQueries.Located.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT \(AssetQueries.columns) FROM file JOIN folder ON folder.id = file.folder
          WHERE file.row > ? AND removed = 0 AND isItem = 1 AND absent = 0 AND isIncomplete = 0
          AND NOT EXISTS (SELECT 1 FROM checksum WHERE checksum.file = file.row AND \(holds))
          ORDER BY file.row LIMIT ?
          """), arguments: [row, limit])
  }

  /// Notes the checksum of a file that was read whole; one of the same bytes keeps its age.
  static func set(_ hash: FileHash, of file: FileRow, _ db: Database) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO checksum (file, size, modified, hash, since) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (file) DO UPDATE SET size = excluded.size, modified = excluded.modified,
        since = CASE WHEN hash = excluded.hash THEN since ELSE excluded.since END, hash = excluded.hash
        """
    ).execute(arguments: [
      file.row, file.status.size, file.status.modified, hash.bytes, Int64.now,
    ])
  }

  /// Forgets the checksums of assets' files.
  static func forget(_ assets: [UUID], _ db: Database) throws {
    for asset in assets {
      try db.execute(
        sql: "DELETE FROM checksum WHERE file IN (SELECT row FROM file WHERE asset = ?)",
        arguments: [asset])
    }
  }

  /// All that hold, in the order of their paths.
  static func all(_ db: Database) throws -> [FileChecksum] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT path, name, hash, since FROM checksum
        JOIN file ON file.row = checksum.file AND \(holds) AND removed = 0
        JOIN folder ON folder.id = file.folder ORDER BY path, name
        """)
    return try rows.map { row in
      let entry = try Entry(row: row)
      return FileChecksum(
        fileURL: try row.path("path").appending(row.path("name")).url, hash: entry.hash.text,
        since: entry.date)
    }
  }
}

import CardModel
import GRDB

extension SyncLink {
  /// The pictures that cards name and that aren't here.
  package func wantedPictures() throws -> [PictureHash] {
    try store.read { table in
      let noted = try String.fetchAll(table.db, sql: "SELECT hash FROM wantedPicture ORDER BY hash")
      // One may have come just before a sudden end, or be named no more.
      let missing = noted.compactMap(PictureHash.init).filter { !store.hasPicture($0) }
      guard !missing.isEmpty else { return [] }
      let named = try RecordTable.pictures(in: ["record"], table.db)
      return missing.filter { named.contains($0.text) }
    }
  }

  /// Whether the backend has a picture, as far as is known.
  package func hasSent(_ hash: PictureHash) throws -> Bool {
    try store.read { table in
      try Bool.fetchOne(
        table.db, sql: "SELECT 1 FROM sentPicture WHERE backend = ? AND hash = ?",
        arguments: [key, hash.text])
    } ?? false
  }

  /// Notes that the backend has a picture.
  package func didSend(_ hash: PictureHash) throws {
    try store.database.write { db in
      try db.execute(
        sql: "INSERT OR IGNORE INTO sentPicture VALUES (?, ?)", arguments: [key, hash.text])
    }
  }
}

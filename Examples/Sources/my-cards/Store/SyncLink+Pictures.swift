import CardModel
import GRDB

extension SyncLink {
  /// The pictures that cards name and that aren't here.
  package func wantedPictures() throws -> [PictureHash] {
    try store.read { table in
      try String.fetchAll(table.db, sql: "SELECT hash FROM wantedPicture ORDER BY hash")
    }.compactMap(PictureHash.init)
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

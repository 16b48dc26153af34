import CardModel
import GRDB

extension SyncLink {
  /// The pictures that cards name and that aren't here.
  package func wantedPictures() throws -> [PictureHash] {
    try store.read { table in
      // One may have come just before a sudden end.
      try table.pictures([.wanted, .damaged], at: RecordTable.here).map(\.hash)
        .filter { !store.hasPicture($0) }
    }
  }

  /// The pictures that are here, and that the backend may lack.
  package func waitingPictures() throws -> [PictureHash] {
    try store.read { table in
      try table.pictures([.sending], at: key).map(\.hash).filter(store.hasPicture)
    }
  }

  /// Notes that the backend has a picture.
  package func didSend(_ hash: PictureHash) throws {
    try store.database.write { db in
      try RecordTable(db: db, wallet: store.wallet).note(.sent, hash, at: key)
    }
  }

  /// Notes that the backend doesn't take a picture.
  package func didRefuse(_ hash: PictureHash, reason: String) throws {
    try store.database.write { db in
      try RecordTable(db: db, wallet: store.wallet).note(.refused, hash, at: key, reason: reason)
    }
  }
}

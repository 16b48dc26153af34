import CardModel
import Foundation
import GRDB

extension CardStore {
  /// Adds a picture.
  ///
  /// - Parameter jpeg: A whole JPEG of 16 MB at most.
  /// - Returns: Its name; the same picture has the same.
  /// - Throws: ``CardStoreError/notAPicture(reason:)`` for other bytes.
  public func addPicture(_ jpeg: Data) throws -> PictureHash {
    if let problem = JPEGCheck.problem(of: jpeg) {
      throw CardStoreError.notAPicture(reason: problem)
    }
    let hash = PictureHash(of: jpeg)
    try pictures.write(jpeg, as: hash)
    if try isWanted(hash) {
      try change { table in
        try table.db.execute(
          sql: "DELETE FROM wantedPicture WHERE hash = ?", arguments: [hash.text])
      }
    }
    return hash
  }

  /// A picture's bytes; `nil` when it isn't here, or isn't whole any more: then it is wanted from the backend.
  public func picture(_ hash: PictureHash) throws -> Data? {
    switch try pictures.read(hash) {
    case .whole(let data): return data
    case .missing: return nil
    case .damaged:
      try change { table in
        try table.db.execute(
          sql: "INSERT OR IGNORE INTO wantedPicture VALUES (?)", arguments: [hash.text])
      }
      return nil
    }
  }

  /// Whether a picture is here, without reading it.
  public func hasPicture(_ hash: PictureHash) -> Bool { pictures.has(hash) }

  private func isWanted(_ hash: PictureHash) throws -> Bool {
    try read { table in
      try Bool.fetchOne(
        table.db, sql: "SELECT 1 FROM wantedPicture WHERE hash = ?", arguments: [hash.text])
    } ?? false
  }
}

import CardModel
import Foundation
import GRDB

extension CardStore {
  /// How long pictures of a half-typed form stay when its browser is never heard of again, in seconds: one that was
  /// cleared doesn't say that the form is gone.
  static let draftTime = 365.0 * 86_400

  /// Keeps the pictures of a half-typed form, which no card names yet, until the form has others or is given up.
  ///
  /// - Parameters:
  ///   - id: Names the form.
  ///   - named: All of its pictures; none when it was saved or given up.
  /// - Returns: The ones that aren't here.
  /// - Throws: ``CardStoreError``.
  public func keepDraft(_ id: UUID, pictures named: Set<PictureHash>) throws -> Set<PictureHash> {
    let time = now().timeIntervalSince1970
    try database.write { db in
      try db.execute(sql: "DELETE FROM draft WHERE id = ?", arguments: [id.key])
      for hash in named {
        try db.execute(
          sql: "INSERT INTO draft VALUES (?, ?, ?)", arguments: [id.key, hash.text, time])
      }
    }
    return named.filter { !hasPicture($0) }
  }
}

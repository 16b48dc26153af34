import CardModel
import FeedSync
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
    if try read({ try BlobStates($0).isWanted(hash) }) {
      try change { try BlobStates($0.db).didCome(hash) }
    }
    return hash
  }

  /// A picture's bytes; `nil` when it isn't here, or isn't whole any more: then it is wanted from the backend.
  public func picture(_ hash: PictureHash) throws -> Data? {
    switch try pictures.read(hash) {
    case .whole(let data): return data
    case .missing: return nil
    case .damaged:
      try change { try BlobStates($0.db).note(.damaged, hash, at: BlobStates.here) }
      return nil
    }
  }

  /// Whether a picture is here, without reading it.
  public func hasPicture(_ hash: PictureHash) -> Bool { pictures.has(hash) }
}

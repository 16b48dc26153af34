import CardModel

/// Why the store can't do what was asked, in words that say what to do and never tell what is on a card.
public enum CardStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The card isn't valid yet.
  case incomplete([CardProblem])
  /// The card refers to a picture that was never added.
  case missingPicture(PictureHash)
  /// The bytes aren't a whole JPEG of a size that is taken.
  case notAPicture(reason: String)
  /// The card was deleted meanwhile, here or in another wallet.
  case deleted
  /// A newer version of the program made the store.
  case newerSchema(path: String)
  /// The disk has no room left.
  case diskFull
  /// Another program keeps the store busy.
  case busy
  /// The database isn't one any more.
  case damaged(path: String)
  /// The folder or a file in it can't be used.
  case unusable(path: String, reason: String)

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .incomplete(let problems): problems.map(\.description).joined(separator: " ")
    case .missingPicture: "A photo of the card isn't there. Take or choose it again."
    case .notAPicture(let reason): "That isn't a photo that can be kept: \(reason)."
    case .deleted: "The card was deleted meanwhile. Save what you have as a new card."
    case .newerSchema(let path):
      "A newer version of this program made the cards in \(path). Use that version."
    case .diskFull:
      "The disk with the cards is full. Free some space there and try again; nothing is lost."
    case .busy: "Another program is writing to the cards and doesn't come to an end. Try again."
    case .damaged(let path):
      "The cards in \(path) are damaged. Put a backup there, or move the folder away and sync."
    case .unusable(let path, let reason): "The cards in \(path) can't be used: \(reason)."
    }
  }
}

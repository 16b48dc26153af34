import CardModel
import Foundation
import Synchronization

/// The cards that were listed, so that their JSON is parsed once.
final class CardMemory: Sendable {
  private let cards = Mutex<[String: (content: Data, card: Card)]>([:])

  /// The card of a record whose content has a hash.
  func card(_ id: String, content: Data, parse: () throws -> Card?) rethrows -> Card? {
    if let known = cards.withLock({ $0[id] }), known.content == content { return known.card }
    guard let card = try parse() else { return nil }
    cards.withLock { $0[id] = (content, card) }
    return card
  }
}

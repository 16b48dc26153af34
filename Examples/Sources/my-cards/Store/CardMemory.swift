import CardModel
import Foundation
import GRDB
import Synchronization

/// The cards that were listed, so that their JSON is parsed once.
final class CardMemory: Sendable {
  private let cards = Mutex<[String: (content: Data, card: Card)]>([:])

  /// The card of a record whose content has this hash.
  func card(_ key: String, content: Data, in table: RecordTable) throws -> Card? {
    if let known = cards.withLock({ $0[key] }), known.content == content { return known.card }
    guard let card = try UUID(uuidString: key).flatMap(table.record)?.card else { return nil }
    cards.withLock { $0[key] = (content, card) }
    return card
  }
}

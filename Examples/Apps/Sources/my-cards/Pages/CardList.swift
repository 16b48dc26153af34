import CardModel
import CardStore
import Foundation
import HTTPTypes
import Hummingbird
import Synchronization
import WebServing

/// All cards in one answer, which a page asks for anew after a change and gets only if it is another one.
final class CardList: Sendable {
  /// A card as JSON, and what that was made of.
  private struct Known {
    var card: Card
    var kept: [KeptCopy]
    var isWhole: Bool
    var json: Data
  }

  /// What comes before and after the cards.
  private struct Frame: Encodable {
    /// Whose cards they are: a browser that kept another's forgets those.
    var wallet: String
    /// Cards that were changed here and deleted on another device.
    var lost: [KeptReport]
  }

  private let store: CardStore
  private let known = Mutex<[UUID: Known]>([:])

  init(_ store: CardStore) { self.store = store }

  /// Makes the list before a page asks for it; what keeps it from being made is told to the page.
  func prepare() { _ = try? json() }

  /// Answers with the list, or that it is the one that the page has.
  func response(to request: Request) throws -> Response {
    let data = try json()
    return Response.tagged(
      Response.entityTag(of: data), type: "application/json", for: request,
      headers: [.cacheControl: "private, no-cache"], ByteBuffer(bytes: data))
  }

  private func json() throws -> Data {
    let cards = try store.cards(.all)
    let kept = Dictionary(grouping: try store.keptCopies(), by: \.card)
    // Who deleted a card knows that it is.
    let lost = kept.values.joined().filter { $0.field == nil && $0.isOwn }.map(KeptReport.init)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var data = try encoder.encode(Frame(wallet: store.device, lost: lost))
    data.removeLast()
    data.append(contentsOf: Data(#","cards":["#.utf8))
    try known.withLock { known in
      var current: [UUID: Known] = [:]
      for card in cards {
        let copies = (kept[card.id] ?? []).filter { $0.field != nil }
        let entry = try self.entry(card, copies, known[card.id], encoder)
        if !current.isEmpty { data.append(UInt8(ascii: ",")) }
        data.append(entry.json)
        current[card.id] = entry
      }
      known = current
    }
    data.append(contentsOf: Data("]}".utf8))
    return data
  }

  /// The entry from before where nothing is new; pictures may come later than their card.
  private func entry(
    _ card: Card, _ kept: [KeptCopy], _ before: Known?, _ encoder: JSONEncoder
  ) throws -> Known {
    if let before, before.isWhole, before.card == card, before.kept == kept { return before }
    let report = CardReport(card, kept: kept, in: store)
    let isWhole =
      (card.front == nil || report.front != nil) && (card.back == nil || report.back != nil)
    return Known(card: card, kept: kept, isWhole: isWhole, json: try encoder.encode(report))
  }
}

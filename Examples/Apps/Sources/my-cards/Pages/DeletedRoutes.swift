import CardModel
import CardStore
import Foundation
import Hummingbird
import WebServing

/// Cards that were deleted and can be brought back.
struct DeletedRoutes: Sendable {
  private struct Report: Encodable {
    var id: String
    var name: String
    var headerColor: String?
    var barcodeType: String?
    /// The front's picture; `nil` where it isn't here.
    var front: String?
    /// For how many days it stays.
    var days: Int

    init(_ deleted: DeletedCard, in store: CardStore) {
      let card = deleted.card
      id = card.id.uuidString.lowercased()
      name = String(card.name.prefix(Card.fields.name.field.limit ?? 200))
      headerColor = card.headerColor?.description
      barcodeType = card.barcodeType?.rawValue
      front = card.front.flatMap { store.hasPicture($0.picture) ? $0.picture.text : nil }
      let left = (deleted.end.timeIntervalSince(store.now()) / 86_400).rounded(.up)
      days = Int(min(30, max(0, left)))
    }
  }

  private let store: CardStore

  init(_ store: CardStore) { self.store = store }

  func add(to router: some RouterMethods<WebContext>) {
    router.get("deleted") { _, _ in
      try Response.json(store.deletedCards().map { Report($0, in: store) })
    }
    router.delete("deleted") { _, _ in
      try store.forgetDeleted()
      return Response(status: .noContent)
    }
  }
}

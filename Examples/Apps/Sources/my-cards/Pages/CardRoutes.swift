import CardBarcodes
import CardModel
import CardStore
import Foundation
import Hummingbird
import WebServing

/// The cards: listed, shown, saved, deleted.
struct CardRoutes: Sendable {
  private let store: CardStore

  init(_ store: CardStore) { self.store = store }

  func add(to router: some RouterMethods<WebContext>) {
    router.get("cards") { request, _ in try Response.json(list(request.uri.queryParameters)) }
    router.get("cards/:id") { _, context in
      let card = try card(context)
      return try Response.json(CardReport(card, kept: store.keptCopies(of: card.id)))
    }
    router.put("cards/:id") { request, context in
      try await save(identifier(context), Data(buffer: request.body.collect(upTo: 1 << 20)))
      return Response(status: .noContent)
    }
    router.delete("cards/:id") { _, context in
      try store.delete(card(context).id)
      return Response(status: .noContent)
    }
    router.post("cards/:id/undelete") { _, context in
      let card = try store.undelete(identifier(context))
      guard let card else { throw WebError(.notFound, "The card can't be brought back.") }
      return try Response.json(["id": card.id])
    }
    router.post("cards/:id/shown") { _, context in
      let present = try card(context)
      var card = present
      card.lastUsed = Date()
      // What came from elsewhere in between isn't lost.
      try store.save(card, changedFrom: present)
      return Response(status: .noContent)
    }
    router.get("cards/:id/barcode.svg") { _, context in try await barcode(try card(context)) }
    router.post("kept/:id/:action") { _, context in
      try settle(context.parameters.require("id"), context.parameters.require("action"))
      return Response(status: .noContent)
    }
  }

  private func list(_ query: Parameters) throws -> CardListReport {
    var filter = CardStore.Filter()
    filter.text = query["text"].map(String.init) ?? ""
    filter.group = query["group"].map(String.init)
    filter.isArchived = query["archived"] == "true"
    let today = CardDate.today
    let cards = try store.cards(filter).map { CardSummary($0, today: today, in: store) }
    var all = CardStore.Filter()
    all.isArchived = nil
    return CardListReport(
      cards: cards,
      groups: try store.groups().map { .init(name: $0.name, count: $0.count) },
      isEmpty: try cards.isEmpty && store.cards(all).isEmpty,
      lost: try store.keptCopies(of: nil).filter { $0.field == nil }.map(KeptReport.init))
  }

  /// Saves what a page changed: `{changes, before}`, members as they are to be and as the page got them.
  ///
  /// A card that isn't there is made: its identifier comes from the page, so that asking twice makes one.
  private func save(_ id: UUID, _ body: Data) throws {
    guard let body = try? JSONValue(parsing: body).object, let changes = body["changes"] else {
      throw WebError(.badRequest, "A change of a card is {changes, before}.")
    }
    let present = try store.card(id)
    var card = present ?? Card(id: id)
    // What came from elsewhere while somebody typed isn't lost.
    var original = present
    for name in (changes.object ?? [:]).keys {
      original?.members[name] = body["before"]?.object?[name]
    }
    try CardChange(changes).apply(to: &card)
    try store.save(card, changedFrom: original)
  }

  private func identifier(_ context: WebContext) throws -> UUID {
    guard let id = UUID(uuidString: try context.parameters.require("id")) else {
      throw WebError(.badRequest, "A card's identifier is a UUID.")
    }
    return id
  }

  private func card(_ context: WebContext) throws -> Card {
    guard let card = try store.card(identifier(context)) else {
      throw WebError(.notFound, "The card is gone: it was deleted, perhaps on another device.")
    }
    return card
  }

  private func barcode(_ card: Card) async throws -> Response {
    guard let type = card.barcodeType else {
      throw WebError(.notFound, "The card has no bar code. Choose its kind under Edit.")
    }
    let drawing = try BarcodeDrawing(of: card.barcodeText, type: type)
    return Response(
      status: .ok, headers: [.contentType: "image/svg+xml", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: drawing.svg)))
  }

  /// Takes a kept value in place of the present one, or drops it.
  private func settle(_ id: String, _ action: String) throws {
    guard let copy = try store.keptCopies(of: nil).first(where: { $0.address == id }) else {
      throw WebError(.notFound, "It was settled already.")
    }
    switch action {
    case "use": try store.use(copy)
    case "dismiss": try store.dismiss(copy)
    default: throw WebError(.notFound, "A kept value can be used or dismissed.")
    }
  }
}

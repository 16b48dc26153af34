import CardBarcodes
import CardModel
import CardStore
import Foundation
import HTTPTypes
import Hummingbird
import WebServing

/// The cards: listed, shown, saved, deleted.
struct CardRoutes: Sendable {
  /// A card for the editor: its members as they are, so that a change can be told from what came meanwhile.
  private struct Whole: Encodable {
    var card: JSONValue
  }

  /// What is known of a card's end.
  private struct Deletion: Encodable {
    var wallet: String?
    var date: String?

    init(_ deletion: CardDeletion) {
      (wallet, date) = (deletion.wallet, deletion.date?.formatted(.iso8601))
    }
  }

  private let store: CardStore
  private let list: CardList

  init(_ store: CardStore) {
    self.store = store
    list = CardList(store)
    // Of a thousand cards it takes a moment, for which nobody has to wait.
    Task.detached { [list] in list.prepare() }
  }

  func add(to router: some RouterMethods<WebContext>) {
    router.get("cards") { request, _ in try list.response(to: request) }
    router.get("cards/:id") { _, context in
      try Response.json(Whole(card: card(context).json))
    }
    router.put("cards/:id") { request, context in
      try await save(identifier(context), Data(buffer: request.body.collect(upTo: 1 << 20)))
      return Response(status: .noContent)
    }
    router.delete("cards/:id") { _, context in
      try store.delete(card(context).id)
      return Response(status: .noContent)
    }
    router.get("cards/:id/deletion") { _, context in
      guard let deletion = try store.deletion(of: identifier(context)) else {
        throw WebError(.notFound, "No such card was deleted.", code: "cardGone")
      }
      return try Response.json(Deletion(deletion))
    }
    router.post("cards/:id/undelete") { _, context in
      let card = try store.undelete(identifier(context))
      guard let card else {
        throw WebError(.notFound, "The card can't be brought back.", code: "notRestored")
      }
      return try Response.json(["id": card.id.uuidString.lowercased()])
    }
    router.post("cards/:id/shown") { _, context in
      let present = try card(context)
      var card = present
      card.lastUsed = Date()
      // What came from elsewhere in between isn't lost.
      try store.save(card, changedFrom: present)
      return Response(status: .noContent)
    }
    router.get("cards/:id/barcode.svg") { request, context in
      try await barcode(try card(context), named: request.uri.queryParameters["of"])
    }
    router.post("forget") { _, _ in
      // The browser's own store has pictures that the page can't reach.
      Response(
        status: .noContent, headers: [HTTPField.Name("Clear-Site-Data")!: "\"cache\""])
    }
    router.post("kept") { request, _ in
      let undo = try settle(try await Self.body(of: request))
      return try Response.json(["undo": undo.map(\.json)])
    }
    router.post("kept/undo") { request, _ in
      try unsettle(try await Self.body(of: request))
      return Response(status: .noContent)
    }
  }

  /// Saves what a page changed: `{changes, before, isNew}`, members as they are to be and as the page got them.
  ///
  /// A new card's identifier comes from the page, so that asking twice makes one.
  private func save(_ id: UUID, _ body: Data) throws {
    guard let body = try? JSONValue(parsing: body).object, let changes = body["changes"] else {
      throw WebError(.badRequest, "A change of a card is {changes, before}.")
    }
    let present = try store.card(id)
    guard present != nil || body["isNew"]?.bool == true else { throw CardStoreError.deleted }
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
      throw WebError(
        .notFound, "The card is gone: it was deleted, perhaps on another device.", code: "cardGone")
    }
    return card
  }

  /// The drawing; under the name that the list has for it, it is the same for ever.
  private func barcode(_ card: Card, named name: Substring?) async throws -> Response {
    guard let type = card.barcodeType else {
      throw WebError(
        .notFound, "The card has no bar code. Choose its kind under Edit.", code: "noCode")
    }
    let drawing = try BarcodeDrawing(of: card.barcodeText, type: type)
    let isNamed = name.map(String.init) == card.codeName
    return Response(
      status: .ok,
      headers: [
        .contentType: "image/svg+xml",
        .cacheControl: isNamed ? "private, max-age=31536000, immutable" : "no-store",
      ],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: drawing.svg)))
  }

  /// What a page sends of choices: values that are kept may be as long as a card.
  private static func body(of request: Request) async throws -> [String: JSONValue] {
    let data = Data(buffer: try await request.body.collect(upTo: 4 << 20))
    return (try? JSONValue(parsing: data).object) ?? [:]
  }

  /// Makes the choices of `{choices}`: by a kept value's name, `use` takes it in place of the present one, `dismiss`
  /// drops it.
  private func settle(_ body: [String: JSONValue]) throws -> [KeptUndo] {
    guard let choices = body["choices"]?.object, !choices.isEmpty else {
      throw WebError(.badRequest, "Choices are {choices: {ID: \"use\" or \"dismiss\"}}.")
    }
    let copies = try store.keptCopies(of: nil)
    return try store.settle(
      choices.sorted { $0.key < $1.key }.map { id, action -> (KeptCopy, KeptChoice) in
        guard let choice = action.text.flatMap(KeptChoice.init(rawValue:)) else {
          throw WebError(.badRequest, "A kept value can be used or dismissed.")
        }
        guard let copy = copies.first(where: { $0.address == id }) else {
          throw WebError(.notFound, "It was settled already.", code: "settled")
        }
        return (copy, choice)
      })
  }

  /// Takes choices back: `{undo}`, as the choices were answered.
  private func unsettle(_ body: [String: JSONValue]) throws {
    let undos = (body["undo"]?.array ?? []).map(KeptUndo.init)
    guard !undos.isEmpty, !undos.contains(nil) else {
      throw WebError(.badRequest, "Choices are taken back by what their answer had.")
    }
    try store.undo(undos.compactMap { $0 })
  }
}

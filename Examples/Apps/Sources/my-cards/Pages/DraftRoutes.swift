import CardModel
import CardStore
import Foundation
import Hummingbird
import WebServing

/// Half-typed forms, which pages keep; their photos stay here as long.
struct DraftRoutes: Sendable {
  private struct Draft: Decodable {
    var pictures: [String]
  }

  /// More than the sides of a card have.
  private static let most = 16

  private let store: CardStore

  init(_ store: CardStore) { self.store = store }

  func add(to router: some RouterMethods<WebContext>) {
    router.put("drafts/:id") { request, context in
      let draft = try await request.decode(as: Draft.self, context: context)
      let pictures = draft.pictures.prefix(Self.most).compactMap(PictureHash.init)
      let missing = try store.keepDraft(Self.identifier(context), pictures: Set(pictures))
      return try Response.json(["missing": missing.map(\.text)])
    }
    router.delete("drafts/:id") { _, context in
      _ = try store.keepDraft(Self.identifier(context), pictures: [])
      return Response(status: .noContent)
    }
  }

  private static func identifier(_ context: WebContext) throws -> UUID {
    guard let id = UUID(uuidString: try context.parameters.require("id")) else {
      throw WebError(.badRequest, "A draft's identifier is a UUID.")
    }
    return id
  }
}

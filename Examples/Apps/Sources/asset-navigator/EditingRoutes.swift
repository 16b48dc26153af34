import Foundation
import Hummingbird
import ViewfinderLibrary
import WebServing

/// What people change: albums, what is in them, and favourites.
///
/// The pages hear of the result as of any other program's doing.
struct EditingRoutes: Sendable {
  private struct NewAlbum: Decodable {
    var name: String
    /// What is put in it at once.
    var assets: [UUID]?
  }

  private struct Selection: Decodable {
    var assets: [UUID]
  }

  private struct Favorites: Decodable {
    var assets: [UUID]
    var isFavorite: Bool
  }

  private let library: NavigatorLibrary

  init(_ library: NavigatorLibrary) { self.library = library }

  func add(to router: some RouterMethods<WebContext>) {
    router.post("albums") { request, context in
      let new = try await request.decode(as: NewAlbum.self, context: context)
      let name = new.name.trimmingCharacters(in: .whitespacesAndNewlines)
      guard !name.isEmpty else {
        throw WebError(.badRequest, "An album needs a name.", code: "noAlbumName")
      }
      let taken = try await library.opened().albums().contains {
        $0.kind == .made && $0.name.localizedCaseInsensitiveCompare(name) == .orderedSame
      }
      guard !taken else {
        throw WebError(
          .conflict, "There is an album “\(name)”. Choose another name.", code: "albumExists",
          values: ["name": name])
      }
      let album = try await library.opened().makeAlbum(named: name)
      if let ids = new.assets { try await album.add(library.assets(ids)) }
      return try Response.json(["id": album.id])
    }
    router.post("albums/:id/add") { request, context in
      try await album(context).add(selection(request, context))
      return Response(status: .noContent)
    }
    router.post("albums/:id/remove") { request, context in
      try await album(context).remove(selection(request, context))
      return Response(status: .noContent)
    }
    router.post("albums/:id/delete") { _, context in
      try await album(context).delete()
      return Response(status: .noContent)
    }
    router.post("favorites") { request, context in
      let wanted = try await request.decode(as: Favorites.self, context: context)
      try await library.opened().setFavorite(wanted.isFavorite, library.assets(wanted.assets))
      return Response(status: .noContent)
    }
    router.post("library/open") { _, _ in
      await library.open()
      return Response(status: .noContent)
    }
  }

  private func album(_ context: WebContext) async throws -> Album {
    try await library.album(context.parameters.require("id", as: UUID.self))
  }

  private func selection(_ request: Request, _ context: WebContext) async throws
    -> [ViewfinderLibrary.Asset]
  {
    try await library.assets(request.decode(as: Selection.self, context: context).assets)
  }
}

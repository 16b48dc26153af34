import Foundation
import Hummingbird
import ViewfinderLibrary
import WebServing

/// What people change: albums, what is in them, and what goes into the trash.
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

  private let library: NavigatorLibrary

  init(_ library: NavigatorLibrary) { self.library = library }

  func add(to router: some RouterMethods<WebContext>) {
    router.post("albums") { request, context in
      let new = try await request.decode(as: NewAlbum.self, context: context)
      let album = try await library.opened().makeAlbum(named: new.name)
      if let ids = new.assets { try await album.add(assets(ids)) }
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
    router.post("trash") { request, context in
      try await library.opened().trash(selection(request, context))
      return Response(status: .noContent)
    }
  }

  private func album(_ context: WebContext) async throws -> Album {
    try await library.album(context.parameters.require("id", as: UUID.self))
  }

  private func selection(_ request: Request, _ context: WebContext) async throws
    -> [ViewfinderLibrary.Asset]
  {
    try await assets(request.decode(as: Selection.self, context: context).assets)
  }

  /// The assets with these ids that are still there.
  private func assets(_ ids: [UUID]) async throws -> [ViewfinderLibrary.Asset] {
    let assets = try await library.opened().assets(ids: ids)
    guard !assets.isEmpty else { throw PhotoLibraryError.notFound(what: "such photo any more") }
    return assets
  }
}

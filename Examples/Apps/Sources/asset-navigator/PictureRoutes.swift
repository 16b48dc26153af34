import Foundation
import Hummingbird
import Viewfinder
import ViewfinderLibrary
import WebServing

/// An asset's pictures, its files and what is known of it.
struct PictureRoutes: Sendable {
  /// The longer side of a picture for a page, in pixels.
  private static let screen = Dimensions(width: 2048, height: 2048)

  private let library: NavigatorLibrary

  init(_ library: NavigatorLibrary) { self.library = library }

  func add(to router: some RouterMethods<WebContext>) {
    router.get("assets/:id") { _, context in
      try await Response.json(DetailReport(asset(context), library.opened()))
    }
    // The page adds the asset's version to the address.
    router.get("assets/:id/thumbnail") { request, context in
      let side = request.uri.queryParameters["side"].flatMap { Int($0) } ?? 256
      let picture = try await library.opened().thumbnail(
        of: asset(context), size: ThumbnailSize(atLeast: side), shape: .square)
      return Response.jpeg(try picture.jpegData(quality: 0.8), isForEver: true)
    }
    router.get("assets/:id/files/:file/picture") { request, context in
      let (asset, file) = try await file(context)
      let picture = try await file.image(fitting: Self.screen)
      // The asset's version tells of its default file: only a picture of that stays as long as the version does.
      let isOfVersion =
        file.id == asset.defaultRepresentation.id
        && request.uri.queryParameters["version"].map(String.init) == asset.version
      return Response.jpeg(try picture.jpegData(quality: 0.9), isForEver: isOfVersion)
    }
    // The bytes, for videos, and for pictures that browsers know better than the library.
    router.get("assets/:id/files/:file") { request, context in
      let (_, file) = try await file(context)
      return Response.bytes(
        count: file.size, type: file.contentType?.mimeType ?? "application/octet-stream",
        for: request
      ) { range in try await file.data(in: range) }
    }
  }

  private func asset(_ context: WebContext) async throws -> ViewfinderLibrary.Asset {
    try await library.asset(context.parameters.require("id", as: UUID.self))
  }

  private func file(_ context: WebContext) async throws
    -> (ViewfinderLibrary.Asset, AssetRepresentation)
  {
    let id = try context.parameters.require("file", as: UUID.self)
    let asset = try await asset(context)
    guard let file = try await asset.representations().first(where: { $0.id == id }) else {
      throw PhotoLibraryError.notFound(what: "such file of this photo any more")
    }
    return (asset, file)
  }
}

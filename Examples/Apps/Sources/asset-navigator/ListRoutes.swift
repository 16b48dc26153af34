import ErrorWords
import Foundation
import Hummingbird
import ViewfinderLibrary
import ViewfinderPages
import WebServing

/// What a grid shows of a list, in parts.
struct ListRoutes: Sendable {
  /// An asset in a grid.
  private struct AssetReport: Encodable {
    var id: UUID
    var name: String
    var isVideo: Bool
    var isFavorite: Bool
    var taken: Int64?
    var duration: Double?
    var problem: ErrorWords?
    /// Another one when the picture is another one.
    var version: String

    init(_ asset: ViewfinderLibrary.Asset) {
      (id, name, version) = (asset.id, asset.fileName, asset.version)
      (isVideo, isFavorite) = (asset.mediaType == .video, asset.isFavorite)
      taken = asset.captureDate?.localSeconds
      duration = asset.duration.flatMap { $0.isFinite ? $0 : nil }
      problem = asset.error.map { ErrorWords($0) }
    }
  }

  /// The most assets that a page asks for at once.
  private static let largestPage = 200

  private let library: NavigatorLibrary
  private let shelf: ListShelf

  init(_ library: NavigatorLibrary, _ shelf: ListShelf) {
    (self.library, self.shelf) = (library, shelf)
  }

  func add(to router: some RouterMethods<WebContext>) {
    router.get("lists/:id") { request, context in
      let list = try list(context)
      let query = request.uri.queryParameters
      guard let first = query["first"].flatMap({ Int($0) }), first >= 0, first <= list.count,
        let count = query["count"].flatMap({ Int($0) }), (1...Self.largestPage).contains(count)
      else {
        throw WebError(.badRequest, "first is from 0, count from 1 to \(Self.largestPage).")
      }
      let assets = try await list.assets(in: first..<min(first + count, list.count))
      return try Response.json(assets.map(AssetReport.init))
    }
    // Pairs of a day and how many assets it has: all that a page needs to know how high the list is.
    router.get("lists/:id/days") { _, context in
      try await Response.json(list(context).days().map { [$0.number, $0.count] })
    }
    router.get("lists/:id/place") { request, context in
      guard let id = request.uri.queryParameters["asset"].flatMap({ UUID(uuidString: String($0)) })
      else { throw WebError(.badRequest, "asset is an id.") }
      let list = try list(context)
      let place = try await library.opened().asset(id: id).flatMap(list.place(of:))
      return try Response.json(["place": place])
    }
  }

  private func list(_ context: WebContext) throws -> AssetList {
    try shelf.list(context.parameters.require("id", as: UUID.self))
  }
}

import Foundation
import Hummingbird
import Synchronization
import ViewfinderLibrary
import WebServing

/// The trash: what goes there, what is in it, and what comes back or goes for good.
struct TrashRoutes: Sendable {
  /// What is in the trash.
  private struct ItemReport: Encodable {
    var id: UUID
    var name: String
    /// When it was put there, in seconds since 1970.
    var deleted: Double?
  }

  private struct Assets: Decodable {
    var assets: [UUID]
  }

  private struct Items: Codable {
    var items: [UUID]
  }

  private let library: NavigatorLibrary
  private let names = TrashNames()

  init(_ library: NavigatorLibrary) { self.library = library }

  func add(to router: some RouterMethods<WebContext>) {
    router.post("trash") { request, context in
      let ids = try await request.decode(as: Assets.self, context: context).assets
      let trashed = try await library.opened().trash(library.assets(ids))
      return try Response.json(Items(items: trashed.map(names.id)))
    }
    router.get("trash") { _, _ in
      let items = try await contents()
      return try Response.json(
        items.map {
          ItemReport(
            id: names.id($0), name: $0.fileName, deleted: $0.deletionDate?.timeIntervalSince1970)
        })
    }
    router.get("trash/:id/thumbnail") { _, context in
      let id = try context.parameters.require("id", as: UUID.self)
      let item = try await items([id])[0]
      let picture = try await library.opened().thumbnail(of: item, shape: .square)
      return Response.jpeg(try picture.jpegData(quality: 0.8), isForEver: true)
    }
    router.post("trash/restore") { request, context in
      let items = try await items(request.decode(as: Items.self, context: context).items)
      // Never over another file, and never in vain because of one.
      try await library.opened().restore(items, intoOwnFolder: true)
      return Response(status: .noContent)
    }
    router.post("trash/delete") { request, context in
      let items = try await items(request.decode(as: Items.self, context: context).items)
      try await library.opened().deletePermanently(items)
      return Response(status: .noContent)
    }
  }

  /// The photos and videos in the trash; other files that went there aren't this app's.
  private func contents() async throws -> [TrashedAsset] {
    try await library.opened().trashedAssets().filter { $0.assetID != nil }
  }

  /// The items with these ids that are still there.
  private func items(_ ids: [UUID]) async throws -> [TrashedAsset] {
    let wanted = Set(ids)
    let items = try await contents().filter { wanted.contains(names.id($0)) }
    guard !items.isEmpty else {
      throw WebError(
        .notFound, "That isn’t in the trash any more.", code: "trashGone")
    }
    return items
  }
}

/// Ids for what is in the trash, which has only a place of its own: no path comes from a page.
private final class TrashNames: Sendable {
  private let ids = Mutex<[URL: UUID]>([:])

  @Sendable func id(_ item: TrashedAsset) -> UUID {
    ids.withLock { ids in
      let id = ids[item.id] ?? UUID()
      ids[item.id] = id
      return id
    }
  }
}

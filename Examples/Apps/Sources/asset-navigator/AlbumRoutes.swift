import Foundation
import Hummingbird
import ViewfinderLibrary
import WebServing

/// The albums, and what a grid shows of their assets.
///
/// Everything goes by id; no path comes from a page.
struct AlbumRoutes: Sendable {
  /// An album in the list of albums.
  private struct AlbumReport: Encodable {
    var id: UUID
    var name: String
    /// "smart", "made" or "folder".
    var kind: String
    var photos: Int
    var videos: Int
    var others: Int
    var poster: Poster?

    struct Poster: Encodable {
      var id: UUID
      var version: String
    }
  }

  /// An asset in a grid.
  private struct AssetReport: Encodable {
    var id: UUID
    var name: String
    var isVideo: Bool
    var taken: Int64?
    var duration: Double?
    var problem: String?
    /// Another one when the picture is another one.
    var version: String
  }

  /// The most assets that a page asks for at once.
  private static let largestPage = 200

  private let library: NavigatorLibrary
  private let shelf: ListShelf

  init(_ library: NavigatorLibrary, _ shelf: ListShelf) {
    (self.library, self.shelf) = (library, shelf)
  }

  func add(to router: some RouterMethods<WebContext>) {
    router.get("albums") { _, _ in
      var reports: [AlbumReport] = []
      for album in try await library.opened().albums() {
        let counts = try await album.counts()
        // An app with seven empty albums looks broken.
        guard counts.all > 0 || album.isShownEmpty else { continue }
        reports.append(try await report(album, counts))
      }
      return try Response.json(reports)
    }
    router.get("albums/:id") { _, context in
      let album = try await library.album(context.parameters.require("id", as: UUID.self))
      return try await Response.json(report(album, album.counts()))
    }
    router.get("lists/:id") { request, context in
      let list = try shelf.list(context.parameters.require("id", as: UUID.self))
      let query = request.uri.queryParameters
      guard let first = query["first"].flatMap({ Int($0) }), first >= 0, first <= list.count,
        let count = query["count"].flatMap({ Int($0) }), (1...Self.largestPage).contains(count)
      else {
        throw WebError(.badRequest, "first is from 0, count from 1 to \(Self.largestPage).")
      }
      let assets = try await list.assets(in: first..<min(first + count, list.count))
      return try Response.json(
        assets.map { asset in
          AssetReport(
            id: asset.id, name: asset.fileName, isVideo: asset.mediaType == .video,
            taken: asset.captureDate?.localSeconds,
            duration: asset.duration.flatMap { $0.isFinite ? $0 : nil },
            problem: asset.error?.description, version: asset.version)
        })
    }
  }

  private func report(_ album: Album, _ counts: AlbumCounts) async throws -> AlbumReport {
    let poster = try await album.poster()
    return AlbumReport(
      id: album.id, name: album.name, kind: album.kind.word, photos: counts.photos,
      videos: counts.videos, others: counts.others,
      poster: poster.map { AlbumReport.Poster(id: $0.id, version: $0.version) })
  }
}

extension Album {
  fileprivate var isShownEmpty: Bool {
    switch kind {
    case .made, .smart(.all), .smart(.cameraRoll): true
    default: false
    }
  }
}

extension Album.Kind {
  fileprivate var word: String {
    switch self {
    case .smart: "smart"
    case .folder: "folder"
    case .made: "made"
    }
  }
}

extension ViewfinderLibrary.Asset {
  /// Another text when the default file is another one, or has changed.
  var version: String { "\(written)-\(defaultRepresentation.size)" + (isAbsent ? "-absent" : "") }

  /// When the default file was last written, in milliseconds since 1970.
  var written: Int { Int(modificationDate.timeIntervalSince1970 * 1000) }
}

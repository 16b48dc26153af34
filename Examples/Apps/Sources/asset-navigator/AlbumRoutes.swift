import Foundation
import Hummingbird
import PhotoStream
import ViewfinderLibrary
import ViewfinderPages
import WebServing

/// The albums, and what stands for them.
///
/// Everything goes by id; no path comes from a page.
struct AlbumRoutes: Sendable {
  /// An album in the list of albums.
  private struct AlbumReport: Encodable {
    var id: UUID
    var name: String
    /// "smart", "made" or "folder".
    var kind: String
    /// Which album that fills itself, such as "favorites"; or "stream".
    var role: String?
    var photos: Int
    var videos: Int
    var others: Int
    /// Another text when the poster may be another one; `nil` for an album that is empty.
    var poster: String?
  }

  private let library: NavigatorLibrary

  init(_ library: NavigatorLibrary) { self.library = library }

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
      let album = try await album(context)
      return try await Response.json(report(album, album.counts()))
    }
    router.get("albums/:id/poster") { _, context in
      guard let poster = try await album(context).posterThumbnail() else {
        throw WebError(
          .notFound, "No picture can be made of what is in this album.", code: "noPoster")
      }
      return Response.jpeg(try poster.picture.jpegData(quality: 0.8), isForEver: true)
    }
  }

  private func album(_ context: WebContext) async throws -> Album {
    try await library.album(context.parameters.require("id", as: UUID.self))
  }

  private func report(_ album: Album, _ counts: AlbumCounts) async throws -> AlbumReport {
    let poster = try await album.poster()
    return AlbumReport(
      id: album.id, name: album.name, kind: album.kind.word, role: album.role,
      photos: counts.photos, videos: counts.videos, others: counts.others,
      poster: poster.map { "\($0.id)-\($0.version)" })
  }
}

extension Album {
  fileprivate var isShownEmpty: Bool {
    switch kind {
    case .made, .smart(.all), .smart(.cameraRoll), .smart(.favorites): true
    default: false
    }
  }

  fileprivate var role: String? {
    switch kind {
    case .smart(let smart): smart.rawValue
    case .made: name == PhotoStream.albumName ? "stream" : nil
    case .folder: nil
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

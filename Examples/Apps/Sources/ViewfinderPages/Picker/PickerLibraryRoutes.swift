import ErrorWords
import Foundation
import Hummingbird
import Viewfinder
import ViewfinderLibrary
import ViewfinderPicker
import WebServing

/// A picker's albums, assets and pictures.
///
/// Everything goes by id; no path comes from a page.
struct PickerLibraryRoutes: Sendable {
  fileprivate struct AlbumReport: Codable {
    var id: UUID
    var name: String
    /// "smart", "made" or "folder".
    var kind: String
    /// Which album that fills itself, such as "favorites".
    var role: String?
  }

  private struct Page: Codable {
    struct Item: Codable {
      var id: UUID
      /// Another one as soon as its files are others.
      var version: String
      var name: String
      var isVideo: Bool
      /// When it was taken, by the camera's own clock: days since 1 January 1970.
      var day: Int
      var problem: ErrorWords?
    }

    var count: Int
    var items: [Item]
  }

  /// The most assets that a page asks for at once.
  private static let largestPage = 200
  /// The longer side of a picture for a page, in pixels.
  private static let screen = Dimensions(width: 1600, height: 1600)

  /// The same of a picture in a row of those that are picked.
  private static let tray = Dimensions(width: 320, height: 320)

  private let picker: ImagePicker

  init(_ picker: ImagePicker) { self.picker = picker }

  func add(to router: some RouterMethods<WebContext>) {
    router.get("picker/albums") { _, _ in try await Response.json(albums()) }
    router.get("picker/assets") { request, _ in try await Response.json(page(request)) }
    router.get("picker/thumbnail/:id") { request, context in
      let asset = try await picker.asset(id: context.parameters.require("id", as: UUID.self))
      let isNamed = request.uri.queryParameters["version"].map(String.init) == asset.version
      return Response.jpeg(
        try await picker.thumbnail(of: asset).jpegData(quality: 0.8), isForEver: isNamed)
    }
    router.get("picker/photo/:id") { request, context in
      let photo = try photo(context.parameters.require("id", as: UUID.self))
      let version: PickedPhoto.Version =
        request.uri.queryParameters["version"] == "original" ? .original : .edited
      let box = request.uri.queryParameters["size"] == "small" ? Self.tray : Self.screen
      let picture = try await photo.image(fitting: box, version).jpegData(quality: 0.85)
      // The same photo has another picture when it was cropped anew.
      return Response.tagged(
        Response.entityTag(of: picture), type: "image/jpeg", for: request,
        headers: [.cacheControl: "private, no-cache"], ByteBuffer(bytes: picture))
    }
  }

  private func albums() async throws -> [AlbumReport] {
    var reports: [AlbumReport] = []
    for album in try await picker.albums() where !picker.isWhole(album) {
      // An album with nothing to pick isn't worth a press.
      guard try await picker.assets(in: album).count > 0 else { continue }
      reports.append(AlbumReport(album))
    }
    return reports
  }

  private func page(_ request: Request) async throws -> Page {
    let query = request.uri.queryParameters
    var album: Album?
    if let id = query["album"].flatMap({ UUID(uuidString: String($0)) }) {
      album = try await picker.albums().first { $0.id == id }
      guard album != nil else { throw WebError(.notFound, "The album is gone.", code: "albumGone") }
    }
    let first = query["first"].flatMap { Int($0) } ?? 0
    let count = query["count"].flatMap { Int($0) } ?? 60
    guard first >= 0, (1...Self.largestPage).contains(count) else {
      throw WebError(.badRequest, "first is from 0, count from 1 to \(Self.largestPage).")
    }
    let list = try await picker.assets(
      in: album, captured: try days(from: query["from"], to: query["to"]))
    let start = min(first, list.count)
    let range = start..<min(start + count, list.count)
    let days = try await list.days().flatMap { repeatElement($0.number, count: $0.count) }
    let items = try await list.assets(in: range).map { asset in
      Page.Item(
        id: asset.id, version: asset.version, name: asset.fileName,
        isVideo: asset.mediaType == .video, day: list.place(of: asset).map { days[$0] } ?? 0,
        problem: asset.error.map { ErrorWords($0) })
    }
    return Page(count: list.count, items: items)
  }

  /// The days from one to another, both included.
  private func days(from first: Substring?, to last: Substring?) throws -> Range<Date>? {
    guard first?.isEmpty == false || last?.isEmpty == false else { return nil }
    func day(_ text: Substring?, _ fallback: Date) throws -> Date {
      guard let text, !text.isEmpty else { return fallback }
      let match = text.wholeMatch(of: /([0-9]{4})-([0-9]{2})-([0-9]{2})/)
      let date = match.flatMap {
        Calendar.current.date(
          from: DateComponents(year: Int($0.1), month: Int($0.2), day: Int($0.3)))
      }
      guard let date else { throw WebError(.badRequest, "A day is such as 2026-11-22.") }
      return date
    }
    let start = try day(first, .distantPast)
    let end = try day(last, .distantFuture)
    guard start <= end else {
      throw WebError(
        .badRequest, "The first day comes after the last. Change one of them.", code: "daysCrossed")
    }
    let isOpen = last?.isEmpty ?? true
    return start..<(isOpen ? end : Calendar.current.date(byAdding: .day, value: 1, to: end) ?? end)
  }

  /// What the page shows: the photo under review, being cropped, or picked.
  private func photo(_ id: UUID) throws -> PickedPhoto {
    let state = picker.state
    switch state.screen {
    case .review(let photo) where photo.id == id: return photo
    case .editing(let photo, _) where photo.id == id: return photo
    case .correcting(let photo, _) where photo.id == id: return photo
    default: break
    }
    guard let photo = state.selection.first(where: { $0.id == id }) else {
      throw WebError(
        .notFound, "The photo isn't picked any more.", code: "notPicked")
    }
    return photo
  }
}

extension ImagePicker {
  /// Whether an album has all that the source has.
  fileprivate func isWhole(_ album: Album) -> Bool {
    switch album.kind {
    case .smart(.all): true
    case .smart(.cameraRoll): state.source == .savedPhotosAlbum
    default: false
    }
  }
}

extension PickerLibraryRoutes.AlbumReport {
  fileprivate init(_ album: Album) {
    (id, name) = (album.id, album.name)
    switch album.kind {
    case .smart(let smart): (kind, role) = ("smart", smart.rawValue)
    case .made: kind = "made"
    case .folder: kind = "folder"
    }
  }
}

import Foundation
import Viewfinder
import ViewfinderLibrary

/// An asset in JSON.
struct AssetReport: Encodable {
  var id: String
  var url: String
  var fileName: String
  var fileURL: String
  var kind: String?
  var type: String?
  var width: Int?
  var height: Int?
  var captureDate: String?
  var captureDateSource: String?
  var modificationDate: String
  var additionDate: String
  var duration: Double?
  var favorite: Bool
  var burst: Bool
  var livePhoto: Bool
  var incomplete: Bool
  var absent: Bool
  var error: String?

  init(_ asset: Asset) {
    id = asset.id.uuidString.lowercased()
    url = asset.url.absoluteString
    fileName = asset.fileName
    fileURL = asset.fileURL.absoluteString
    kind = asset.mediaType?.word
    type = asset.contentType?.mimeType
    (width, height) = (asset.dimensions?.width, asset.dimensions?.height)
    captureDate = asset.captureDate?.text
    captureDateSource = asset.captureDateSource?.rawValue
    modificationDate = asset.modificationDate.ISO8601Format()
    additionDate = asset.additionDate.ISO8601Format()
    duration = asset.duration
    (favorite, burst, livePhoto) = (asset.isFavorite, asset.isBurst, asset.isLivePhoto)
    (incomplete, absent) = (asset.isIncomplete, asset.isAbsent)
    error = asset.error?.description
  }
}

/// An album in JSON, by its names alone.
struct AlbumName: Encodable {
  var id: String
  var url: String
  var name: String

  init(_ album: Album) {
    (id, url) = (album.id.uuidString.lowercased(), album.url.absoluteString)
    name = album.name
  }
}

/// An album in JSON.
struct AlbumReport: Encodable {
  struct Poster: Encodable {
    var url: String
    var fileName: String
    var fileURL: String
  }

  var id: String
  var url: String
  var name: String
  var kind: String
  var folderURL: String?
  var photos: Int
  var videos: Int
  var others: Int
  var all: Int
  var poster: Poster?

  init(_ album: Album, _ filter: AssetFilter) async throws(PhotoLibraryError) {
    id = album.id.uuidString.lowercased()
    url = album.url.absoluteString
    name = album.name
    switch album.kind {
    case .smart: kind = "smart"
    case .made: kind = "made"
    case .folder(let url): (kind, folderURL) = ("folder", url.absoluteString)
    }
    let counts = try await album.counts(filter)
    (photos, videos, others, all) = (counts.photos, counts.videos, counts.others, counts.all)
    poster = try await album.poster().map {
      Poster(
        url: $0.url.absoluteString, fileName: $0.fileName, fileURL: $0.fileURL.absoluteString)
    }
  }
}

extension ContentType.Kind {
  /// The word for it in options and output.
  var word: String {
    switch self {
    case .image: "photo"
    case .rawImage: "raw"
    case .video: "video"
    }
  }
}

extension CaptureDate {
  /// The date as ISO 8601 has it, with fractions of a second and offset where the camera wrote them.
  var text: String {
    // Years of four digits.
    let seconds = min(max(localSeconds, -62_167_219_200), 253_402_300_799)
    let local = Date(timeIntervalSince1970: Double(seconds)).ISO8601Format().dropLast()
    return local + fraction + zone
  }

  private var fraction: String {
    guard let nanoseconds else { return "" }
    return nanoseconds % 1_000_000 == 0
      ? String(format: ".%03d", nanoseconds / 1_000_000) : String(format: ".%09d", nanoseconds)
  }

  private var zone: String {
    guard let offset else { return "" }
    let minutes = abs(offset) / 60
    return String(format: "%@%02d:%02d", offset < 0 ? "-" : "+", minutes / 60, minutes % 60)
  }
}

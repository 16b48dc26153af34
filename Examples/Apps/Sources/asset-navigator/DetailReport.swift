import ErrorWords
import Foundation
import ViewfinderLibrary
import ViewfinderPages

/// What a page shows of a single asset.
struct DetailReport: Encodable, Sendable {
  /// A line such as "ISO: 100".
  struct Fact: Encodable, Sendable {
    /// What it is about, for the page's words.
    var code: String
    var value: String
  }

  /// A file of the asset.
  struct File: Encodable, Sendable {
    var id: UUID
    var name: String
    /// "original", "edited", "burst" or "raw".
    var role: String
    var type: String?
    var isVideo: Bool
    var size: Int
    var width: Int?
    var height: Int?
    var problem: ErrorWords?
  }

  var id: UUID
  var name: String
  var taken: Int64?
  /// When the default file was last written, in milliseconds since 1970.
  var written: Int
  var version: String
  var isFavorite: Bool
  /// Whether it can be cropped and turned.
  var canEdit: Bool
  /// Whether what is shown is a crop that this library made, and can undo.
  var isCropped: Bool
  /// The names of the albums that people put it into.
  var albums: [String]
  var facts: [Fact]
  var files: [File]

  init(_ asset: ViewfinderLibrary.Asset, _ library: PhotoLibrary) async throws {
    (id, name) = (asset.id, asset.fileName)
    (written, version, isFavorite) = (asset.written, asset.version, asset.isFavorite)
    canEdit = asset.mediaType == .image && asset.error == nil
    // A recipe that can't be read is told when somebody edits the photo.
    isCropped = canEdit ? (try? await library.cropRecipe(of: asset)) != nil : false
    albums = try await library.albums(with: asset).map(\.name)
    let representations = try await asset.representations()
    files = representations.map(File.init)
    facts = []
    taken = asset.captureDate?.localSeconds
    if let place = asset.location {
      let value = String(format: "%.5f, %.5f", place.latitude, place.longitude)
      facts.append(Fact(code: "place", value: value))
    }
    // Programs that edit often leave out what the camera wrote: the original still has it.
    for file in representations {
      // Damaged files have no such facts.
      let found = (try? await file.metadata())?.facts ?? []
      facts += found.filter { fact in !facts.contains { $0.code == fact.code } }
    }
  }
}

extension DetailReport.File {
  init(_ file: AssetRepresentation) {
    (id, name, size) = (file.id, file.fileName, file.size)
    switch file.role {
    case .edited: role = "edited"
    case .burstMember: role = "burst"
    case .pairedVideo: role = "moment"
    case .original: role = file.contentType?.kind == .rawImage ? "raw" : "original"
    }
    type = file.contentType?.mimeType
    isVideo = file.contentType?.kind == .video
    (width, height) = (file.dimensions?.width, file.dimensions?.height)
    problem = file.error.map { ErrorWords($0) }
  }
}

extension AssetMetadata {
  /// What there is to say, in the order in which people ask.
  fileprivate var facts: [DetailReport.Fact] {
    let all: [(String, String?)] = [
      ("camera", camera),
      ("lens", lens),
      ("exposure", exposureTime.flatMap(Self.seconds)),
      ("aperture", fNumber.flatMap { Self.number($0).map { "f/\($0)" } }),
      ("iso", iso.map(String.init)),
      ("focalLength", focalLength.flatMap { Self.number($0).map { "\($0) mm" } }),
      ("flash", isFlashFired.map { $0 ? "fired" : "off" }),
      ("description", imageDescription), ("artist", artist), ("copyright", copyright),
      ("software", software),
    ]
    return all.compactMap { code, value in value.map { DetailReport.Fact(code: code, value: $0) } }
  }

  /// Maker and model; many models begin with their maker's name.
  private var camera: String? {
    guard let make, let model, !model.lowercased().hasPrefix(make.lowercased()) else {
      return model ?? make
    }
    return "\(make) \(model)"
  }

  /// A file may say anything.
  private static func number(_ value: Double) -> String? {
    value.isFinite && value > 0 ? String(format: "%g", value) : nil
  }

  private static func seconds(_ value: Double) -> String? {
    guard value.isFinite, value > 0 else { return nil }
    return value < 0.4 ? String(format: "1/%.0f s", 1 / value) : String(format: "%g s", value)
  }
}

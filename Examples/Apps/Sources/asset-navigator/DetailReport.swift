import Foundation
import ViewfinderLibrary

/// What a page shows of a single asset.
struct DetailReport: Encodable, Sendable {
  /// A line such as "ISO: 100".
  struct Fact: Encodable, Sendable {
    var name: String
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
    var problem: String?
  }

  var id: UUID
  var name: String
  var taken: Int64?
  /// When the default file was last written, in milliseconds since 1970.
  var written: Int
  var version: String
  var facts: [Fact]
  var files: [File]

  init(_ asset: ViewfinderLibrary.Asset) async throws {
    (id, name) = (asset.id, asset.fileName)
    (written, version) = (asset.written, asset.version)
    let representations = try await asset.representations()
    files = representations.map(File.init)
    facts = []
    taken = asset.captureDate?.localSeconds
    if let place = asset.location {
      let value = String(format: "%.5f, %.5f", place.latitude, place.longitude)
      facts.append(Fact(name: "Place", value: value))
    }
    // Programs that edit often leave out what the camera wrote: the original still has it.
    for file in representations {
      // Damaged files have no such facts.
      let found = (try? await file.metadata())?.facts ?? []
      facts += found.filter { fact in !facts.contains { $0.name == fact.name } }
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
    problem = file.error?.description
  }
}

extension AssetMetadata {
  /// What there is to say, in the order in which people ask.
  fileprivate var facts: [DetailReport.Fact] {
    let all: [(String, String?)] = [
      ("Camera", [make, model].compactMap(\.self).joined(separator: " ").nonEmpty),
      ("Lens", lens),
      ("Exposure", exposureTime.flatMap(Self.seconds)),
      ("Aperture", fNumber.flatMap { Self.number($0).map { "f/\($0)" } }),
      ("ISO", iso.map(String.init)),
      ("Focal length", focalLength.flatMap { Self.number($0).map { "\($0) mm" } }),
      ("Flash", isFlashFired.map { $0 ? "fired" : "off" }),
      ("Description", imageDescription), ("Artist", artist), ("Copyright", copyright),
      ("Software", software),
    ]
    return all.compactMap { name, value in value.map { DetailReport.Fact(name: name, value: $0) } }
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

extension String {
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

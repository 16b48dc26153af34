import ArgumentParser
import Foundation
import Viewfinder
import ViewfinderLibrary

/// Shows one asset.
struct ShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show everything that is known about a photo or video.",
    discussion: """
      JSON: all that “list” has of an asset, and {"orientation" (Exif's 1 to 8), "camera", \
      "location": {"latitude", "longitude", "altitude"}, "representations": [{"id", "role": \
      "original" | "edited" | "burst" | "paired video", "default", "fileName", "fileURL", "type", "bytes", \
      "width", "height", "error"}]}.
      """)

  @Argument(
    help: ArgumentHelp("The asset: its ID or URL, or one of its files.", valueName: "asset"))
  var asset: Path

  @OptionGroup(title: "Library options") var options: LibraryReadOptions

  func run() async throws {
    let library = try await options.open()
    let asset = try await library.asset(named: asset)
    let report = Report(asset, try await asset.representations())
    if options.library.json { return try JSON.print(report) }
    for (name, value) in report.lines {
      print("\(name):".padding(toLength: 14, withPad: " ", startingAt: 0) + Terminal.plain(value))
    }
    Terminal.table(
      [["ROLE", "TYPE", "SIZE", "BYTES", "FILE", "PROBLEM"]]
        + (try await asset.representations()).map { file in
          [
            file.role.word, file.contentType?.mimeType ?? "–",
            file.dimensions?.description ?? "–", "\(file.size)", Terminal.path(file.fileURL),
            file.error?.reason ?? "",
          ]
        })
  }

  struct Report: Encodable {
    struct Location: Encodable {
      var latitude: Double
      var longitude: Double
      var altitude: Double?
    }

    var asset: AssetReport
    var orientation: UInt8
    var camera: String?
    var location: Location?
    var representations: [RepresentationReport]

    init(_ asset: Asset, _ files: [AssetRepresentation]) {
      self.asset = AssetReport(asset)
      orientation = UInt8(asset.orientation.rawValue)
      camera = asset.camera
      location = asset.location.map {
        Location(latitude: $0.latitude, longitude: $0.longitude, altitude: $0.altitude)
      }
      representations = files.map {
        RepresentationReport($0, isDefault: $0.id == asset.defaultRepresentation.id)
      }
    }

    /// One object, with what it has in common with a row of the list.
    func encode(to encoder: any Encoder) throws {
      try asset.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(orientation, forKey: .orientation)
      try container.encodeIfPresent(camera, forKey: .camera)
      try container.encodeIfPresent(location, forKey: .location)
      try container.encode(representations, forKey: .representations)
    }

    private enum CodingKeys: CodingKey {
      case orientation, camera, location, representations
    }
  }

  struct RepresentationReport: Encodable {
    var id: String
    var role: String
    var `default`: Bool
    var fileName: String
    var fileURL: String
    var type: String?
    var bytes: Int
    var width: Int?
    var height: Int?
    var error: String?

    init(_ file: AssetRepresentation, isDefault: Bool) {
      id = file.id.uuidString.lowercased()
      role = file.role.word
      self.default = isDefault
      (fileName, fileURL) = (file.fileName, file.fileURL.absoluteString)
      type = file.contentType?.mimeType
      bytes = file.size
      (width, height) = (file.dimensions?.width, file.dimensions?.height)
      error = file.error?.description
    }
  }
}

extension ShowCommand.Report {
  /// What there is to say, for people.
  fileprivate var lines: [(name: String, value: String)] {
    let all: [(String, String?)] = [
      ("Name", asset.fileName),
      ("URL", asset.url),
      ("Kind", asset.kind.map { kind in asset.type.map { "\(kind), \($0)" } ?? kind }),
      ("Size", asset.width.flatMap { width in asset.height.map { "\(width)x\($0)" } }),
      ("Orientation", "\(orientation)"),
      (
        "Taken",
        asset.captureDate.map {
          $0
            + (asset.captureDateSource.flatMap(CaptureDate.Source.init).map(\.words) ?? "")
        }
      ),
      ("Written", asset.modificationDate),
      ("First seen", asset.additionDate),
      ("Camera", camera),
      ("Position", location?.text),
      ("Duration", asset.duration.map { "\(Terminal.number($0)) s" }),
      ("Favourite", asset.favorite ? "yes" : "no"),
      ("Burst", asset.burst ? "yes" : nil),
      ("Live photo", asset.livePhoto ? "yes" : nil),
      (
        "Incomplete", asset.incomplete ? "it ends too early; somebody may still be writing it" : nil
      ),
      ("Problem", asset.error),
    ]
    return all.compactMap { name, value in value.map { (name, $0) } }
  }
}

extension ShowCommand.Report.Location {
  fileprivate var text: String {
    "\(latitude), \(longitude)" + (altitude.map { ", \(Terminal.number($0)) m" } ?? "")
  }
}

extension AssetRepresentation.Role {
  fileprivate var word: String {
    switch self {
    case .original: "original"
    case .edited: "edited"
    case .burstMember: "burst"
    case .pairedVideo: "paired video"
    }
  }
}

extension CaptureDate.Source {
  /// Where the date comes from, behind the date.
  fileprivate var words: String {
    switch self {
    case .exif: ", by Exif"
    case .xmp: ", by XMP"
    case .iptc: ", by IPTC"
    case .container: ", by the file's format"
    case .sidecar: ", by a sidecar"
    case .fileName: ", by its name"
    @unknown default: ""
    }
  }
}

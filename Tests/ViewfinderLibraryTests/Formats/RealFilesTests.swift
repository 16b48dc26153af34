import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// A file of a real camera or program, with what ExifTool reads of it.
struct RealFile: Decodable, Sendable, CustomTestStringConvertible {
  var file: String
  var exiftool: [String: Value]

  enum Value: Decodable, Sendable {
    case number(Double)
    case text(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else {
        self = .text(try container.decode(String.self))
      }
    }
  }

  var testDescription: String { file }

  static let all: [RealFile] = MediaCorpus.list("media/manifest.json", "files")

  /// The first of the tags that ExifTool found, whose groups are in the order in which they count.
  private func first<Found>(_ tags: [String], _ convert: (Value) -> Found?) -> Found? {
    for tag in tags {
      if let found = exiftool[tag].flatMap(convert) { return found }
    }
    return nil
  }

  private func number(_ tags: [String]) -> Double? {
    first(tags) { if case .number(let number) = $0 { number } else { nil } }
  }

  var size: Dimensions? {
    let groups = ["File", "PNG", "RIFF", "GIF", "Track1", "Track2", "MPEG", "H264", "Photoshop"]
    guard let width = number(groups.map { $0 + ":ImageWidth" }),
      let height = number(groups.map { $0 + ":ImageHeight" }), width > 0, height > 0
    else { return nil }
    return Dimensions(width: Int(width), height: Int(height))
  }

  /// Originals before what was digitized.
  var date: CaptureDate? {
    let taken = ["ExifIFD", "IFD0", "XMP-exif", "UserData", "H264", "Reconyx"]
      .map { $0 + ":DateTimeOriginal" }
    let made = ["ExifIFD", "IFD0", "XMP-xmp", "QuickTime"].map { $0 + ":CreateDate" }
    return first(taken + made) { value in
      guard case .text(let text) = value else { return nil }
      return CaptureDate(written: text)
    }
  }

  var orientation: Int? { number(["IFD0:Orientation"]).map { Int($0) } }

  var position: GeoPosition? {
    guard let latitude = number(["Composite:GPSLatitude", "XMP-exif:GPSLatitude"]),
      let longitude = number(["Composite:GPSLongitude", "XMP-exif:GPSLongitude"])
    else { return nil }
    return GeoPosition(latitude: latitude, longitude: longitude)
  }

  var duration: Double? {
    number(["Composite:Duration", "QuickTime:Duration", "M2TS:Duration", "RIFF:Duration"])
  }
}

@Suite(
  "What real files say", .enabled(if: !RealFile.all.isEmpty, "The test data isn't there."))
struct RealFilesTests {
  enum Part: String, Sendable { case size, date, orientation, position, duration }

  /// Where the library doesn't say what ExifTool does, and why.
  static let known: [String: (parts: Set<Part>, reason: String)] = [
    "psd_8x4x8bit-Grayscale.psd": ([.size, .date], "documents of Photoshop aren't listed"),
    "psd_AssertionError.PsdReader.extract.psd": ([.size], "documents of Photoshop aren't listed"),
    "heic_IllegalArgumentException.HeifReader.processBoxes.heif": (
      [.size],
      "the box that gives the picture its size is destroyed, and ExifTool's is the thumbnail's"
    ),
    "m2v_sample_mpeg2.m2v": ([.duration], "ExifTool estimates it from the bit rate"),
    "webp_Animation_Lossy.webp": ([.duration], "a picture that moves is no video"),
  ]

  /// What differs; what ExifTool doesn't know is no difference.
  static func differences(_ file: RealFile, _ info: MediaInfo) -> [(part: Part, text: String)] {
    var differences: [(Part, String)] = []
    if let size = file.size, info.storedDimensions != size {
      differences.append((.size, "\(size) \(info.storedDimensions as Any)"))
    }
    if let date = file.date {
      // Zone and fraction may be in other tags of theirs, but must not differ.
      let offset = date.offset ?? info.captureDate?.offset
      if info.captureDate?.localSeconds != date.localSeconds || info.captureDate?.offset != offset {
        differences.append((.date, "\(date) \(info.captureDate as Any)"))
      }
    }
    if let orientation = file.orientation, (1...8).contains(orientation),
      info.type != .heic, info.type != .avif, info.orientation.rawValue != orientation
    {
      differences.append((.orientation, "\(orientation) \(info.orientation)"))
    }
    if let place = file.position {
      let found = info.position
      if abs((found?.latitude ?? .infinity) - place.latitude) > 1e-4
        || abs((found?.longitude ?? .infinity) - place.longitude) > 1e-4
      {
        differences.append((.position, "\(place) \(found as Any)"))
      }
    }
    if let duration = file.duration, abs((info.duration ?? -1) - duration) > 0.01 * duration {
      differences.append((.duration, "\(duration) \(info.duration as Any)"))
    }
    return differences
  }

  static func info(_ file: RealFile) throws -> MediaInfo {
    let path = "media/files/" + file.file
    guard XMPSidecar.hasName(FilePath(file.file)) else { return try MediaCorpus.cost(path).info }
    // A sidecar says of no file what it is.
    let reader = try FileReader(FilePath(MediaCorpus.folder.appendingPathComponent(path)))
    var info = MediaInfo()
    if let xmp = try XMPSidecar.read(reader) { info.add(sidecar: xmp) }
    return info
  }

  @Test("ExifTool says the same, or it is known why not", arguments: RealFile.all)
  func agreement(file: RealFile) throws {
    let differences = Self.differences(file, try Self.info(file))
    let known = Self.known[file.file]
    for difference in differences where known?.parts.contains(difference.part) != true {
      Issue.record("\(difference.part): \(difference.text)")
    }
    if let known, !known.parts.isSubset(of: differences.map(\.part)) {
      Issue.record("This no longer makes a difference: \(known.reason).")
    }
  }

  @Test("Reading a file's headers costs little", arguments: RealFile.all)
  func cost(file: RealFile) throws {
    let (info, windows) = try MediaCorpus.cost("media/files/" + file.file)
    #expect(windows.bytesRead <= 400 << 10 && windows.readCount <= 64)
    #expect(HostileMediaTests.isSound(info, size: windows.size))
  }

  @Test func whoSaysADateIsTold() throws {
    let sources: [(String, CaptureDate.Source)] = [
      ("jpg_Canon_IXUS.jpg", .exif), ("jpg_Reconyx_HC500_firmware_3.3.0.jpg", .exif),
      ("tif_ImageTestSuite_5dd2583cd54384e56a769f04ea05c999.tif", .xmp),
      ("mp4_Issue_515_java_.mp4", .container), ("mts_Sony_ILCE-7M3_A7M3_.mts", .container),
      ("avi_100_0306.AVI", .container), ("xmp_jPhotoTagger-example.xmp", .sidecar),
    ]
    for (name, source) in sources {
      let file = try #require(RealFile.all.first { $0.file == name })
      #expect(try Self.info(file).captureDateSource == source, "\(name)")
    }
  }

  @Test func applesPhotoNamesItsVideo() throws {
    let (info, _) = try MediaCorpus.cost("media/files/heic_IMG_2927.HEIC")
    #expect(info.contentIdentifier == "1745E022-9712-43C7-B024-F308EC6413CB")
  }
}

import Testing
import Viewfinder

@testable import ViewfinderLibrary

@Suite("HEIF and videos") struct ISOMediaTests {
  static func rotation(_ quarters: UInt8) -> [UInt8] { box("irot", [quarters]) }
  static func mirror(_ axis: UInt8) -> [UInt8] { box("imir", [axis]) }

  static let turns: [([[UInt8]], ImageOrientation)] = [
    ([], .up), ([rotation(0)], .up), ([rotation(1)], .left), ([rotation(2)], .down),
    ([rotation(3)], .right), ([mirror(1)], .upMirrored), ([mirror(0)], .downMirrored),
    // Mirrored across after a turn; the other way round, the turn counts backwards.
    ([rotation(3), mirror(1)], .leftMirrored), ([rotation(1), mirror(1)], .rightMirrored),
    ([mirror(1), rotation(3)], .rightMirrored), ([mirror(0), rotation(3)], .leftMirrored),
    ([mirror(0), mirror(1)], .down),
  ]

  @Test("HEIF is turned and mirrored by its properties, never by Exif", arguments: turns)
  func heifTurns(properties: [[UInt8]], orientation: ImageOrientation) throws {
    let info = try mediaInfo(HEIFSample.file(properties: properties))
    #expect(info.orientation == orientation)
  }

  @Test func heifHasExifsDateCameraAndThumbnail() throws {
    let file = HEIFSample.file()
    let info = try mediaInfo(file)
    #expect(info.camera == "Canon EOS R5")
    #expect(info.captureDate == CaptureDate(localSeconds: 1_714_979_289, offset: -12_600))
    #expect(Array(file[try #require(info.preview)]) == jpeg(160, 120))
  }

  static let matrices: [([Int], ImageOrientation)] = [
    ([1, 0, 0, 1], .up), ([0, 1, -1, 0], .right), ([-1, 0, 0, -1], .down), ([0, -1, 1, 0], .left),
    ([-1, 0, 0, 1], .upMirrored), ([1, 0, 0, -1], .downMirrored), ([0, 1, 1, 0], .leftMirrored),
    ([0, -1, -1, 0], .rightMirrored), ([0, 0, 0, 0], .up),
  ]

  @Test("A video is turned by its track's matrix", arguments: matrices)
  func videoTurns(matrix: [Int], orientation: ImageOrientation) throws {
    let info = try mediaInfo(
      VideoSample.file(VideoSample.track("soun") + VideoSample.track(matrix: matrix)))
    #expect(info.orientation == orientation)
    #expect(info.storedDimensions == Dimensions(width: 1920, height: 1080))
  }

  @Test func aVideosDateIsUTC() throws {
    let info = try mediaInfo(VideoSample.file())
    #expect(info.captureDate == CaptureDate(localSeconds: 1_000_000_000, offset: 0))
    #expect(info.duration == 12.5)
    let matroska = try mediaInfo(VideoSample.matroska("webm"))
    #expect(matroska.captureDate == CaptureDate(localSeconds: 978_307_200 + 86_400, offset: 0))
    #expect(matroska.duration == 2.5)
    #expect(try mediaInfo(VideoSample.avi).duration == 4)
  }

  @Test func aVideoMadeIn1904HasNoDate() throws {
    let movie = box("moov", box("mvhd", zeros(100)), VideoSample.track())
    let info = try mediaInfo(box("ftyp", text("isom"), zeros(4)) + movie)
    #expect(info.type == .mpeg4)
    #expect(info.captureDate == nil)
    #expect(info.duration == nil)
  }

  @Test func aVideoWithoutATimeScaleHasNoDuration() throws {
    var file = VideoSample.matroska("webm")
    let scale = try #require(file.indices.first { file[$0...].starts(with: [0x2a, 0xd7, 0xb1]) })
    file.replaceSubrange(scale + 7..<scale + 10, with: zeros(3))
    let info = try mediaInfo(file)
    #expect(info.type == .webM)
    #expect(info.duration == nil)
  }

  static func apple(_ values: [(String, String)]) -> [UInt8] {
    let keys = values.flatMap { key, _ in
      box("mdta", text("com.apple.quicktime." + key))
    }
    let list = values.enumerated().flatMap { index, value in
      big(24 + value.1.utf8.count, 4) + big(index + 1, 4)
        + box("data", big(1, 4), zeros(4), text(value.1))
    }
    return box(
      "meta", box("hdlr", zeros(24)), box("keys", zeros(4), big(values.count, 4), keys),
      box("ilst", list))
  }

  @Test func phonesTellTheLocalTimeAndThePlace() throws {
    let meta = Self.apple([
      ("make", "Apple"), ("model", "iPhone 15"), ("creationdate", "2024-05-06T07:08:09+0200"),
      ("location.ISO6709", "-33.4489-070.6693+570.5/"),
    ])
    let info = try mediaInfo(VideoSample.file(VideoSample.track() + meta))
    #expect(info.captureDate == CaptureDate(localSeconds: 1_714_979_289, offset: 7200))
    #expect(info.position == GeoPosition(latitude: -33.4489, longitude: -70.6693, altitude: 570.5))
    #expect(info.camera == "Apple iPhone 15")
  }

  @Test(
    "Places are decimal degrees",
    arguments: [
      ("+48.1374+011.5755/", GeoPosition(latitude: 48.1374, longitude: 11.5755)),
      ("+48-011CRSWGS_84/", GeoPosition(latitude: 48, longitude: -11)),
      ("+4808.24+01134.53/", nil), ("+91.0+011.0/", nil), ("", nil), ("here", nil), ("+-/", nil),
    ] as [(String, GeoPosition?)])
  func places(place: String, position: GeoPosition?) throws {
    let data = box(
      "udta", box("\u{a9}xyz", big(place.utf8.count, 2), big(0x15c7, 2), text(place)))
    #expect(try mediaInfo(VideoSample.file(VideoSample.track() + data)).position == position)
  }

  @Test func anIndexCutOffIsDamage() throws {
    let file = VideoSample.file()
    let info = try mediaInfo(Array(file.prefix(file.count - 200)))
    #expect(info.type == .mpeg4)
    #expect(info.damage == "it is cut off")
    #expect(info.duration == 12.5)
  }
}

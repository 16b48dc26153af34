import Testing
import Viewfinder

@testable import ViewfinderLibrary

@Suite("What cameras write into videos") struct VideoTagTests {
  static func movie(_ userData: [UInt8]) throws -> MediaInfo {
    try mediaInfo(VideoSample.file(VideoSample.track() + box("udta", userData)))
  }

  /// A value of iTunes' list.
  static func value(_ type: String, _ value: String) -> [UInt8] {
    box(type, box("data", zeros(8), text(value)))
  }

  static func quickTimeText(_ type: String, _ value: String) -> [UInt8] {
    box(type, big(value.utf8.count, 2), big(0x15c7, 2), text(value))
  }

  @Test(
    "A video's own local time counts before its header's UTC",
    arguments: [
      quickTimeText("\u{a9}day", "2003-03-10T15:04:43+0100"),
      box("date", text("2003-03-10T15:04:43+0100")),
      box(
        "meta", zeros(4),
        box("ilst", value("\u{a9}day", "2003-03-10T15:04:43+01:00"))),
    ])
  func dates(userData: [UInt8]) throws {
    let info = try Self.movie(userData)
    #expect(info.captureDate == XMPTests.date)
    #expect(info.captureDateSource == .container)
  }

  @Test func theHeadersDateIsBetterThanNone() throws {
    for text in ["some day", "2003"] {
      let info = try Self.movie(Self.quickTimeText("\u{a9}day", text))
      #expect(info.captureDate == CaptureDate(localSeconds: 1_000_000_000, offset: 0))
      #expect(info.captureDateSource == .container)
    }
  }

  static let sony = box(
    "meta", zeros(4), box("hdlr", zeros(8), text("nrtm"), zeros(13)),
    box(
      "xml ", zeros(4),
      text(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <NonRealTimeMeta xmlns="urn:schemas-professionalDisc:nonRealTimeMeta:ver.2.00">
        <Duration value="100"/><CreationDate value="2003-03-10T15:04:43+01:00"/>
        <Device manufacturer="Sony" modelName="ILCE-7S"/></NonRealTimeMeta>
        """)))

  @Test func sonysVideosHaveXML() throws {
    let info = try mediaInfo(VideoSample.file(VideoSample.track() + Self.sony))
    #expect(info.captureDate == XMPTests.date)
    #expect(info.captureDateSource == .container)
    #expect(info.camera == "Sony ILCE-7S")
  }

  @Test func canonsVideosHaveExif() throws {
    let exif = TIFFBuilder.file([[0x9003: .ascii("2003:03:10 15:04:43")]])
    let main = TIFFBuilder.file([[0x110: .ascii("EOS R"), 0x112: .short(6)]])
    let canon: [UInt8] = [
      0x85, 0xc0, 0xb6, 0x87, 0x82, 0x0f, 0x11, 0xe0, 0x81, 0x11, 0xf4, 0xce, 0x46, 0x2b, 0x6a,
      0x48,
    ]
    let blocks = box("uuid", canon, box("CMT1", main), box("CMT2", exif))
    let info = try mediaInfo(VideoSample.file(VideoSample.track() + blocks))
    #expect(info.captureDate == CaptureDate(localSeconds: 1_047_308_683))
    #expect(info.captureDateSource == .exif)
    #expect(info.camera == "EOS R")
    #expect(info.orientation == .up)
  }

  @Test(
    "A header's date counts from 1904, or from 1970, and not before there were cameras",
    arguments: [
      (3_130_153_483, 1_047_308_683), (1_047_308_683, 1_047_308_683), (0, nil), (600_000_000, nil),
      (2_082_844_801, nil),
    ] as [(Int, Int64?)])
  func headers(number: Int, seconds: Int64?) throws {
    let header = box("mvhd", zeros(4), big(number, 4), zeros(92))
    let file = box("ftyp", text("isom"), zeros(4)) + box("moov", header, VideoSample.track())
    let date = try mediaInfo(file).captureDate
    #expect(date == seconds.map { CaptureDate(localSeconds: $0, offset: 0) })
  }

  static func loci(_ name: [UInt8]) -> [UInt8] {
    let degrees = [-11.5, 48.25, 519].flatMap { big(Int($0 * 65536), 4) }
    return box("loci", zeros(4), big(0x15c7, 2), name, [0], degrees, text("earth\0\0"))
  }

  @Test(
    "3GPP's place follows a name", arguments: [[0], text("home\0"), [0xfe, 0xff, 0, 0x41, 0, 0]])
  func places(name: [UInt8]) throws {
    let position = try Self.movie(Self.loci(name)).position
    #expect(position == GeoPosition(latitude: 48.25, longitude: -11.5, altitude: 519))
  }

  @Test func iTunesListHasAPlace() throws {
    let list = box("ilst", Self.value("\u{a9}xyz", "+48.25-011.5/"))
    #expect(
      try Self.movie(box("meta", zeros(4), list)).position
        == GeoPosition(latitude: 48.25, longitude: -11.5))
  }

  @Test func aPlaceWithoutItsNumbersIsNone() throws {
    #expect(try Self.movie(box("loci", zeros(6), text("endless"))).position == nil)
    #expect(try Self.movie(box("loci", zeros(6), [0], zeros(8))).position == nil)
    #expect(try Self.movie(box("loci")).position == nil)
  }

  @Test func applesVideosNameTheirPhoto() throws {
    let meta = ISOMediaTests.apple([("content.identifier", "7E9A4C5B")])
    #expect(
      try mediaInfo(VideoSample.file(VideoSample.track() + meta)).contentIdentifier == "7E9A4C5B")
  }

  // MARK: AVI

  static let spelled = riffChunk("IDIT", text("Mon Mar 10 15:04:43 2003\n\0"))

  static func list(_ type: String, _ chunks: [UInt8]) -> [UInt8] {
    riffChunk("LIST", text(type), chunks)
  }

  static let nikon = list(
    "ncdt",
    riffChunk(
      "nctg",
      [(3, "NIKON\0"), (4, "E4300\0"), (0x13, "2003:03:10 15:04:43\0")].flatMap { tag, value in
        little(tag, 2) + little(value.utf8.count, 2) + text(value)
      }))

  @Test(
    "AVI has its date in the header, in lists before the pictures or behind them",
    arguments: [
      VideoSample.aviFile(header: spelled), VideoSample.aviFile(list("hdrl", spelled)),
      VideoSample.aviFile(list("INFO", spelled)), VideoSample.aviFile(nikon),
      VideoSample.aviFile(list("movi", zeros(100)) + list("INFO", spelled)),
      VideoSample.aviFile(stream: exif),
    ])
  func aviDates(bytes: [UInt8]) throws {
    let info = try mediaInfo(bytes)
    #expect(info.captureDate == CaptureDate(localSeconds: 1_047_308_683))
    #expect(info.duration == 4)
  }

  /// Exif's directories behind a mark, with offsets from the first one on.
  static let exif: [UInt8] = {
    let main = little(1, 2) + little(0x8769, 2) + little(4, 2) + little(1, 4) + little(18, 4)
    let exif = little(1, 2) + little(0x9003, 2) + little(2, 2) + little(20, 4) + little(36, 4)
    return riffChunk(
      "strd",
      text("AVIF") + zeros(4) + main + zeros(4) + exif + zeros(4) + text("2003:03:10 15:04:43\0"))
  }()

  @Test func nikonNamesTheCamera() throws {
    #expect(try mediaInfo(VideoSample.aviFile(Self.nikon)).camera == "NIKON E4300")
  }

  // MARK: AVCHD

  @Test("AVCHD has size, date, place and duration", arguments: [0, 4])
  func transportStream(prefix: Int) throws {
    let info = try mediaInfo(TransportSample.file(prefix: prefix))
    #expect(info.type == .mpegTransportStream)
    #expect(info.storedDimensions == Dimensions(width: 1920, height: 1080))
    #expect(info.captureDate == XMPTests.date)
    #expect(info.captureDateSource == .container)
    #expect(info.position == GeoPosition(latitude: 48 + 8.0 / 60, longitude: -11.5))
    #expect(info.duration == 2)
  }

  @Test(
    "The zone has half hours and a sign, or isn't known",
    arguments: [(0x02, 3600), (0x2b, -19_800), (0x00, 0), (0x80, nil)] as [(UInt8, Int32?)])
  func zones(zone: UInt8, offset: Int32?) throws {
    let entries = [[0x18, zone, 0x20, 0x03, 0x03], TransportSample.entries[1]]
    let info = try mediaInfo(TransportSample.file(TransportSample.picture(entries)))
    #expect(info.captureDate == CaptureDate(localSeconds: 1_047_308_683, offset: offset))
  }

  @Test func digitsThatAreNoneMakeNoDate() throws {
    let entries: [[UInt8]] = [[0x18, 2, 0x20, 0x0a, 0x03], TransportSample.entries[1]]
    let info = try mediaInfo(TransportSample.file(TransportSample.picture(entries)))
    #expect(info.captureDate == nil)
    #expect(info.storedDimensions == Dimensions(width: 1920, height: 1080))
  }

  @Test func mpeg2HasItsSizeInTheSequence() throws {
    let size = Dimensions(width: 720, height: 576)
    let stream = [0, 0, 1, 0xe0, 0, 0, 0x80, 0, 0] + TransportSample.mpeg2
    #expect(try mediaInfo(TransportSample.file(stream)).storedDimensions == size)
    let program = [0, 0, 1, 0xba, 0x44] + zeros(9) + TransportSample.mpeg2
    #expect(try mediaInfo(program).storedDimensions == size)
  }

  @Test func theClockMayBeginAnew() throws {
    var bytes = TransportSample.file()
    let last = TransportSample.packet(0x1001, [], clock: 1, begins: false)
    bytes.replaceSubrange(bytes.count - last.count..<bytes.count, with: last)
    let duration = try #require(try mediaInfo(bytes).duration)
    #expect(abs(duration - (Double(1 << 33) / 90_000 - 9)) < 1e-6)
  }

  @Test func aLongStreamIsReadAtItsEndsAlone() throws {
    let file = try MediaFile(TransportSample.file())
    let filling = TransportSample.packet(0x1100, zeros(100))
    let end = 192 << 24
    try file.put(zeros(4) + filling, at: UInt64(end))
    let last = TransportSample.packet(0x1001, [], clock: 3610, begins: false)
    try file.put(zeros(4) + last, at: UInt64(end - 192 * 1000))
    let info = try HostileMediaTests.expectWithinLimits(file)
    #expect(info.duration == 3600)
    #expect(info.captureDate == XMPTests.date)
  }
}

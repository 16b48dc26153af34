import Testing
import Viewfinder

@testable import ViewfinderLibrary

@Suite("Which statement counts") struct PrecedenceTests {
  static func date(_ year: Int64) -> CaptureDate { CaptureDate(localSeconds: year) }

  @Test func whatADateMeansCountsBeforeWhoSaysIt() {
    var ranks: [CaptureDate.Rank] = []
    for meaning in [CaptureDate.Meaning.taken, .digitized, .changed] {
      for source in [CaptureDate.Source.exif, .xmp, .iptc, .container, .sidecar, .fileName] {
        ranks.append(CaptureDate.Rank(meaning: meaning, source: source))
      }
    }
    #expect(ranks.shuffled().sorted() == ranks)
  }

  @Test func theOrderOfStatementsDoesNotMatter() {
    let statements: [(CaptureDate, CaptureDate.Meaning, CaptureDate.Source)] = [
      (Self.date(1), .taken, .xmp), (Self.date(2), .taken, .container),
      (Self.date(3), .digitized, .exif), (Self.date(4), .changed, .exif),
    ]
    for order in [statements, statements.reversed(), statements.shuffled()] {
      var info = MediaInfo()
      for (date, meaning, source) in order { info.state(date, meaning, by: source) }
      #expect(info.captureDate == Self.date(1) && info.captureDateSource == .xmp)
    }
    var info = MediaInfo()
    info.state(nil, .taken, by: .exif)
    info.state(Self.date(1), .changed, by: .exif)
    info.state(Self.date(2), .changed, by: .exif)
    #expect(info.captureDate == Self.date(1))
  }

  @Test func aDayGetsItsTimeFromALesserStatement() throws {
    let day = try #require(CaptureDate(written: "2003-03-10"))
    let moment = try #require(CaptureDate(written: "2003-03-10T15:04:43+01:00"))
    let other = try #require(CaptureDate(written: "2003-03-11T15:04:43"))
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [2, 0, 1]] {
      var info = MediaInfo()
      for index in order {
        switch index {
        case 0: info.state(day, .taken, by: .iptc)
        case 1: info.state(moment, .digitized, by: .exif)
        default: info.state(other, .changed, by: .exif)
        }
      }
      #expect(info.captureDate == moment && info.captureDateSource == .exif)
    }
    var info = MediaInfo()
    info.state(day, .taken, by: .iptc)
    info.state(other, .digitized, by: .exif)
    #expect(info.captureDate == day && info.captureDateSource == .iptc)
  }

  @Test func anOldPrintHasTheDayThatAPersonGaveIt() throws {
    let exif = TIFFBuilder.file([
      [
        0x132: .ascii("2010:01:03 00:00:00"),
        0x8769: .directory([0x9004: .ascii("2010:01:02 00:00:00")]),
      ]
    ])
    let person = XMPSample.segment(XMPSample.packet("photoshop:DateCreated=\"1950-06\""))
    let scan = exifSegment(exif) + person
    let info = try mediaInfo(jpeg(40, 30, scan))
    #expect(info.captureDate == CaptureDate(written: "1950-06-01"))
    #expect(info.captureDateSource == .xmp)
    let scanned = try mediaInfo(jpeg(40, 30, exifSegment(exif)))
    #expect(scanned.captureDate == CaptureDate(written: "2010-01-02"))
    #expect(scanned.captureDateSource == .exif)
  }

  @Test func exifsPlaceCountsBeforeXMPsAndThatBeforeTheContainers() {
    let places = [1.0, 2, 3].map { GeoPosition(latitude: $0, longitude: 0) }
    var info = MediaInfo()
    info.state(places[2], by: .container)
    #expect(info.position == places[2])
    info.state(places[1], by: .xmp)
    info.state(places[0], by: .exif)
    info.state(places[1], by: .xmp)
    info.state(GeoPosition(latitude: 91, longitude: 0), by: .exif)
    info.state(GeoPosition(latitude: .nan, longitude: 0), by: .exif)
    #expect(info.position == places[0])
    #expect(info.positionSource == .exif)
  }
}

@Suite("Sidecars") struct XMPSidecarTests {
  static let person = """
    exif:DateTimeOriginal="2003-03-10T15:04:43+01:00" exif:GPSLatitude="1N" exif:GPSLongitude="2E" \
    tiff:Orientation="6" tiff:Make="ACME"
    """
  static func sidecar(_ attributes: String = person) throws -> XMP {
    try #require(XMP(XMPSample.packet(attributes)))
  }

  static func info(_ sample: String, _ attributes: String = person) throws -> MediaInfo {
    let file = try #require(MediaSample.all.first { $0.description == sample })
    var info = try mediaInfo(file.bytes)
    info.add(sidecar: try sidecar(attributes))
    return info
  }

  @Test(
    "The candidates are the whole name's and the stem's",
    arguments: [
      ("a/IMG_1.CR2", ["IMG_1.CR2.xmp", "IMG_1.CR2.XMP", "IMG_1.xmp", "IMG_1.XMP"]),
      ("photo", ["photo.xmp", "photo.XMP"]), (".jpg", [".jpg.xmp", ".jpg.XMP"]),
    ])
  func names(photo: String, names: [String]) {
    #expect(XMPSidecar.names(for: FilePath(photo)) == names.map { FilePath($0) })
    #expect(names.allSatisfy { XMPSidecar.hasName(FilePath($0)) })
    #expect(!XMPSidecar.hasName(FilePath(photo)))
  }

  @Test func aSidecarMaySayToWhichOfTwoFilesItBelongs() throws {
    let raw = try Self.sidecar("photoshop:SidecarForExtension=\"CR2\"")
    #expect(XMPSidecar.applies(raw, to: "IMG_1.cr2"))
    #expect(!XMPSidecar.applies(raw, to: "IMG_1.JPG"))
    #expect(XMPSidecar.applies(try Self.sidecar(), to: "IMG_1.JPG"))
  }

  @Test(
    "In raw pictures and videos the sidecar has the last word", arguments: ["NEF", "CR3", "MP4"])
  func overriding(sample: String) throws {
    let info = try Self.info(sample)
    #expect(info.captureDate == XMPTests.date)
    #expect(info.captureDateSource == .sidecar)
    #expect(info.position == GeoPosition(latitude: 1, longitude: 2))
    #expect(info.orientation == (sample == "MP4" ? .up : .right))
  }

  @Test("In other pictures it fills what they don't say", arguments: ["JPEG", "PNG", "HEIC"])
  func filling(sample: String) throws {
    let info = try Self.info(sample)
    #expect(info.captureDateSource == .exif)
    #expect(info.position == GeoPosition(latitude: -33.5, longitude: -70.25))
    #expect(info.camera == "Canon EOS R5")
    let empty = try Self.info("GIF")
    #expect(empty.captureDate == XMPTests.date && empty.captureDateSource == .sidecar)
    #expect(empty.position == GeoPosition(latitude: 1, longitude: 2))
    #expect(empty.orientation == .up && empty.camera == "ACME")
  }

  @Test func aDateOfTheLastChangeIsNoneToKeep() throws {
    let exif = exifSegment(TIFFBuilder.file([[0x132: .ascii("2010:01:03 00:00:00")]]))
    var info = try mediaInfo(jpeg(40, 30, exif))
    info.add(sidecar: try Self.sidecar())
    #expect(info.captureDate == XMPTests.date)
  }

  @Test func aCopyOfTheFilesDateTakesNothingAway() throws {
    let exif = TIFFBuilder.file([
      [
        0x100: .short(40), 0x101: .short(30), 0xc612: .bytes([1, 4, 0, 0]),
        0x8769: .directory([
          0x9003: .ascii("2003:03:10 15:04:43"), 0x9291: .ascii("25"), 0x9011: .ascii("+01:00"),
        ]),
      ]
    ])
    var info = try mediaInfo(exif)
    info.add(sidecar: try Self.sidecar("exif:DateTimeOriginal=\"2003-03-10T15:04:43\""))
    #expect(info.captureDate?.nanoseconds == 250_000_000 && info.captureDate?.offset == 3600)
    #expect(info.captureDateSource == .exif)
    info.add(sidecar: try Self.sidecar("photoshop:DateCreated=\"2003-03-10\""))
    #expect(info.captureDateSource == .exif)
    info.add(sidecar: try Self.sidecar("photoshop:DateCreated=\"2003-03-11\""))
    #expect(info.captureDate == CaptureDate(written: "2003-03-11"))
  }

  @Test func whenAFileWasMadeIsNotWhenItWasTaken() throws {
    let made = "xmp:CreateDate=\"2020-01-01T00:00:00\""
    let exif = TIFFBuilder.file([
      [
        0x100: .short(40), 0x101: .short(30), 0xc612: .bytes([1, 4, 0, 0]),
        0x8769: .directory([0x9003: .ascii("2003:03:10 15:04:43")]),
      ]
    ])
    var info = try mediaInfo(exif)
    info.add(sidecar: try Self.sidecar(made))
    #expect(info.captureDate == CaptureDate(localSeconds: 1_047_308_683))
    #expect(try Self.info("GIF", made).captureDate == CaptureDate(written: "2020"))
  }

  @Test func aPlaceOffEarthIsIgnored() throws {
    let info = try Self.info("NEF", "exif:GPSLatitude=\"99N\" exif:GPSLongitude=\"2E\"")
    #expect(info.position == nil && info.positionSource == nil)
  }

  @Test func aFileIsReadWholeOrNotAtAll() throws {
    let folder = try ScratchFolder()
    try folder.write("a.xmp", String(decoding: XMPSample.dated, as: UTF8.self))
    #expect(try XMPSidecar.read(FileReader(folder.path.appending("a.xmp")))?.taken == XMPTests.date)
    try folder.write("b.xmp", "")
    #expect(try XMPSidecar.read(FileReader(folder.path.appending("b.xmp"))) == nil)
  }
}

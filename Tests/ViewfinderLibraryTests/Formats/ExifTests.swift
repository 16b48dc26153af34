import Testing
import Viewfinder

@testable import ViewfinderLibrary

@Suite("Exif") struct ExifTests {
  /// What a JPEG with these directories is.
  static func info(
    _ main: TIFFBuilder.Directory, exif: TIFFBuilder.Directory? = nil,
    gps: TIFFBuilder.Directory? = nil, little: Bool = true
  ) throws -> MediaInfo {
    var main = main
    if let exif { main[0x8769] = .directory(exif) }
    if let gps { main[0x8825] = .directory(gps) }
    return try mediaInfo(jpeg(40, 30, exifSegment(TIFFBuilder.file([main], little: little))))
  }

  @Test(
    "All eight orientations, in both byte orders", arguments: ImageOrientation.allCases,
    [true, false])
  func orientations(orientation: ImageOrientation, little: Bool) throws {
    let info = try Self.info([0x112: .short(orientation.rawValue)], little: little)
    #expect(info.orientation == orientation)
    let size = Dimensions(width: 40, height: 30)
    #expect(info.dimensions == (orientation.rawValue > 4 ? size.swapped : size))
  }

  @Test("Other orientations are upright", arguments: [0, 9, 65535])
  func noOrientation(value: Int) throws {
    #expect(try Self.info([0x112: .short(value)]).orientation == .up)
  }

  @Test(
    "How a picture was taken is told, and what isn't told is unknown", arguments: [true, false])
  func metadata(little: Bool) throws {
    let metadata = try Self.info(
      [
        0x10e: .ascii("A card"), 0x10f: .ascii("ACME"), 0x13b: .ascii("Ann"),
        0x8298: .ascii("Ann, 2024"),
      ],
      exif: [
        0x829a: .rational([(1, 250)]), 0x829d: .rational([(18, 10)]), 0x8827: .short([400]),
        0x9209: .short([0x19]), 0x920a: .rational([(0, 0)]), 0xa405: .short([0]),
        0xa434: .ascii("ACME 26 mm"),
      ], little: little
    ).metadata
    #expect(metadata.imageDescription == "A card")
    #expect(metadata.make == "ACME")
    #expect(metadata.model == nil)
    #expect(metadata.artist == "Ann")
    #expect(metadata.copyright == "Ann, 2024")
    #expect(metadata.exposureTime == 0.004)
    #expect(metadata.fNumber == 1.8)
    #expect(metadata.iso == 400)
    #expect(metadata.isFlashFired == true)
    #expect(metadata.focalLength == nil)
    #expect(metadata.focalLengthIn35mmFilm == nil)
    #expect(metadata.lens == "ACME 26 mm")
  }

  @Test(
    "A date counts from 1970",
    arguments: [
      ("1970:01:01 00:00:00", 0), ("2000:02:29 12:00:00", 951_825_600),
      ("2024:12:31 23:59:59", 1_735_689_599), ("1969:12:31 23:59:58", -2),
      ("2024-05-06T07:08:09", 1_714_979_289), ("2024:5:6  7:08:09", 1_714_979_289),
      ("Mon May 06 07:08:09 2024", 1_714_979_289), ("2024:05:06", 1_714_953_600),
      ("2038:01:19 03:14:08", 2_147_483_648),
    ])
  func dates(date: String, seconds: Int64) throws {
    let found = try Self.info([:], exif: [0x9003: .ascii(date)]).captureDate
    #expect(found == CaptureDate(localSeconds: seconds))
  }

  @Test(
    "A blank or malformed date is unknown",
    arguments: [
      "", "    :  :     :  :  ", "0000:00:00 00:00:00", "2023:02:29 00:00:00",
      "2024:13:01 00:00:00",
      "2024:04:31 00:00:00", "2024:01:01 24:00:00", "2024:01:01 00:60:00", "2024:01:01 00:00:60",

      "-024:01:01 00:00:00", "yesterday, at night", "2024:01:00 00:00:00", "2024:00:01 00:00:00",
    ])
  func malformedDates(date: String) throws {
    #expect(try Self.info([:], exif: [0x9003: .ascii(date)]).captureDate == nil)
  }

  @Test(
    "An offset is known or not",
    arguments: [
      ("+02:00", 7200), ("-03:30", -12_600), ("+14:00", 50_400), ("-00:00", 0), ("Z", 0),
      ("   :  ", nil), ("", nil), ("02:00", nil), ("+2:00", nil), ("+99:00", nil), ("+01:60", nil),
      ("Local", nil),
    ] as [(String, Int32?)])
  func offsets(offset: String, seconds: Int32?) throws {
    let date = try Self.info(
      [:], exif: [0x9003: .ascii("2024:05:06 07:08:09"), 0x9011: .ascii(offset)]
    ).captureDate
    #expect(date == CaptureDate(localSeconds: 1_714_979_289, offset: seconds))
    #expect((date?.instant == nil) == (seconds == nil))
  }

  @Test(
    "Fractions of a second",
    arguments: [
      ("5", 500_000_000), ("123", 123_000_000), ("000001", 1000), ("1234567899", 123_456_789),
      ("12 ", 120_000_000), ("", nil), ("   ", nil), ("-1", nil), ("1a", nil),
    ] as [(String, Int32?)])
  func fractions(fraction: String, nanoseconds: Int32?) throws {
    let date = try Self.info(
      [:], exif: [0x9003: .ascii("2024:05:06 07:08:09"), 0x9291: .ascii(fraction)]
    ).captureDate
    #expect(date?.nanoseconds == nanoseconds)
  }

  @Test func theNextBestDateComesWithItsOwnOffset() throws {
    let offsets: TIFFBuilder.Directory = [
      0x9010: .ascii("+01:00"), 0x9011: .ascii("+02:00"), 0x9012: .ascii("+03:00"),
    ]
    var main: TIFFBuilder.Directory = [0x132: .ascii("1970:01:01 00:00:01")]
    let digitized = offsets.merging(
      [0x9003: .ascii("broken"), 0x9004: .ascii("1970:01:01 00:00:02")]) { $1 }
    #expect(
      try Self.info(main, exif: digitized).captureDate
        == CaptureDate(localSeconds: 2, offset: 10_800))
    #expect(
      try Self.info(main, exif: offsets).captureDate == CaptureDate(localSeconds: 1, offset: 3600))
    #expect(try Self.info(main).captureDate == CaptureDate(localSeconds: 1))
    main = [:]
    #expect(try Self.info(main, exif: offsets).captureDate == nil)
  }

  @Test func theFirstDirectoryMayHaveTheDate() throws {
    let main: TIFFBuilder.Directory = [
      0x132: .ascii("1970:01:01 00:00:03"), 0x9003: .ascii("1970:01:01 00:00:02"),
    ]
    #expect(try Self.info(main).captureDate == CaptureDate(localSeconds: 2))
    let exif: TIFFBuilder.Directory = [0x9003: .ascii("1970:01:01 00:00:01")]
    #expect(try Self.info(main, exif: exif).captureDate == CaptureDate(localSeconds: 1))
  }

  static func gps(_ south: String, _ west: String, _ degrees: (Int, Int) = (10, 1))
    -> TIFFBuilder.Directory
  {
    [
      1: .ascii(south), 2: .rational([degrees, (30, 1), (36, 1)]), 3: .ascii(west),
      4: .rational([(20, 1), (15, 1), (0, 0)]),
    ]
  }

  @Test(
    "Hemispheres have their signs", arguments: [("N", "E"), ("S", "E"), ("N", "W"), ("S", "W")])
  func hemispheres(latitude: String, longitude: String) throws {
    let position = try #require(try Self.info([:], gps: Self.gps(latitude, longitude)).position)
    #expect(abs(position.latitude - (latitude == "S" ? -10.51 : 10.51)) < 1e-9)
    #expect(abs(position.longitude - (longitude == "W" ? -20.25 : 20.25)) < 1e-9)
    #expect(position.altitude == nil)
  }

  @Test func whatIsNoPositionIsUnknown() throws {
    #expect(try Self.info([:], gps: Self.gps("", "E")).position == nil)
    #expect(try Self.info([:], gps: Self.gps("N", "?")).position == nil)
    #expect(try Self.info([:], gps: Self.gps("N", "E", (0, 0))).position == nil)
    #expect(try Self.info([:], gps: Self.gps("N", "E", (91, 1))).position == nil)
    #expect(try Self.info([:], gps: [:]).position == nil)
  }

  @Test("Below the sea is negative", arguments: [(0, 12.5), (1, -12.5)])
  func altitude(reference: UInt8, metres: Double) throws {
    var gps = Self.gps("N", "E")
    gps[5] = .bytes([reference])
    gps[6] = .rational([(25, 2)])
    #expect(try Self.info([:], gps: gps).position?.altitude == metres)
  }

  @Test func theMakeIsNotRepeated() throws {
    func camera(_ make: String?, _ model: String?) throws -> String? {
      var main: TIFFBuilder.Directory = [:]
      main[0x10f] = make.map { .ascii($0) }
      main[0x110] = model.map { .ascii($0) }
      return try Self.info(main).camera
    }
    #expect(try camera("Canon", "Canon EOS R5") == "Canon EOS R5")
    #expect(try camera("SONY  ", " DSC-P12\0\0") == "SONY DSC-P12")
    #expect(try camera(nil, "Pixel") == "Pixel")
    #expect(try camera("Make", nil) == "Make")
    #expect(try camera("  ", "") == nil)
  }

  @Test func aThumbnailMustBeAJPEGInsideTheFile() throws {
    func preview(_ jpeg: TIFFBuilder.Value, _ length: Int) throws -> Range<Int>? {
      let exif = TIFFBuilder.file([[0x112: .short(1)], [0x201: jpeg, 0x202: .long(length)]])
      return try mediaInfo(ViewfinderLibraryTests.jpeg(40, 30, exifSegment(exif))).preview
    }
    let thumbnail = jpeg(16, 12)
    #expect(try preview(.place(thumbnail), thumbnail.count) != nil)
    #expect(try preview(.place(thumbnail), 1 << 20) == nil)
    #expect(try preview(.place(zeros(64)), 64) == nil)
    #expect(try preview(.long(1 << 30), 64) == nil)
    #expect(try preview(.long(0xffff_ffff), 0xffff_ffff) == nil)
    // Lossless JPEG holds sensors' data.
    #expect(try preview(.place(jpeg(16, 12, frame: 0xc3)), thumbnail.count) == nil)
  }
}

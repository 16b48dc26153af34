import CZLib
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// IPTC's records, and what programs put into PNG's texts.
enum TextSample {
  static func iptc(_ sets: [(Int, String)]) -> [UInt8] {
    sets.flatMap { number, value in
      [0x1c, 2, UInt8(number)] + big(value.utf8.count, 2) + text(value)
    }
  }

  static let iptc = iptc([
    (0, "\u{0}\u{2}"), (5, "A title"), (55, "20030310"), (60, "150443+0100"),
  ])

  static func resource(_ number: Int, _ name: String, _ content: [UInt8]) -> [UInt8] {
    let name = [UInt8(name.utf8.count)] + text(name)
    return text("8BIM") + big(number, 2) + name + zeros(name.count % 2) + big(content.count, 4)
      + content + zeros(content.count % 2)
  }

  static let photoshop =
    resource(0x03ed, "", zeros(5)) + resource(0x0404, "the record", iptc)

  static let segment = jpegSegment(0xed, text("Photoshop 3.0\0") + photoshop)

  static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    var count = compressBound(UInt(bytes.count))
    var result = zeros(Int(count))
    _ = unsafe compress(&result, &count, bytes, UInt(bytes.count))
    return Array(result.prefix(Int(count)))
  }

  /// ImageMagick's lines of 72 digits.
  static func profile(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    var lines = "\n\(name)\n\(String(repeating: " ", count: 6))\(bytes.count)\n"
    for start in stride(from: 0, to: bytes.count, by: 36) {
      for byte in bytes[start..<min(start + 36, bytes.count)] {
        lines += (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
      lines += "\n"
    }
    return text(lines)
  }

  static func chunk(_ name: String, _ bytes: [UInt8], compressed: Bool = true) -> [UInt8] {
    let keyword = text("Raw profile type \(name)\0"), profile = profile(name, bytes)
    return compressed
      ? pngChunk("zTXt", keyword + [0] + deflated(profile)) : pngChunk("tEXt", keyword + profile)
  }
}

@Suite("IPTC") struct IPTCTests {
  static let page: TIFFBuilder.Directory = [0x100: .short(40), 0x101: .short(30)]

  static let files: [(String, [UInt8])] = [
    ("JPEG", jpeg(40, 30, TextSample.segment)),
    ("TIFF", TIFFBuilder.file([page.merging([0x83bb: .undefined(TextSample.iptc)]) { $1 }])),
    (
      "TIFF, as numbers of four bytes",
      TIFFBuilder.file([page.merging([0x83bb: .long(longs)]) { $1 }])
    ),
    (
      "TIFF, with Photoshop's resources",
      TIFFBuilder.file([page.merging([0x8649: .bytes(TextSample.photoshop)]) { $1 }])
    ),
    ("PNG", png(40, 30, before: TextSample.chunk("iptc", TextSample.photoshop))),
    (
      "PNG, bare", png(40, 30, before: TextSample.chunk("iptc", TextSample.iptc, compressed: false))
    ),
  ]

  static let longs: [Int] = stride(from: 0, to: TextSample.iptc.count, by: 4).map { start in
    TextSample.iptc[start..<min(start + 4, TextSample.iptc.count)].reversed()
      .reduce(0) { $0 << 8 | Int($1) }
  }

  @Test("A date and its time are two statements", arguments: files)
  func dates(name: String, bytes: [UInt8]) throws {
    let info = try mediaInfo(bytes)
    #expect(info.captureDate == XMPTests.date, "\(name)")
    #expect(info.captureDateSource == .iptc)
  }

  @Test func whenItWasDigitizedIsTheNextBest() throws {
    func date(_ sets: [(Int, String)]) throws -> CaptureDate? {
      let record = TextSample.resource(0x0404, "", TextSample.iptc(sets))
      return try mediaInfo(
        jpeg(40, 30, jpegSegment(0xed, text("Photoshop 3.0\0") + record))
      ).captureDate
    }
    let day = CaptureDate(written: "2003-03-10")
    #expect(try date([(62, "20030310"), (63, "150443+0100")]) == XMPTests.date)
    #expect(try date([(55, "20030310"), (62, "20010101")]) == day)
    #expect(try date([(55, "20030310"), (60, "later")]) == day)
    #expect(try date([(55, "00000000"), (62, "20030310")]) == day)
    #expect(try date([(60, "150443+0100")]) == nil)
  }
}

@Suite("PNG's texts") struct PNGTextProfileTests {
  @Test("Exif is in chunks of text", arguments: ["exif", "APP1"], [true, false])
  func exif(name: String, compressed: Bool) throws {
    let bytes = text("Exif\0\0") + MediaSample.exif
    let info = try mediaInfo(
      png(30, 20, before: TextSample.chunk(name, bytes, compressed: compressed)))
    #expect(info.orientation == .right)
    #expect(info.camera == "Canon EOS R5")
    #expect(info.captureDate == CaptureDate(localSeconds: 1_714_979_289, offset: -12_600))
    // They are parts of the text, and none of the file.
    #expect(info.preview == nil && info.exif == nil)
  }

  @Test func xmpIsInChunksOfText() throws {
    let mark = text("http://ns.adobe.com/xap/1.0/\0")
    let keyword = text("XML:com.adobe.xmp\0")
    let chunks = [
      TextSample.chunk("xmp", XMPSample.dated), TextSample.chunk("APP1", mark + XMPSample.dated),
      pngChunk("iTXt", keyword + [1, 0, 0, 0] + TextSample.deflated(XMPSample.dated)),
      pngChunk("zTXt", keyword + [0] + TextSample.deflated(XMPSample.dated)),
    ]
    for chunk in chunks {
      #expect(try mediaInfo(png(30, 20, before: chunk)).captureDate == XMPTests.date)
      #expect(try mediaInfo(png(30, 20, after: chunk)).captureDate == XMPTests.date)
    }
  }

  @Test func theTimeOfCreationIsOne() throws {
    let chunk = pngChunk("tEXt", text("Creation Time\0Mon, 10 Mar 2003 15:04:43 +0100"))
    let info = try mediaInfo(png(30, 20, before: chunk))
    #expect(info.captureDate == XMPTests.date)
    #expect(info.captureDateSource == .container)
  }

  @Test func theExifChunkCountsBeforeTexts() throws {
    let other = TIFFBuilder.file([[0x112: .short(3), 0x110: .ascii("Other")]])
    let (chunk, text) = (pngChunk("eXIf", MediaSample.exif), TextSample.chunk("exif", other))
    for chunks in [chunk + text, text + chunk] {
      let info = try mediaInfo(png(30, 20, before: chunks))
      #expect(info.orientation == .right && info.camera == "Canon EOS R5" && info.exif != nil)
    }
  }

  @Test func whatGrowsIntoGigabytesIsCutOff() throws {
    let bomb = TextSample.deflated(zeros(64 << 20))
    let chunks = (0..<40).flatMap { _ in
      pngChunk("zTXt", text("Raw profile type exif\0") + [0] + bomb)
    }
    let file = try MediaFile(png(30, 20, before: chunks))
    #expect(try HostileMediaTests.expectWithinLimits(file).captureDate == nil)
    #expect(Inflate.bytes(bomb, limit: 1000).count == 1000)
  }

  @Test func damagedTextIsNone() throws {
    let good = TextSample.deflated(text("What was written"))
    #expect(Inflate.bytes(good, limit: 100) == text("What was written"))
    #expect(Inflate.bytes([], limit: 100) == [])
    #expect(Inflate.bytes(zeros(50), limit: 100) == [])
    #expect(Inflate.bytes(Array(good.dropLast(5)), limit: 100).count <= 16)
    for profile in ["", "\n", "\nexif\n", "\nexif\n 9\n", "\nexif\n9\nzz", "no lines at all"] {
      let chunk = pngChunk("tEXt", text("Raw profile type exif\0\(profile)"))
      #expect(try mediaInfo(png(30, 20, before: chunk)).storedDimensions != nil)
    }
  }
}

@Suite("Notes of camera makers") struct MakerNoteTests {
  static func info(_ note: [UInt8]) throws -> MediaInfo {
    try ExifTests.info([:], exif: [0x927c: .undefined(note)])
  }

  /// Apple's directory, whose text lies behind it.
  static func apple(_ identifier: String, at offset: Int? = nil) -> [UInt8] {
    let value = text(identifier) + [0]
    return text("Apple iOS\0") + [0, 1] + text("MM") + big(1, 2) + big(0x11, 2) + big(2, 2)
      + big(value.count, 4) + big(offset ?? 32, 4) + big(0, 4) + value
  }

  @Test("Apple's name what a photo and its video have in common", arguments: [true, false])
  func apple(little: Bool) throws {
    let identifier = "7E9A4C5B-1E2D-4B62-9C38-0123456789AB"
    let info = try ExifTests.info(
      [:], exif: [0x927c: .undefined(Self.apple(identifier))], little: little)
    #expect(info.contentIdentifier == identifier)
    #expect(try Self.info(Self.apple(identifier, at: 1 << 30)).contentIdentifier == nil)
    #expect(try Self.info(text("Apple iOS\0")).contentIdentifier == nil)
  }

  @Test func reconyxHasTheDateThere() throws {
    let numbers = [0xf101, 3] + Array(repeating: 0, count: 9) + [43, 4, 15, 3, 10, 2003]
    let info = try Self.info(numbers.flatMap { little($0, 2) })
    #expect(info.captureDate == CaptureDate(localSeconds: 1_047_308_683))
    let malformed = numbers.map { $0 == 3 ? 2 : $0 == 43 ? 99 : $0 }
    #expect(try Self.info(malformed.flatMap { little($0, 2) }).captureDate == nil)
    #expect(try Self.info(little(0xf101, 2)).captureDate == nil)
  }
}

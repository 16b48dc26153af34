import Testing
import Viewfinder

@testable import ViewfinderLibrary

@Suite("XMP") struct XMPTests {
  static let date = CaptureDate(localSeconds: 1_047_308_683, offset: 3600)

  static func xmp(_ attributes: String = "", _ elements: String = "") -> XMP? {
    XMP(XMPSample.packet(attributes, elements))
  }

  @Test("Every kind of file has a place for it", arguments: XMPSample.files(XMPSample.dated))
  func files(name: String, bytes: [UInt8]) throws {
    let info = try mediaInfo(bytes)
    #expect(info.captureDate == (name == "CR3" ? MediaSample.cr3Date : Self.date), "\(name)")
    #expect(info.captureDateSource == (name == "CR3" ? .exif : .xmp))
    let position = try #require(info.position)
    #expect(abs(position.latitude - (48 + 8.0 / 60)) < 1e-9 && position.longitude == -11.5)
    #expect(info.damage == nil)
    if name != "CR3" { #expect(info.camera == "ACME Box") }
  }

  @Test func propertiesAreAttributesOrElements() {
    let elements = """
      <exif:DateTimeOriginal>2003-03-10T15:04:43+01:00</exif:DateTimeOriginal>
      <exif:GPSLatitude> 48,8N </exif:GPSLatitude><exif:GPSLongitude>11,30,0W</exif:GPSLongitude>
      <tiff:Make>AC&#77;E</tiff:Make><tiff:Model>Box</tiff:Model>
      """
    #expect(Self.xmp("", elements) == Self.xmp(XMPSample.statements))
    #expect(Self.xmp("", elements)?.make == "ACME")
  }

  @Test func prefixesAreTheFilesOwn() {
    let packet = text(
      """
      <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description \
      xmlns:xap="http://ns.adobe.com/xap/1.0/"><xap:CreateDate>2003-03-10T15:04:43+01:00</xap:CreateDate>\
      </r:Description></r:RDF>
      """)
    #expect(XMP(packet)?.digitized == Self.date)
    #expect(XMP(packet)?.taken == nil)
  }

  @Test func historyAndPicturesInsideDoNotCount() {
    let inner =
      "<rdf:Description xmp:CreateDate=\"1999-01-01\" exif:DateTimeOriginal=\"1999-01-01\"/>"
    let elements = """
      <xmpMM:Pantry><rdf:Bag><rdf:li>\(inner)</rdf:li></rdf:Bag></xmpMM:Pantry>
      <xmpMM:DerivedFrom rdf:parseType="Resource"><xmp:CreateDate>1999-01-01</xmp:CreateDate>
      </xmpMM:DerivedFrom>
      """
    #expect(Self.xmp("", elements) == nil)
    #expect(
      Self.xmp("xmp:CreateDate=\"2003-03-10\"", elements)?.digitized?.localSeconds == 1_047_254_400)
  }

  @Test func theBestDateCounts() {
    let all = """
      exif:DateTimeOriginal="2001-01-01" photoshop:DateCreated="2002-01-01" \
      exif:DateTimeDigitized="2003-01-01" xmp:CreateDate="2004-01-01"
      """
    #expect(Self.xmp(all)?.taken == CaptureDate(written: "2001"))
    #expect(Self.xmp(all)?.digitized == CaptureDate(written: "2003"))
    let some = "photoshop:DateCreated=\"2002-01-01\" xmp:CreateDate=\"2004-01-01\""
    #expect(Self.xmp(some)?.taken == CaptureDate(written: "2002"))
    #expect(Self.xmp(some)?.digitized == CaptureDate(written: "2004"))
    #expect(Self.xmp("xmp:ModifyDate=\"2004-01-01\"") == nil)
  }

  @Test func aFractionMayStandByItself() {
    let found = Self.xmp(
      "exif:DateTimeOriginal=\"2003-03-10T15:04:43\" exif:SubSecTimeOriginal=\"25\"")
    #expect(found?.taken?.nanoseconds == 250_000_000)
  }

  @Test(
    "Places are degrees, minutes and seconds",
    arguments: [
      ("48,8.25N", "11,30E", GeoPosition(latitude: 48.1375, longitude: 11.5)),
      ("33,30,0S", "70,15,0W", GeoPosition(latitude: -33.5, longitude: -70.25)),
      ("48.5N", "11.5e", GeoPosition(latitude: 48.5, longitude: 11.5)),
      ("-48.5", "11.5", GeoPosition(latitude: -48.5, longitude: 11.5)),
      ("48,8.25", "11,30E", nil), ("N", "E", nil), ("48,xN", "11E", nil), ("48,,N", "11E", nil),
      ("infN", "11E", nil), ("nan", "11", nil), ("1e999N", "1E", nil), ("48,-8N", "11E", nil),
    ] as [(String, String, GeoPosition?)])
  func places(latitude: String, longitude: String, position: GeoPosition?) {
    let found = Self.xmp("exif:GPSLatitude=\"\(latitude)\" exif:GPSLongitude=\"\(longitude)\"")
    #expect(found?.position == position)
  }

  @Test("Below the sea is negative", arguments: [("0", 51.9), ("1", -51.9)])
  func altitude(reference: String, metres: Double) {
    let found = Self.xmp(
      """
      exif:GPSLatitude="48N" exif:GPSLongitude="11E" exif:GPSAltitude="519/10" \
      exif:GPSAltitudeRef="\(reference)"
      """)
    #expect(found?.position?.altitude == metres)
  }

  @Test func aPlaceOffEarthIsNone() throws {
    let packet = XMPSample.packet("exif:GPSLatitude=\"91N\" exif:GPSLongitude=\"11E\"")
    #expect(try mediaInfo(jpeg(40, 30, XMPSample.segment(packet))).position == nil)
  }

  @Test func whatStandsBeforeDamageCounts() {
    let packet = XMPSample.dated
    #expect(XMP(packet.dropLast(60))?.taken == Self.date)
    #expect(XMP(packet + zeros(200))?.taken == Self.date)
    #expect(XMP(zeros(9) + packet)?.taken == Self.date)
    #expect(XMP([]) == nil && XMP(zeros(100)) == nil && XMP(text("no XML")) == nil)
  }

  @Test func aLaterSegmentGoesOnWithTheFirst() throws {
    let id = "0123456789ABCDEF0123456789ABCDEF"
    let extended = XMPSample.dated
    func piece(_ id: String, _ range: Range<Int>) -> [UInt8] {
      jpegSegment(
        0xe1,
        text("http://ns.adobe.com/xmp/extension/\0" + id) + big(extended.count, 4)
          + big(range.lowerBound, 4) + extended[range])
    }
    let main = XMPSample.segment(XMPSample.packet("xmpNote:HasExtendedXMP=\"\(id)\""))
    let (first, second) = (piece(id, 0..<400), piece(id, 400..<extended.count))
    #expect(try mediaInfo(jpeg(40, 30, main + first + second)).captureDate == Self.date)
    let other = String(id.reversed())
    let foreign = piece(other, 0..<400) + piece(other, 400..<extended.count)
    #expect(try mediaInfo(jpeg(40, 30, main + foreign)).captureDate == nil)
    #expect(try mediaInfo(jpeg(40, 30, main + second)).captureDate == nil)
    #expect(try mediaInfo(jpeg(40, 30, first + second)).captureDate == nil)
  }
}

@Suite("Hostile XMP") struct HostileXMPTests {
  @Test func aDocumentTypeEndsTheReading() {
    let packet = String(decoding: XMPSample.dated, as: UTF8.self)
    #expect(XMP(text("<!DOCTYPE x>" + packet)) == nil)
    let laughs = (1...9).map {
      "<!ENTITY l\($0) \"\(String(repeating: "&l\($0 - 1);", count: 10))\">"
    }
    let bomb = "<!DOCTYPE x [<!ENTITY l0 \"ha\">\(laughs.joined())]><x>&l9;</x>"
    #expect(XMP(text(bomb)) == nil)
    let outside =
      "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/hostname\">]>"
      + packet.replacing("ACME", with: "&e;")
    #expect(XMP(text(outside)) == nil)
  }

  @Test func depthAndLengthAreLimited() {
    let deep = String(repeating: "<a>", count: 100_000)
    #expect(XMP(text(deep)) == nil)
    #expect(XMPTests.xmp("tiff:Make=\"ACME\"", deep)?.make == "ACME")
    let long = String(repeating: "x", count: 200_000)
    #expect(XMPTests.xmp("", "<tiff:Make>\(long)</tiff:Make>")?.make?.utf8.count == 1024)
    #expect(XMPTests.xmp("tiff:Make=\"\(long)\"")?.make?.utf8.count == 1024)
    let parts = String(
      repeating: "<rdf:li><Container:Item Item:Length=\"1\"/></rdf:li>", count: 1000)
    let directory = "<Container:Directory><rdf:Seq>\(parts)</rdf:Seq></Container:Directory>"
    #expect(XMPTests.xmp("", directory)?.parts.count == 64)
  }

  @Test("A packet may end anywhere, and have any byte")
  func damaged() {
    let packet = XMPSample.packet(XMPSample.statements, "<tiff:Make>&lt;&#65;</tiff:Make>")
    for length in packet.indices { _ = XMP(Array(packet.prefix(length))) }
    for index in packet.indices {
      for value in [0x00, 0x3c, 0x22, 0xff] as [UInt8] {
        var changed = packet
        changed[index] = value
        if let position = XMP(changed)?.position {
          #expect(position.latitude.isFinite && position.longitude.isFinite)
        }
      }
    }
  }

  @Test func aPacketOfMegabytesIsReadInPart() throws {
    let padding = String(repeating: " ", count: 600 << 10)
    let chunk = XMPSample.itext(XMPSample.packet(XMPSample.statements, padding))
    let file = try MediaFile(png(40, 30, before: chunk))
    let info = try HostileMediaTests.expectWithinLimits(file)
    #expect(info.captureDate == XMPTests.date)
    #expect(try file.cost().bytes < 400 << 10)
  }
}

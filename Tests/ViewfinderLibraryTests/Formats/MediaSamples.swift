import Viewfinder

@testable import ViewfinderLibrary

/// A small valid file of a kind.
struct MediaSample: Sendable, CustomStringConvertible {
  let description: String
  let type: ContentType
  let size: Dimensions?
  let bytes: [UInt8]

  init(_ name: String, _ type: ContentType, _ width: Int, _ height: Int, _ bytes: [UInt8]) {
    (description, self.type, self.bytes) = (name, type, bytes)
    size = width == 0 ? nil : Dimensions(width: width, height: height)
  }

  static let exif = TIFFBuilder.file([
    [
      0x10f: .ascii("Canon"), 0x110: .ascii("Canon EOS R5"), 0x112: .short(6),
      0x8769: .directory([0x9003: .ascii("2024:05:06 07:08:09"), 0x9011: .ascii("-03:30")]),
      0x8825: .directory([
        1: .ascii("S"), 2: .rational([(33, 1), (30, 1), (0, 1)]),
        3: .ascii("W"), 4: .rational([(70, 1), (15, 1), (0, 1)]),
      ]),
    ],
    [0x201: .place(jpeg(160, 120)), 0x202: .long(jpeg(160, 120).count)],
  ])

  static let all: [MediaSample] = pictures + raws + oldRaws + videos + described

  /// Files with what programs and cameras put into them beside Exif.
  static let described: [MediaSample] =
    XMPSample.samples + [
      MediaSample("JPEG with IPTC", .jpeg, 40, 30, jpeg(40, 30, TextSample.segment)),
      MediaSample(
        "PNG with texts", .png, 30, 20,
        png(
          30, 20,
          before: TextSample.chunk("iptc", TextSample.photoshop)
            + TextSample.chunk("APP1", text("Exif\0\0") + exif))),
      MediaSample("motion photo", .jpeg, 40, 30, MotionSample.galaxy),
      MediaSample(
        "JPEG with Apple's note", .jpeg, 40, 30,
        jpeg(
          40, 30,
          exifSegment(
            TIFFBuilder.file([
              [0x8769: .directory([0x927c: .undefined(MakerNoteTests.apple("1234"))])]
            ])))),
      MediaSample(
        "MP4 with tags", .mpeg4, 1920, 1080,
        VideoSample.file(
          VideoSample.track() + box("udta", VideoTagTests.loci(text("home\0")))
            + VideoTagTests.sony)),
      MediaSample(
        "AVI with tags", .avi, 320, 240,
        VideoSample.aviFile(VideoTagTests.nikon, stream: VideoTagTests.exif)),
      MediaSample("AVCHD with H.264", .mpegTransportStream, 1920, 1080, TransportSample.file()),
    ]

  static let pictures = [
    MediaSample("JPEG", .jpeg, 640, 480, jpeg(640, 480, exifSegment(exif))),
    MediaSample("PNG", .png, 30, 20, png(30, 20, before: pngChunk("eXIf", exif))),
    MediaSample("GIF", .gif, 7, 5, text("GIF89a") + little(7, 2) + little(5, 2) + zeros(3)),
    MediaSample(
      "BMP upside down", .bmp, 9, 8,
      text("BM") + zeros(12) + little(40, 4) + little(9, 4) + little(-8, 4) + zeros(30)),
    MediaSample(
      "BMP of OS/2", .bmp, 9, 8,
      text("BM") + zeros(12) + little(12, 4) + little(9, 2) + little(8, 2) + zeros(4)),
    MediaSample("WebP, lossy", .webP, 100, 50, webP(riffChunk("VP8 ", vp8))),
    MediaSample("WebP, lossless", .webP, 100, 50, webP(riffChunk("VP8L", vp8L))),
    MediaSample(
      "WebP, extended", .webP, 300, 200,
      webP(
        riffChunk("VP8X", [8, 0, 0, 0] + little(299, 3) + little(199, 3)),
        riffChunk("VP8 ", vp8), riffChunk("EXIF", exif))),
    MediaSample("TIFF", .tiff, 40, 30, TIFFBuilder.file([[0x100: .short(40), 0x101: .long(30)]])),
    MediaSample(
      "TIFF, big-endian", .tiff, 40, 30,
      TIFFBuilder.file([[0x100: .short(40), 0x101: .long(30)]], little: false)),
    MediaSample(
      "BigTIFF", .tiff, 40, 30,
      text("II") + little(43, 2) + little(8, 2) + little(0, 2) + little(16, 8) + little(2, 8)
        + [(0x100, 40), (0x101, 30)].flatMap {
          little($0.0, 2) + little(4, 2) + little(1, 8) + little($0.1, 8)
        } + zeros(8)),
    MediaSample("HEIC", .heic, 4032, 3024, HEIFSample.file()),
    MediaSample("AVIF", .avif, 4032, 3024, HEIFSample.file(brand: "mif1", others: "avif")),
    MediaSample("HEIF", .heif, 4032, 3024, HEIFSample.file(brand: "mif1", others: "miaf")),
    // 8 × 8 units of 8 pixels, as high as wide.
    MediaSample("JPEG XL", .jpegXL, 64, 64, [0xff, 0x0a, 0b0100_1111, 0b0000_0010, 0, 0, 0, 0]),
    MediaSample(
      "JPEG XL in boxes", .jpegXL, 64, 64,
      box("JXL ", [0x0d, 0x0a, 0x87, 0x0a]) + box("ftyp", text("jxl \0\0\0\0jxl "))
        + box("Exif", zeros(4), exif) + box("jxlc", [0xff, 0x0a, 0b0100_1111, 0b0000_0010])),
    MediaSample(
      "JPEG 2000", .jpeg2000, 70, 60,
      box("jP  ", [0x0d, 0x0a, 0x87, 0x0a])
        + box("jp2h", box("ihdr", big(60, 4), big(70, 4), zeros(6)))),
    MediaSample(
      "JPEG 2000 codestream", .jpeg2000, 70, 60,
      [0xff, 0x4f, 0xff, 0x51] + big(41, 2) + big(0, 2) + big(75, 4) + big(64, 4) + big(5, 4)
        + big(4, 4)),
  ]

  static let vp8 = [0x10, 0, 0, 0x9d, 0x01, 0x2a] + little(100, 2) + little(50, 2)
  static let vp8L = [0x2f] + little(99 | 49 << 14, 4)

  static func webP(_ chunks: [UInt8]...) -> [UInt8] {
    riffChunk("RIFF", text("WEBP"), chunks.flatMap { $0 })
  }
}

/// HEIF files without pictures.
enum HEIFSample {
  /// A file whose primary item has these properties after its size.
  static func file(
    brand: String = "heic", others: String = "mif1", properties: [[UInt8]] = [],
    exif: [UInt8] = MediaSample.exif, xmp: [UInt8] = []
  ) -> [UInt8] {
    let ftyp = box("ftyp", text(brand), zeros(4), text(others))
    let all = [box("ispe", zeros(4), big(4032, 4), big(3024, 4))] + properties
    func meta(exifAt: Int) -> [UInt8] {
      box(
        "meta", zeros(4), box("hdlr", zeros(8), text("pict"), zeros(13)),
        box("pitm", zeros(4), big(1, 2)),
        box(
          "iinf", zeros(4), big(3, 2),
          box("infe", [2, 0, 0, 0], big(1, 2), big(0, 2), text("hvc1\0")),
          box("infe", [2, 0, 0, 0], big(2, 2), big(0, 2), text("Exif\0")),
          box(
            "infe", [2, 0, 0, 0], big(3, 2), big(0, 2), text("mimexmp\0application/rdf+xml\0"))),
        box(
          "iprp", box("ipco", all.flatMap { $0 }),
          box(
            "ipma", zeros(4), big(1, 4), big(1, 2), [UInt8(all.count)],
            all.indices.map { 0x80 | UInt8($0 + 1) })),
        box(
          "iloc", [1, 0, 0, 0], [0x44, 0x00], big(3, 2),
          big(1, 2), big(0, 2), big(0, 2), big(1, 2), big(0, 4), big(0, 4),
          big(2, 2), big(0, 2), big(0, 2), big(1, 2), big(exifAt, 4), big(exif.count + 10, 4),
          big(3, 2), big(0, 2), big(0, 2), big(1, 2), big(exifAt + exif.count + 10, 4),
          big(max(xmp.count, 1), 4)))
    }
    let start = ftyp.count + meta(exifAt: 0).count + 8
    return ftyp + meta(exifAt: start) + box("mdat", big(6, 4), text("Exif\0\0"), exif, xmp)
  }
}

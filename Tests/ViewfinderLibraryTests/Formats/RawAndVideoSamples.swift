import Viewfinder

@testable import ViewfinderLibrary

extension MediaSample {
  static let cfa = TIFFBuilder.Value.short(32803)
  static let preview = jpeg(1600, 1200)
  static let thumbnail = jpeg(160, 120)

  /// A maker's raw file: a small picture, a preview and the sensor's data below it.
  static func raw(_ make: String, dng: Bool = false) -> [UInt8] {
    var main: TIFFBuilder.Directory = [
      0xfe: .long(1), 0x100: .long(160), 0x101: .long(120), 0x10f: .ascii(make), 0x112: .short(8),
      0x132: .ascii("2020:01:02 03:04:05"),
      0x14a: .directories([
        [0xfe: .long(1), 0x201: .place(preview), 0x202: .long(preview.count)],
        [
          0xfe: .long(0), 0x100: .long(6016), 0x101: .long(4016), 0x103: .short(7), 0x106: cfa,
          0x111: .place(jpeg(6016, 4016, frame: 0xc3)), 0x117: .long(thumbnail.count),
          0xc620: .rational([(6000, 1), (4000, 1)]),
        ],
        [
          0xfe: .long(1), 0x103: .short(6), 0x111: .place(thumbnail),
          0x117: .long(thumbnail.count),
        ],
      ]),
    ]
    if dng { main[0xc612] = .bytes([1, 4, 0, 0]) }
    return TIFFBuilder.file([main], little: make != "Hasselblad")
  }

  static let raws: [MediaSample] = [
    MediaSample("NEF", .nef, 6000, 4000, raw("NIKON CORPORATION")),
    MediaSample("ARW", .arw, 6000, 4000, raw("SONY")),
    MediaSample("PEF", .pef, 6000, 4000, raw("RICOH IMAGING COMPANY, LTD.")),
    MediaSample("SRW", .srw, 6000, 4000, raw("SAMSUNG")),
    MediaSample("3FR", .hasselblad3FR, 6000, 4000, raw("Hasselblad")),
    MediaSample("DNG", .dng, 6000, 4000, raw("Google", dng: true)),
    MediaSample("another raw", .otherRaw, 6000, 4000, raw("EPSON")),
    MediaSample(
      "CR2", .cr2, 5472, 3648,
      TIFFBuilder.file(
        [
          [
            0x100: .short(5472), 0x101: .short(3648), 0x103: .short(6), 0x111: .place(preview),
            0x117: .long(preview.count), 0x10f: .ascii("Canon"),
          ],
          [0x201: .place(thumbnail), 0x202: .long(thumbnail.count)],
          [
            0x103: .short(6), 0x111: .place(jpeg(5600, 3700, frame: 0xc3)),
            0x117: .long(preview.count),
          ],
        ], mark: text("CR\u{2}\0"))),
    MediaSample(
      "ORF", .orf, 4608, 3456,
      TIFFBuilder.file(
        [
          [
            0x100: .short(4608), 0x101: .short(3456), 0x10f: .ascii("OLYMPUS CORPORATION"),
            0x8769: .directory([0x927c: .undefined(olympusNote)]),
          ]
        ], magic: 0x4f52)),
    MediaSample(
      "RW2", .rw2, 4592, 3448,
      TIFFBuilder.file(
        [
          [
            4: .short(4), 5: .short(8), 6: .short(3452), 7: .short(4600),
            0x2e: .undefined(jpeg(1920, 1440, exifSegment(exif))), 0x10f: .ascii("Panasonic"),
          ]
        ], magic: 0x55)),
    MediaSample("RAF", .raf, 4896, 3264, raf),
    MediaSample("CR3", .cr3, 6000, 4000, cr3),
  ]

  /// A note with a directory at 12, whose CameraSettings know the preview behind it.
  static let olympusNote: [UInt8] = {
    func entry(_ tag: Int, _ value: Int) -> [UInt8] {
      little(tag, 2) + little(4, 2) + little(1, 4) + little(value, 4)
    }
    return text("OLYMPUS\0II\u{3}\0") + little(1, 2) + entry(0x2020, 30) + zeros(4)
      + little(2, 2) + entry(0x101, 60) + entry(0x102, preview.count) + zeros(4) + preview
  }()

  static let raf: [UInt8] = {
    let inner = jpeg(1920, 1280, exifSegment(exif))
    let tags = big(1, 4) + big(0x111, 2) + big(4, 2) + big(3264, 2) + big(4896, 2)
    return text("FUJIFILMCCD-RAW ") + zeros(68) + big(120, 4) + big(inner.count, 4)
      + big(120 + inner.count, 4) + big(tags.count, 4) + zeros(20) + inner + tags
  }()

  static let cr3Date = CaptureDate(localSeconds: 1_612_325_106)
  static let cr3: [UInt8] = {
    let canon: [UInt8] = [
      0x85, 0xc0, 0xb6, 0x87, 0x82, 0x0f, 0x11, 0xe0, 0x81, 0x11, 0xf4, 0xce, 0x46, 0x2b, 0x6a,
      0x48,
    ]
    let previewID: [UInt8] = [
      0xea, 0xf4, 0x2b, 0x5e, 0x1c, 0x98, 0x4b, 0x88, 0xb9, 0xfb, 0xb7, 0xdc, 0x40, 0x6e, 0x4d,
      0x16,
    ]
    let main = TIFFBuilder.file([
      [0x100: .long(6000), 0x101: .long(4000), 0x110: .ascii("EOS R"), 0x112: .short(8)]
    ])
    let dates = TIFFBuilder.file([[0x9003: .ascii("2021:02:03 04:05:06")]])
    return box("ftyp", text("crx "), zeros(4))
      + box(
        "moov",
        box(
          "uuid", canon, box("CMT1", main), box("CMT2", dates),
          box(
            "THMB", zeros(4), big(160, 2), big(120, 2), big(thumbnail.count, 4), zeros(4), thumbnail
          )))
      + box(
        "uuid", previewID, zeros(8),
        box("PRVW", zeros(6), big(1, 2), big(1600, 2), big(1200, 2), big(preview.count, 4), preview)
      )
  }()

  static let videos: [MediaSample] = [
    MediaSample("MP4", .mpeg4, 1920, 1080, VideoSample.file()),
    MediaSample("QuickTime", .quickTime, 1920, 1080, VideoSample.file(brand: "qt  ")),
    MediaSample("M4V", .m4v, 1920, 1080, VideoSample.file(brand: "M4V ")),
    MediaSample("3GP", .threeGP, 1920, 1080, VideoSample.file(brand: "3gp5")),
    MediaSample(
      "QuickTime without a brand", .quickTime, 1920, 1080,
      box("wide") + box("mdat", zeros(9)) + VideoSample.movie()),
    MediaSample("Matroska", .matroska, 1280, 720, VideoSample.matroska("matroska")),
    MediaSample("WebM", .webM, 1280, 720, VideoSample.matroska("webm")),
    MediaSample("AVI", .avi, 320, 240, VideoSample.avi),
    MediaSample(
      "MPEG-TS", .mpegTransportStream, 0, 0,
      (0..<6).flatMap { _ in [0x47] + zeros(187) }),
    MediaSample(
      "AVCHD", .mpegTransportStream, 0, 0, (0..<6).flatMap { _ in zeros(4) + [0x47] + zeros(187) }),
    MediaSample("MPEG-PS", .mpegProgramStream, 0, 0, [0, 0, 1, 0xba, 0x44] + zeros(9)),
  ]
}

/// Videos without pictures.
enum VideoSample {
  static let upright = [1, 0, 0, 1]

  static func track(_ handler: String = "vide", matrix: [Int] = upright) -> [UInt8] {
    let m = matrix.map { big($0 * 65536, 4) }
    return box(
      "trak",
      box(
        "tkhd", zeros(40), m[0], m[1], zeros(4), m[2], m[3], zeros(4), zeros(8), big(1 << 30, 4),
        big(1920 << 16, 4), big(1080 << 16, 4)),
      box("mdia", box("hdlr", zeros(8), text(handler), zeros(13))))
  }

  /// 12.5 s, made on 2001-09-09 01:46:40 UTC.
  static func movie(_ others: [UInt8] = track()) -> [UInt8] {
    box(
      "moov",
      box(
        "mvhd", zeros(4), big(1_000_000_000 + 2_082_844_800, 4), zeros(4), big(600, 4),
        big(7500, 4),
        zeros(80)), others)
  }

  static func file(brand: String = "isom", _ others: [UInt8] = track()) -> [UInt8] {
    box("ftyp", text(brand), zeros(4), text("isom")) + box("mdat", zeros(9)) + movie(others)
  }

  static func matroska(_ type: String, trackType: UInt8 = 1) -> [UInt8] {
    ebml(0x1a45_dfa3, ebml(0x4282, text(type)))
      + ebml(
        0x1853_8067,
        ebml(
          0x1549_a966, ebml(0x2a_d7b1, big(1_000_000, 3)),
          ebml(0x4489, big(Int(Double(2500).bitPattern), 8)),
          ebml(0x4461, big(86_400_000_000_000, 8))),
        ebml(
          0x1654_ae6b,
          ebml(
            0xae, ebml(0x83, [trackType]),
            trackType == 1 ? ebml(0xe0, ebml(0xb0, big(1280, 2)), ebml(0xba, big(720, 2))) : [])))
  }

  static let avi = aviFile()

  /// 4 s, with lists and chunks behind the header, and others in it.
  static func aviFile(_ others: [UInt8] = [], header: [UInt8] = [], stream: [UInt8] = []) -> [UInt8]
  {
    riffChunk(
      "RIFF", text("AVI "),
      riffChunk(
        "LIST", text("hdrl"),
        riffChunk("avih", zeros(32), little(320, 4), little(240, 4), zeros(16)),
        riffChunk(
          "LIST", text("strl"),
          riffChunk(
            "strh", text("vidsMJPG"), zeros(12), little(1, 4), little(25, 4), zeros(4),
            little(100, 4), zeros(20)), stream), header), others)
  }
}

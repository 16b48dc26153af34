import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// Photos with a video behind them.
enum MotionSample {
  static let video = VideoSample.file()

  static func micro(_ offset: Int) -> [UInt8] {
    XMPSample.segment(
      XMPSample.packet("GCamera:MicroVideo=\"1\" GCamera:MicroVideoOffset=\"\(offset)\""))
  }

  /// Google's list of parts; properties are attributes of an element, or elements of it.
  static func directory(_ parts: [(String, Int, Int)], asElements: Bool = false) -> [UInt8] {
    let items = parts.map { semantic, length, padding in
      asElements
        ? """
        <rdf:li rdf:parseType="Resource"><Container:Item rdf:parseType="Resource">\
        <Item:Semantic>\(semantic)</Item:Semantic><Item:Length>\(length)</Item:Length>\
        <Item:Padding>\(padding)</Item:Padding></Container:Item></rdf:li>
        """
        : """
        <rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="\(semantic)" \
        Item:Length="\(length)" Item:Padding="\(padding)"/></rdf:li>
        """
    }
    let list = "<rdf:Seq>\(items.joined())</rdf:Seq>"
    return XMPSample.segment(
      XMPSample.packet("", "<Container:Directory>\(list)</Container:Directory>"))
  }

  /// The blocks that Samsung puts behind the picture, with their list.
  static func samsung(_ blocks: [(Int, String, [UInt8])]) -> [UInt8] {
    let blocks = blocks.map { kind, name, data in
      (kind, zeros(2) + little(kind, 2) + little(name.utf8.count, 4) + text(name) + data)
    }
    var left = blocks.reduce(0) { $0 + $1.1.count }
    var list = text("SEFH") + little(101, 4) + little(blocks.count, 4)
    for (kind, block) in blocks {
      list += zeros(2) + little(kind, 2) + little(left, 4) + little(block.count, 4)
      left -= block.count
    }
    return blocks.flatMap { $0.1 } + list + little(list.count, 4) + text("SEFT")
  }

  static let galaxy =
    jpeg(40, 30, exifSegment(TIFFBuilder.file([[0x10f: .ascii("samsung")]])))
    + samsung([(1, "Image_UTC_Data", text("123")), (0x0a30, "MotionPhoto_Data", video)])
}

@Suite("Motion photos") struct MotionPhotoTests {
  static func video(_ bytes: [UInt8]) throws -> [UInt8]? {
    try mediaInfo(bytes).motion.map { Array(bytes[$0]) }
  }

  static let files: [(String, [UInt8])] = [
    ("an offset", jpeg(40, 30, MotionSample.micro(MotionSample.video.count)) + MotionSample.video),
    (
      "parts",
      jpeg(
        40, 30,
        MotionSample.directory([("Primary", 0, 0), ("MotionPhoto", MotionSample.video.count, 0)]))
        + MotionSample.video
    ),
    (
      "parts with others and padding",
      jpeg(
        40, 30,
        MotionSample.directory(
          [
            ("Primary", 0, 8), ("GainMap", 5, 0), ("MotionPhoto", MotionSample.video.count, 3),
            ("Depth", 7, 0),
          ], asElements: true)) + zeros(8) + zeros(5) + MotionSample.video + zeros(3) + zeros(7)
    ),
    ("Samsung's blocks", MotionSample.galaxy),
    ("a box", HEIFSample.file() + box("mpvd", MotionSample.video)),
  ]

  @Test("The video is found", arguments: files)
  func found(name: String, bytes: [UInt8]) throws {
    #expect(try Self.video(bytes) == MotionSample.video, "\(name)")
  }

  static let others: [(String, [UInt8])] = [
    ("nothing", jpeg(40, 30, MotionSample.micro(50)) + zeros(50)),
    ("another box", jpeg(40, 30, MotionSample.micro(50)) + box("free", zeros(30)) + zeros(12)),
    ("an offset before the file", jpeg(40, 30, MotionSample.micro(1 << 40)) + MotionSample.video),
    ("an offset of zero", jpeg(40, 30, MotionSample.micro(0)) + MotionSample.video),
    ("a negative one", jpeg(40, 30, MotionSample.micro(-100)) + MotionSample.video),
    (
      "a length that overflows",
      jpeg(
        40, 30,
        MotionSample.directory([
          ("Primary", 0, 0), ("MotionPhoto", 100, .max), ("Depth", .max, .max),
        ]))
        + MotionSample.video
    ),
    (
      "a picture alone",
      jpeg(40, 30, MotionSample.directory([("Primary", 0, 0)])) + MotionSample.video
    ),
    (
      "a video that nobody names",
      jpeg(40, 30, exifSegment(MediaSample.exif)) + MotionSample.video
    ),
    ("an empty box", HEIFSample.file() + box("mpvd")),
    (
      "blocks of another maker",
      jpeg(40, 30) + MotionSample.samsung([(0x0a30, "MotionPhoto_Data", MotionSample.video)])
    ),
  ]

  @Test("What isn't a video behind the picture is none", arguments: others)
  func none(name: String, bytes: [UInt8]) throws {
    #expect(try mediaInfo(bytes).motion == nil, "\(name)")
  }

  @Test func anOrdinaryPhotosEndIsNotRead() throws {
    let file = try MediaFile(jpeg(40, 30, exifSegment(MediaSample.exif)) + zeros(200_000))
    #expect(try file.cost().reads == 1)
  }
}

import Viewfinder

/// A JPEG within a larger file.
struct EmbeddedJPEG {
  /// Where it lies in the file.
  let range: Range<Int>
  /// In pixels.
  let area: Int

  /// The JPEG that fills `bytes`, if it is one that can be shown.
  ///
  /// Raw files hold others, too: their sensor's data as lossless JPEG.
  init?(_ bytes: ByteReader) {
    guard bytes.hasBytes([0xff, 0xd8, 0xff]),
      let frame = JPEGSegments(bytes).lazy.first(where: { $0.isFrame }),
      // Baseline, extended and progressive, by Huffman and arithmetic coding.
      [0xc0, 0xc1, 0xc2, 0xc9, 0xca].contains(frame.marker), frame.content.uint8(at: 0) == 8,
      let height = frame.content.uint16(at: 1), let width = frame.content.uint16(at: 3),
      width > 0, height > 0
    else { return nil }
    range = bytes.range
    area = width * height
  }
}

/// The marker segments of a JPEG up to its first scan, which is the last one (ITU-T T.81, annex B).
struct JPEGSegments: Sequence, IteratorProtocol {
  struct Segment {
    let marker: Int
    /// What follows the length.
    let content: ByteReader

    /// Whether it is a frame header, which has the size: SOF0 to SOF15 without DHT, JPG and DAC.
    var isFrame: Bool { (0xc0...0xcf).contains(marker) && ![0xc4, 0xc8, 0xcc].contains(marker) }
  }

  static let startOfScan = 0xda
  static let endOfImage = 0xd9

  private let bytes: ByteReader
  private var offset = 2
  private var isAtEnd = false
  /// Bytes between segments, which shouldn't be there, are passed over like the decoder does.
  private var garbageLeft = 64 << 10
  /// There are never so many, but hostile files.
  private var segmentsLeft = 4096

  init(_ bytes: ByteReader) { self.bytes = bytes.ordered(.big) }

  mutating func next() -> Segment? {
    while !isAtEnd, segmentsLeft > 0, let marker = nextMarker() {
      segmentsLeft -= 1
      switch marker {
      case 0x01, 0xd0...0xd8:
        continue  // These stand alone.
      case Self.endOfImage:
        isAtEnd = true
        return Segment(marker: marker, content: bytes.part(from: offset, count: 0))
      default:
        guard let length = bytes.uint16(at: offset) else { return nil }
        let content = bytes.part(from: offset + 2, count: length - 2)
        offset += Swift.max(length, 2)
        isAtEnd = marker == Self.startOfScan
        return Segment(marker: marker, content: content)
      }
    }
    return nil
  }

  /// The next byte that is neither 0 nor a fill byte after a byte of 0xFF; `offset` is behind it.
  private mutating func nextMarker() -> Int? {
    var follows = false
    while garbageLeft > 0, let byte = bytes.uint8(at: offset) {
      offset += 1
      if byte == 0xff {
        follows = true
      } else if follows, byte != 0 {
        return byte
      } else {
        follows = false
      }
      garbageLeft -= 1
    }
    return nil
  }
}

/// JPEG, with the segments of Exif, XMP and Photoshop.
enum JPEGReader {
  static func read(_ bytes: ByteReader) -> MediaInfo? {
    guard bytes.hasBytes([0xff, 0xd8, 0xff]) else { return nil }
    var info = MediaInfo(type: .jpeg)
    var hasExif = false
    var hasScan = false
    var xmp = JPEGXMP()
    for segment in JPEGSegments(bytes) {
      let content = segment.content
      if segment.isFrame, info.storedDimensions == nil {
        info.setSize(width: content.uint16(at: 3), height: content.uint16(at: 1))
      } else if segment.marker == 0xe1, !hasExif, content.hasText("Exif\0") {
        hasExif = info.readExif(content.part(from: 6))
      } else if segment.marker == 0xe1 {
        xmp.add(content)
      } else if segment.marker == 0xed, content.hasText(PhotoshopResources.mark) {
        info.readResources(content.part(from: PhotoshopResources.mark.utf8.count))
      } else if segment.marker == JPEGSegments.startOfScan {
        hasScan = true
      }
    }
    info.read(xmp.main)
    // It may have megabytes of other things: a picture that has its date needs none of them.
    if info.dateRank?.meaning != .taken { info.read(xmp.extended) }
    info.motion = MotionPhoto.find(in: bytes, xmp.main, camera: info.metadata.make)
    if info.storedDimensions == nil {
      info.note("it has no frame header")
    } else if !hasScan {
      info.note("it ends before the picture")
    }
    return info
  }
}

/// A JPEG's XMP: one segment, and more that go on with it where it needs more than 64 kB (XMP part 3, 1.1.3.1).
struct JPEGXMP {
  private static let mark = "http://ns.adobe.com/xap/1.0/\0"
  private static let extensionMark = "http://ns.adobe.com/xmp/extension/\0"

  private(set) var main: XMP?
  private var pieces: [(id: String, offset: Int, content: ByteReader)] = []

  mutating func add(_ segment: ByteReader) {
    if main == nil, segment.hasText(Self.mark) {
      main = XMP(segment.part(from: Self.mark.utf8.count))
    } else if segment.hasText(Self.extensionMark) {
      // An MD5 in hexadecimal digits, the whole length, and where this piece belongs.
      let header = segment.part(from: Self.extensionMark.utf8.count)
      if let id = header.text(count: 32), let offset = header.uint32(at: 36) {
        pieces.append((id, offset, header.part(from: 40)))
      }
    }
  }

  /// What the further segments state that the first one names as its own.
  ///
  /// Only pieces in order, from the beginning on, as programs write them.
  var extended: XMP? {
    guard let id = main?.extensionID else { return nil }
    var bytes: [UInt8] = []
    for piece in pieces
    where piece.id == id && piece.offset == bytes.count && bytes.count < XMP.byteLimit {
      bytes += piece.content.bytes(at: 0, count: piece.content.count)
    }
    return bytes.isEmpty ? nil : XMP(bytes)
  }
}

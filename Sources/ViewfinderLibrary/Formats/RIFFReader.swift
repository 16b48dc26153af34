import Viewfinder

/// The chunks of a RIFF file or list, one after the other.
struct RIFFChunks: Sequence, IteratorProtocol {
  struct Chunk {
    let type: String
    let content: ByteReader
  }

  private let bytes: ByteReader
  private var offset: Int
  private var chunksLeft = 256

  init(_ bytes: ByteReader, from offset: Int) {
    self.bytes = bytes
    self.offset = offset
  }

  mutating func next() -> Chunk? {
    guard chunksLeft > 0, let type = bytes.fourCC(at: offset),
      let size = bytes.uint32(at: offset + 4)
    else { return nil }
    chunksLeft -= 1
    let content = bytes.part(from: offset + 8, count: size)
    offset += 8 + size + size % 2
    return Chunk(type: type, content: content)
  }
}

/// WebP; AVI is told from it here.
enum RIFFReader {
  static func read(_ bytes: ByteReader) -> MediaInfo? {
    guard bytes.hasText("RIFF") else { return nil }
    switch bytes.fourCC(at: 8) {
    case "WEBP": return readWebP(bytes.ordered(.little))
    case "AVI ": return AVIReader.read(bytes.ordered(.little))
    default: return MediaInfo()  // Sound, and others.
    }
  }

  private static func readWebP(_ bytes: ByteReader) -> MediaInfo {
    var info = MediaInfo(type: .webP)
    for chunk in RIFFChunks(bytes, from: 12) {
      let content = chunk.content
      switch chunk.type {
      case "VP8X":
        // The canvas, less one.
        info.setSize(
          width: content.uint24(at: 4).map { $0 + 1 }, height: content.uint24(at: 7).map { $0 + 1 })
      case "VP8 " where info.storedDimensions == nil:
        // A key frame's header (RFC 6386, 9.1): 14 bits each, and 2 of scaling.
        guard content.hasBytes([0x9d, 0x01, 0x2a], at: 3) else { break }
        info.setSize(
          width: content.uint16(at: 6).map { $0 & 0x3fff },
          height: content.uint16(at: 8).map { $0 & 0x3fff })
      case "VP8L" where info.storedDimensions == nil:
        // Width and height, less one, in 14 bits each.
        guard content.uint8(at: 0) == 0x2f, let bits = content.uint32(at: 1) else { break }
        info.setSize(width: bits & 0x3fff + 1, height: bits >> 14 & 0x3fff + 1)
      case "EXIF":
        // Some programs put JPEG's prefix before it.
        info.readExif(content.part(from: content.hasText("Exif\0\0") ? 6 : 0))
      case "XMP ":
        info.read(XMP(content))
      default: break
      }
    }
    if info.storedDimensions == nil { info.note("it has no picture") }
    return info
  }
}

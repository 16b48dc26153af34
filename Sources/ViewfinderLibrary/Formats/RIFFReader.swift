import Viewfinder

/// The chunks of a RIFF file or list, one after the other.
private struct RIFFChunks: Sequence, IteratorProtocol {
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

/// WebP and AVI.
enum RIFFReader {
  static func read(_ bytes: ByteReader) -> MediaInfo? {
    guard bytes.hasText("RIFF") else { return nil }
    switch bytes.fourCC(at: 8) {
    case "WEBP": return readWebP(bytes.ordered(.little))
    case "AVI ": return readAVI(bytes.ordered(.little))
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
      default: break
      }
    }
    if info.storedDimensions == nil { info.note("it has no picture") }
    return info
  }

  private static func readAVI(_ bytes: ByteReader) -> MediaInfo {
    var info = MediaInfo(type: .avi)
    let header = RIFFChunks(bytes, from: 12).first { chunk in
      chunk.type == "LIST" && chunk.content.fourCC(at: 0) == "hdrl"
    }
    guard let header = header?.content else {
      info.note("it has no header")
      return info
    }
    var hasVideo = false
    for chunk in RIFFChunks(header, from: 4) {
      let content = chunk.content
      if chunk.type == "avih" {
        if let width = content.uint32(at: 32), let height = content.uint32(at: 36), width > 0 {
          info.setSize(width: width, height: height)
        }
      } else if chunk.type == "LIST", content.fourCC(at: 0) == "strl",
        let stream = RIFFChunks(content, from: 4).first(where: { $0.type == "strh" })?.content,
        stream.fourCC(at: 0) == "vids", !hasVideo
      {
        hasVideo = true
        if let scale = stream.uint32(at: 20), let rate = stream.uint32(at: 24), rate > 0,
          let length = stream.uint32(at: 32), length > 0, scale > 0
        {
          info.duration = Double(length) * Double(scale) / Double(rate)
        }
      }
    }
    if hasVideo, info.storedDimensions == nil { info.setSize(width: nil, height: nil) }
    // The header may say so, or be cut off before it does.
    return hasVideo || info.storedDimensions != nil ? info : MediaInfo()
  }
}

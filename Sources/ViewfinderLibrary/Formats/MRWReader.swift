import Viewfinder

/// Minolta's raw format: blocks, of which one is TIFF data with Exif.
enum MRWReader {
  static func read(_ bytes: ByteReader) -> MediaInfo? {
    // Some cameras wrote the numbers the other way round, and said so.
    let isLittle = bytes.hasText("\0MRI")
    guard isLittle || bytes.hasText("\0MRM") else { return nil }
    let bytes = bytes.ordered(isLittle ? .little : .big)
    var info = MediaInfo(type: .mrw)
    guard let length = bytes.uint32(at: 4) else {
      info.note("it has no header")
      return info
    }
    let header = bytes.part(from: 8, count: length)
    var offset = 0
    for _ in 0..<32 {
      guard let type = header.fourCC(at: offset), let size = header.uint32(at: offset + 4) else {
        break
      }
      let content = header.part(from: offset + 8, count: size)
      switch type {
      case "\0PRD":
        info.setSize(width: content.uint16(at: 14), height: content.uint16(at: 12))
      case "\0TTW":
        info.readExif(content)
      default: break
      }
      offset += 8 + size
    }
    if info.storedDimensions == nil { info.setSize(width: nil, height: nil) }
    return info
  }
}

/// GIF, of which the canvas is the size.
enum GIFReader {
  static func read(_ bytes: ByteReader) -> MediaInfo? {
    guard bytes.hasText("GIF87a") || bytes.hasText("GIF89a") else { return nil }
    let bytes = bytes.ordered(.little)
    var info = MediaInfo(type: .gif)
    info.setSize(width: bytes.uint16(at: 6), height: bytes.uint16(at: 8))
    return info
  }
}

/// Windows bitmaps.
enum BMPReader {
  static func read(_ bytes: ByteReader) -> MediaInfo? {
    let bytes = bytes.ordered(.little)
    // "BM" may begin any text, so that the header's size must be a known one, too.
    guard bytes.hasText("BM"), let headerSize = bytes.uint32(at: 14),
      [12, 16, 40, 52, 56, 64, 108, 124].contains(headerSize)
    else { return nil }
    var info = MediaInfo(type: .bmp)
    if headerSize == 12 {
      info.setSize(width: bytes.uint16(at: 18), height: bytes.uint16(at: 20))
    } else {
      // A negative height means that rows go from top to bottom.
      info.setSize(width: bytes.int32(at: 18), height: bytes.int32(at: 22).map(abs))
    }
    return info
  }
}

/// GIF, of which the canvas is the size.
enum GIFReader {
  static func read(_ bytes: ByteReader) -> MediaInfo? {
    guard bytes.hasText("GIF87a") || bytes.hasText("GIF89a") else { return nil }
    let bytes = bytes.ordered(.little)
    var info = MediaInfo(type: .gif)
    info.setSize(width: bytes.uint16(at: 6), height: bytes.uint16(at: 8))
    info.read(xmp(bytes))
    return info
  }

  /// The XMP among the extensions before the first picture, where programs write it (XMP part 3, 1.1.2).
  private static func xmp(_ bytes: ByteReader) -> XMP? {
    let (extensionMark, applicationMark) = (0x21, 0xff)
    guard let flags = bytes.uint8(at: 10) else { return nil }
    // The colour table has 2 to 256 entries.
    var offset = 13 + (flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1))
    for _ in 0..<32 where bytes.uint8(at: offset) == extensionMark {
      offset += 2
      // Packets stand as they are, without the lengths of blocks; what follows them ends the reading as XML.
      if bytes.uint8(at: offset - 1) == applicationMark,
        bytes.hasText("XMP DataXMP", at: offset + 1)
      {
        return XMP(bytes.part(from: offset + 12))
      }
      var blocksLeft = 256
      while blocksLeft > 0, let length = bytes.uint8(at: offset) {
        blocksLeft -= 1
        offset += length + 1
        if length == 0 { break }
      }
    }
    return nil
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

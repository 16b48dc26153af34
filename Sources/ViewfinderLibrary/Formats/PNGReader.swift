/// PNG (the W3C's third edition, with Exif).
enum PNGReader {
  static func read(_ bytes: ByteReader) -> MediaInfo? {
    guard bytes.hasBytes([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) else { return nil }
    var info = MediaInfo(type: .png)
    guard bytes.fourCC(at: 12) == "IHDR" else {
      info.note("it has no header")
      return info
    }
    info.setSize(width: bytes.uint32(at: 16), height: bytes.uint32(at: 20))

    var offset = 8
    var hasData = false
    var hasExif = false
    // Exif stands before the image data with most programs. Few chunks of image data are passed to
    // find it behind, since some files have thousands.
    var chunksLeft = 256
    var dataLeft = 32
    while chunksLeft > 0, dataLeft > 0, !(hasData && hasExif),
      let length = bytes.uint32(at: offset), let type = bytes.fourCC(at: offset + 4), type != "IEND"
    {
      if type == "IDAT" {
        hasData = true
        dataLeft -= 1
      } else if type == "eXIf", !hasExif {
        hasExif = info.readExif(bytes.part(from: offset + 8, count: length))
      }
      chunksLeft -= 1
      offset += length + 12
    }
    if !hasData { info.note("it ends before the picture") }
    return info
  }
}

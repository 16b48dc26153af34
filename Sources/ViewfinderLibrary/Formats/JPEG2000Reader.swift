import Viewfinder

/// JPEG 2000, in a file (JP2 and its extensions) or as a bare codestream.
enum JPEG2000Reader {
  static func read(_ bytes: ByteReader) -> MediaInfo? {
    var info = MediaInfo(type: .jpeg2000)
    if bytes.hasBytes([0xff, 0x4f, 0xff, 0x51]) {
      // SIZ: the grid's size and where the picture begins on it.
      let numbers = [8, 12, 16, 20].compactMap(bytes.uint32)
      guard numbers.count == 4 else {
        info.setSize(width: nil, height: nil)
        return info
      }
      info.setSize(width: numbers[0] - numbers[2], height: numbers[1] - numbers[3])
      return info
    }
    guard
      bytes.hasBytes([0, 0, 0, 12, 0x6a, 0x50, 0x20, 0x20, 0x0d, 0x0a, 0x87, 0x0a])
    else { return nil }
    let header = bytes.box(["jp2h", "ihdr"])
    info.setSize(width: header?.uint32(at: 4), height: header?.uint32(at: 0))
    if let exif = bytes.uuidBox(Array("JpgTiffExif->JP2".utf8)) { info.readExif(exif) }
    info.orientation = .up  // As JPEG 2000 has none, programs turn nothing.
    info.read(bytes.uuidBox(XMP.uuid).flatMap { XMP($0) })
    return info
  }
}

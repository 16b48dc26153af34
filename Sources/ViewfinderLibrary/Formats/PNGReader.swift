/// PNG (the W3C's third edition, with Exif), and what programs put into its texts.
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
    // Exif and texts stand before the image data with most programs. Few chunks of image data are passed to
    // find them behind, since some files have thousands.
    var chunksLeft = 256
    var dataLeft = 32
    var textsLeft = 32
    while chunksLeft > 0, dataLeft > 0, !(hasData && hasExif),
      let length = bytes.uint32(at: offset), let type = bytes.fourCC(at: offset + 4), type != "IEND"
    {
      let content = bytes.part(from: offset + 8, count: length)
      switch type {
      case "IDAT":
        hasData = true
        dataLeft -= 1
      case "eXIf" where info.exif == nil:
        hasExif = info.readExif(content) || hasExif
      case "tEXt", "zTXt", "iTXt":
        textsLeft -= 1
        if textsLeft >= 0, let text = PNGTextChunk(content, type) {
          info.read(text, hasExif: &hasExif)
        }
      default: break
      }
      chunksLeft -= 1
      offset += length + 12
    }
    if !hasData { info.note("it ends before the picture") }
    return info
  }
}

/// A chunk of text: a keyword, and what it says.
private struct PNGTextChunk {
  /// Hexadecimal digits take twice their bytes, and their lines a little more.
  private static let profileLimit = 3 * XMP.byteLimit

  let keyword: String
  private let content: ByteReader
  private let isCompressed: Bool

  init?(_ chunk: ByteReader, _ type: String) {
    // At most 79 bytes and a zero.
    let start = chunk.bytes(at: 0, count: 80)
    guard let end = start.firstIndex(of: 0) else { return nil }
    keyword = String(decoding: start[..<end], as: UTF8.self)
    var offset = end + 1
    switch type {
    case "zTXt":
      isCompressed = true
      offset += 1  // The method: always zlib's.
    case "iTXt":
      isCompressed = chunk.uint8(at: offset) == 1
      offset += 2
      // A language, and the keyword in it.
      for _ in 0..<2 {
        guard let length = chunk.bytes(at: offset, count: 256).firstIndex(of: 0) else { return nil }
        offset += length + 1
      }
    default:
      isCompressed = false
    }
    content = chunk.part(from: offset)
  }

  /// The text, or its beginning where it is longer.
  func text(limit: Int) -> [UInt8] {
    let bytes = content.bytes(at: 0, count: min(content.count, limit))
    return isCompressed ? Inflate.bytes(bytes, limit: limit) : bytes
  }

  /// The data that ImageMagick and ExifTool write as a name, a length and lines of hexadecimal digits.
  var profile: [UInt8] {
    let lines = text(limit: Self.profileLimit).split(separator: UInt8(ascii: "\n"), maxSplits: 2)
    guard lines.count == 3 else { return [] }
    var digits = lines[2].lazy.compactMap(\.hexDigit).makeIterator()
    var bytes: [UInt8] = []
    while let high = digits.next(), let low = digits.next() { bytes.append(high << 4 | low) }
    return bytes
  }
}

extension MediaInfo {
  fileprivate mutating func read(_ text: PNGTextChunk, hasExif: inout Bool) {
    switch text.keyword {
    case "XML:com.adobe.xmp":
      read(XMP(text.text(limit: XMP.byteLimit)))
    case "Creation Time":
      let written = String(decoding: text.text(limit: 64), as: UTF8.self)
      state(CaptureDate(written: written), .digitized, by: .container)
    case "Raw profile type xmp":
      read(XMP(text.profile))
    case "Raw profile type exif", "Raw profile type APP1":
      let profile = ByteReader(text.profile)
      if profile.hasText("Exif\0\0") || text.keyword.hasSuffix("exif") {
        // It isn't in the file as it is, so that no part of the file is its thumbnail.
        if !hasExif, let block = TIFFBlock(profile.part(from: profile.hasText("Exif\0\0") ? 6 : 0))
        {
          hasExif = true
          readExif(block)
        }
      } else if let end = profile.bytes(at: 0, count: 64).firstIndex(of: 0) {
        read(XMP(profile.part(from: end + 1)))
      }
    case "Raw profile type iptc", "Raw profile type 8bim":
      let profile = ByteReader(text.profile)
      if profile.hasText("8BIM") { readResources(profile) } else { readIPTC(profile) }
    default: break
    }
  }
}

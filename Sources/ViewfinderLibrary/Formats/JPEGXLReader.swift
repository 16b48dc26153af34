import Viewfinder

/// JPEG XL (ISO/IEC 18181), in boxes or as a bare codestream.
enum JPEGXLReader {
  static func read(_ bytes: ByteReader) -> MediaInfo? {
    let isBoxed = bytes.hasBytes([0, 0, 0, 12, 0x4a, 0x58, 0x4c, 0x20, 0x0d, 0x0a, 0x87, 0x0a])
    guard isBoxed || bytes.hasBytes([0xff, 0x0a]) else { return nil }
    var info = MediaInfo(type: .jpegXL)
    if isBoxed, let exif = bytes.box("Exif"), let skipped = exif.uint32(at: 0) {
      info.readExif(exif.part(from: 4 + skipped))
    }
    if isBoxed, let xml = bytes.box("xml ") { info.read(XMP(xml)) }
    // The codestream says how the picture is turned; Exif's orientation is only a remark.
    info.orientation = .up
    // In pieces, each begins with its number.
    let codestream =
      isBoxed ? bytes.box("jxlc") ?? bytes.box("jxlp")?.part(from: 4) : bytes
    guard let codestream, codestream.hasBytes([0xff, 0x0a]) else {
      info.note("it has no picture")
      return info
    }
    readHeader(codestream, into: &info)
    return info
  }

  private static func readHeader(_ codestream: ByteReader, into info: inout MediaInfo) {
    var bits = Bits(codestream.bytes(at: 2, count: 32))
    let isSmall = bits.read(1) == 1
    func side() -> Int {
      if isSmall { return (bits.read(5) + 1) * 8 }
      let width = [9, 13, 18, 30][bits.read(2)]
      return bits.read(width) + 1
    }
    let height = side()
    let width =
      switch bits.read(3) {
      case 1: height
      case 2: height * 12 / 10
      case 3: height * 4 / 3
      case 4: height * 3 / 2
      case 5: height * 16 / 9
      case 6: height * 5 / 4
      case 7: height * 2
      default: side()
      }
    let hasDefaults = bits.read(1) == 1
    if !hasDefaults, bits.read(1) == 1 {
      info.orientation = ImageOrientation(rawValue: bits.read(3) + 1) ?? .up
    }
    if bits.isBeyondEnd {
      info.orientation = .up
      info.setSize(width: nil, height: nil)
    } else {
      info.setSize(width: width, height: height)
    }
  }

  /// Bits, the lowest of each byte first.
  private struct Bits {
    private let bytes: [UInt8]
    private var position = 0
    private(set) var isBeyondEnd = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func read(_ count: Int) -> Int {
      var value = 0
      for index in 0..<count {
        guard position / 8 < bytes.count else {
          isBeyondEnd = true
          return 0
        }
        value |= Int(bytes[position / 8] >> UInt8(position % 8) & 1) << index
        position += 1
      }
      return value
    }
  }
}

import Foundation
import Viewfinder

/// Windows and OS/2 bitmaps: 1 to 32 bits a pixel, with masks or run lengths.
enum BMPDecoder {
  static func decode(_ file: FileReader, fitting box: Dimensions?) throws(CaptureError)
    -> PixelBuffer
  {
    let header = try BMPHeader(file)
    let size = header.size
    if let reason = PictureDecoder.bmp.reasonAgainst(size, fitting: box) {
      throw .unsupportedImage(what: "the picture", reason: reason)
    }
    let shrinker = try PictureShrinker(
      header.hasAlpha ? .rgba32 : .rgb24, from: size, to: box.map(size.fitted) ?? size)
    let indices = header.isRunLength ? try BMPRuns.indices(file, header) : nil
    var row = [UInt8](repeating: 0, count: size.width * (header.hasAlpha ? 4 : 3))
    for y in 0..<size.height {
      // The last row comes first, unless the header says otherwise.
      let stored = header.isTopDown ? y : size.height - 1 - y
      if let indices {
        for x in 0..<size.width {
          header.paint(Int(indices[stored * size.width + x]), &row, at: 3 * x)
        }
      } else {
        try header.convert(
          read(file, at: header.dataOffset + stored * header.rowSize, header.rowSize), to: &row)
      }
      shrinker.add(row)
    }
    return try shrinker.picture()
  }

  fileprivate static func read(_ file: FileReader, at offset: Int, _ count: Int)
    throws(CaptureError) -> [UInt8]
  {
    let bytes: [UInt8]
    do throws(PhotoLibraryError) {
      bytes = try file.read(at: offset, count: count)
    } catch {
      throw CaptureError(error)
    }
    guard bytes.count == count else {
      throw .badImageData(what: "the picture", reason: "it ends too early")
    }
    return bytes
  }
}

/// What stands before a bitmap's pixels.
struct BMPHeader {
  private(set) var size = Dimensions(width: 0, height: 0)
  private(set) var isTopDown = false
  private(set) var bits = 0
  private(set) var isRunLength = false
  private(set) var dataOffset = 0
  /// Blue, green, red and a fourth byte, or three bytes, for each colour.
  private var colors: [UInt8] = []
  private var colorSize = 4
  /// Red, green, blue and coverage; empty where bytes or colours stand for themselves.
  private var masks: [UInt32] = []

  init(_ file: FileReader) throws(CaptureError) {
    let start = try BMPDecoder.read(file, at: 0, 18)
    let headerSize = Self.number(start, 14)
    guard headerSize >= 12, headerSize <= 256 else { throw Self.damage("its header is damaged") }
    let header = try BMPDecoder.read(file, at: 14, headerSize)
    dataOffset = Self.number(start, 10)
    var compression = 0
    var colorCount = 0
    if headerSize == 12 {
      size = Dimensions(width: Self.short(header, 4), height: Self.short(header, 6))
      bits = Self.short(header, 10)
      colorSize = 3
    } else {
      guard headerSize >= 16 else { throw Self.damage("its header is damaged") }
      let height = Int(Int32(truncatingIfNeeded: Self.number(header, 8)))
      size = Dimensions(
        width: Int(Int32(truncatingIfNeeded: Self.number(header, 4))), height: abs(height))
      isTopDown = height < 0
      bits = Self.short(header, 14)
      if headerSize >= 36 {
        compression = Self.number(header, 16)
        colorCount = Self.number(header, 32)
      }
    }
    guard size.width > 0, size.height > 0, dataOffset < file.size else {
      throw Self.damage("it has no pixels")
    }
    try take(compression, headerSize, header, file)
    if bits <= 8 {
      // OS/2 and others write more or fewer colours than there are.
      let most = 1 << bits
      let count = colorCount == 0 ? most : min(colorCount, most)
      let place = 14 + headerSize
      let room = max(min(count * colorSize, dataOffset - place, file.size - place), 0)
      colors = room == 0 ? [] : try BMPDecoder.read(file, at: place, room)
    }
  }

  private mutating func take(
    _ compression: Int, _ headerSize: Int, _ header: [UInt8], _ file: FileReader
  ) throws(CaptureError) {
    switch (compression, bits) {
    case (0, 1), (0, 2), (0, 4), (0, 8), (0, 24), (0, 32): break
    case (0, 16): masks = [0x7c00, 0x3e0, 0x1f, 0]
    case (1, 8), (2, 4): isRunLength = true
    case (3, 16), (3, 32), (6, 16), (6, 32):
      // Behind an old header, or inside of a newer one: the same place, 40 bytes on.
      let count = headerSize >= 56 || compression == 6 ? 4 : 3
      let bytes = try BMPDecoder.read(file, at: 14 + 40, 4 * count)
      masks = (0..<count).map { UInt32(Self.number(bytes, 4 * $0)) }
      if count == 3 { masks.append(0) }
    default:
      throw .unsupportedImage(
        what: "the picture",
        reason: "bitmaps of \(bits) bits with compression \(compression) aren't decoded")
    }
  }

  var hasAlpha: Bool { masks.count == 4 && masks[3] != 0 }

  /// The bytes of a row, padded to four.
  var rowSize: Int { (size.width * bits + 31) / 32 * 4 }

  static func damage(_ reason: String) -> CaptureError {
    .badImageData(what: "the picture", reason: reason)
  }

  private static func short(_ bytes: [UInt8], _ place: Int) -> Int {
    Int(bytes[place]) | Int(bytes[place + 1]) << 8
  }

  private static func number(_ bytes: [UInt8], _ place: Int) -> Int {
    short(bytes, place) | short(bytes, place + 2) << 16
  }
}

// Pixels.
extension BMPHeader {
  /// Puts a colour of the palette into a row; black where it has none.
  func paint(_ index: Int, _ row: inout [UInt8], at place: Int) {
    let color = index * colorSize
    for channel in 0..<3 {
      let byte = color + 2 - channel
      row[place + channel] = byte < colors.count ? colors[byte] : 0
    }
  }

  /// Makes RGB, or RGBA where there is coverage, of a row as it is stored.
  func convert(_ bytes: [UInt8], to row: inout [UInt8]) {
    for x in 0..<size.width {
      switch bits {
      case 1, 2, 4, 8:
        let place = x * bits
        let index = Int(bytes[place / 8]) >> (8 - bits - place % 8) & (1 << bits - 1)
        paint(index, &row, at: 3 * x)
      case 24 where masks.isEmpty, 32 where masks.isEmpty:
        for channel in 0..<3 { row[3 * x + channel] = bytes[x * bits / 8 + 2 - channel] }
      default:
        var pixel: UInt32 = 0
        for byte in (0..<bits / 8).reversed() {
          pixel = pixel << 8 | UInt32(bytes[x * bits / 8 + byte])
        }
        let channels = hasAlpha ? 4 : 3
        for channel in 0..<channels {
          row[channels * x + channel] = Self.value(pixel, masks[channel])
        }
      }
    }
  }

  /// The bits under a mask, as a number up to 255.
  private static func value(_ pixel: UInt32, _ mask: UInt32) -> UInt8 {
    guard mask != 0 else { return 0 }
    let shifted = (pixel & mask) >> UInt32(mask.trailingZeroBitCount)
    let most = UInt64(mask >> UInt32(mask.trailingZeroBitCount))
    return UInt8(clamping: (UInt64(shifted) * 255 + most / 2) / most)
  }
}

/// Bitmaps whose rows are runs of equal pixels.
enum BMPRuns {
  private static let pixelLimit = 100_000_000

  /// The colour of each pixel, the rows as they are stored; what is left out has the first colour.
  static func indices(_ file: FileReader, _ header: BMPHeader) throws(CaptureError) -> [UInt8] {
    let size = header.size
    guard size.area <= pixelLimit else {
      throw .unsupportedImage(
        what: "the picture", reason: "\(size.width) x \(size.height) pixels take too much memory")
    }
    var stream = FileStream(file, at: header.dataOffset)
    var indices = [UInt8](repeating: 0, count: size.area)
    var (x, y) = (0, 0)
    func put(_ index: UInt8) {
      if x < size.width, y < size.height { indices[y * size.width + x] = index }
      x += 1
    }
    while y < size.height {
      let count = Int(try stream.next())
      let value = try stream.next()
      if count > 0 {
        for i in 0..<count {
          put(header.bits == 8 ? value : i % 2 == 0 ? value >> 4 : value & 15)
        }
        continue
      }
      switch value {
      case 0: (x, y) = (0, y + 1)
      case 1: return indices
      case 2:
        x += Int(try stream.next())
        y += Int(try stream.next())
      default:
        let pixels = Int(value)
        let bytes = header.bits == 8 ? pixels : (pixels + 1) / 2
        // Padded to an even number.
        let run = try stream.next(bytes + bytes % 2)
        for i in 0..<pixels {
          put(header.bits == 8 ? run[i] : i % 2 == 0 ? run[i / 2] >> 4 : run[i / 2] & 15)
        }
      }
    }
    return indices
  }
}

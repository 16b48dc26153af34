import Foundation

@testable import ViewfinderLibrary

/// PNG files of any size that are all black, or all transparent: a few megabytes that claim gigabytes.
enum BlackPNG {
  static func file(width: Int, height: Int, hasAlpha: Bool = false) -> Data {
    var header = [width, height].flatMap { big($0, 4) }
    header += [8, hasAlpha ? 6 : 2, 0, 0, 0]
    let count = height * (1 + width * (hasAlpha ? 4 : 3))
    return Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
      + PNGText.chunk("IHDR", header) + PNGText.chunk("IDAT", zeros(count))
      + PNGText.chunk("IEND", [])
  }

  /// A zlib stream (RFC 1950) of zeros: one, and matches of the byte before it, 258 at a time.
  private static func zeros(_ count: Int) -> [UInt8] {
    var (bytes, bit): ([UInt8], Int) = ([], 0)
    func write(_ code: String) {
      for digit in code {
        if bit % 8 == 0 { bytes.append(0) }
        if digit == "1" { bytes[bit / 8] |= 1 << UInt8(bit % 8) }
        bit += 1
      }
    }
    let (zero, match) = ("00110000", "1100010100000")
    let (matches, rest) = (count - 1).quotientAndRemainder(dividingBy: 258)
    write("110" + zero)
    for _ in 0..<8 + matches % 8 { write(match) }
    for _ in 0..<rest { write(zero) }
    write("0000000")
    // Eight matches are 13 bytes, wherever they begin.
    let period = bytes[2..<15]
    let repeated = (0..<matches / 8 - 1).flatMap { _ in period }
    bytes.insert(contentsOf: repeated, at: 2)
    return [0x78, 1] + bytes + big((count % 65521) << 16 | 1, 4)
  }
}

import Viewfinder

/// The codes of a GIF picture (LZW), each of which stands for a run of pixels.
struct GIFCodes {
  private static let tableSize = 4096

  /// Each entry is that of its prefix, and one pixel more.
  private var prefixes = [UInt16](repeating: 0, count: tableSize)
  private var suffixes = [UInt8](repeating: 0, count: tableSize)
  private var lengths = [UInt16](repeating: 0, count: tableSize)
  private let clear: Int
  private var count: Int
  private var width: Int
  private let firstWidth: Int
  private var last: Int?
  /// Bits that are read but not used, the next one lowest.
  private var bits: UInt32 = 0
  private var bitCount = 0
  /// Bytes that are left of the present block.
  private var left = 0

  init(_ stream: inout FileStream) throws(CaptureError) {
    let size = Int(try stream.next())
    guard (1...8).contains(size) else { throw Self.damage }
    clear = 1 << size
    count = clear + 2
    firstWidth = size + 1
    width = firstWidth
    for index in 0..<clear {
      suffixes[index] = UInt8(index)
      lengths[index] = 1
    }
  }

  private static var damage: CaptureError {
    .badImageData(what: "the picture", reason: "its codes are damaged")
  }

  private mutating func nextCode(_ stream: inout FileStream) throws(CaptureError) -> Int {
    while bitCount < width {
      if left == 0 {
        left = Int(try stream.next())
        guard left > 0 else {
          throw .badImageData(what: "the picture", reason: "it ends too early")
        }
      }
      bits |= UInt32(try stream.next()) << UInt32(bitCount)
      bitCount += 8
      left -= 1
    }
    let code = Int(bits & (1 << UInt32(width) - 1))
    bits >>= UInt32(width)
    bitCount -= width
    return code
  }

  /// The next pixels, at least one.
  mutating func next(_ stream: inout FileStream) throws(CaptureError) -> [UInt8] {
    var code = try nextCode(&stream)
    while code == clear {
      (count, width, last) = (clear + 2, firstWidth, nil)
      code = try nextCode(&stream)
    }
    guard code != clear + 1 else {
      throw .badImageData(what: "the picture", reason: "it ends too early")
    }
    guard let last else {
      guard code < clear else { throw Self.damage }
      self.last = code
      return [UInt8(code)]
    }
    // The code that is just being made may be used at once.
    guard code < count || (code == count && count < Self.tableSize) else { throw Self.damage }
    var pixels = run(code < count ? code : last)
    if code == count { pixels.append(pixels[0]) }
    if count < Self.tableSize {
      prefixes[count] = UInt16(last)
      suffixes[count] = pixels[0]
      lengths[count] = lengths[last] + 1
      count += 1
      if count == 1 << width, width < 12 { width += 1 }
    }
    self.last = code
    return pixels
  }

  private func run(_ code: Int) -> [UInt8] {
    var pixels = [UInt8](repeating: 0, count: Int(lengths[code]))
    var code = code
    for place in pixels.indices.reversed() {
      pixels[place] = suffixes[code]
      code = Int(prefixes[code])
    }
    return pixels
  }
}

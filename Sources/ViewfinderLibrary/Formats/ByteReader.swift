import Foundation

/// A file's bytes, read as they are asked for and kept, so that nothing is read twice.
///
/// There is a budget: a file that claims headers all over gigabytes costs no more than any other.
final class FileWindows {
  /// At most this many bytes are read from a file.
  static let byteLimit = 1 << 20
  /// At most this many reads are made.
  static let readLimit = 200
  /// Most headers fit into the first read.
  private static let firstRead = 16 << 10
  /// Small enough that all reads together stay within the limit of bytes.
  private static let furtherRead = 4 << 10

  /// Reads past the budget, and keeps nothing.
  let read: (_ offset: Int, _ count: Int) throws(PhotoLibraryError) -> [UInt8]
  private var windows: [(start: Int, bytes: [UInt8])] = []
  private(set) var bytesRead = 0
  /// Why reading failed; nothing more is read then.
  private(set) var failure: PhotoLibraryError?
  /// Whether the budget kept something from being read.
  private(set) var isExhausted = false

  let size: Int

  init(_ file: FileReader) {
    size = file.size
    read = { (offset, count) throws(PhotoLibraryError) in try file.read(at: offset, count: count) }
  }

  /// A file that isn't on a disk yet.
  init(_ data: Data) {
    size = data.count
    read = { offset, count in [UInt8](data.dropFirst(offset).prefix(count)) }
  }

  var readCount: Int { windows.count }

  /// A window with all of `range`, or `nil` where the file or the budget ends before.
  func window(for range: Range<Int>) -> (start: Int, bytes: [UInt8])? {
    for window in windows.reversed()
    where window.start <= range.lowerBound
      && range.upperBound <= window.start + window.bytes.count
    {
      return window
    }
    guard range.lowerBound >= 0, range.upperBound <= size, failure == nil else { return nil }
    let left = Self.byteLimit - bytesRead
    guard range.count <= left, windows.count < Self.readLimit else {
      isExhausted = true
      return nil
    }
    let readAhead = windows.isEmpty ? Self.firstRead : Self.furtherRead
    do throws(PhotoLibraryError) {
      let bytes = try read(range.lowerBound, min(max(range.count, readAhead), left))
      bytesRead += bytes.count
      windows.append((range.lowerBound, bytes))
      // Fewer bytes than there were: someone shortens the file just now.
      return bytes.count < range.count ? nil : (range.lowerBound, bytes)
    } catch {
      failure = error
      return nil
    }
  }
}

/// A part of a file as numbers and text, with every access checked against the part's bounds.
///
/// Offsets count from the part's beginning. What lies outside is `nil`, never a trap.
struct ByteReader {
  enum Order { case big, little }

  private let windows: FileWindows
  /// Where in the file the part lies.
  let range: Range<Int>
  var order = Order.big

  init(_ windows: FileWindows) {
    self.windows = windows
    range = 0..<windows.size
  }

  /// Bytes that are in memory, of which a file has only something like a compressed form.
  init(_ bytes: [UInt8]) { self.init(FileWindows(Data(bytes))) }

  private init(_ windows: FileWindows, _ range: Range<Int>, _ order: Order) {
    self.windows = windows
    self.range = range
    self.order = order
  }

  var count: Int { range.count }

  /// No file has more bytes, so the sum of two offsets never overflows.
  private static let farthest = UInt64(1) << 60

  /// What begins at `offset`, at most `count` bytes: shorter, even empty, where this part ends before.
  func part(from offset: Int, count wanted: Int = .max) -> ByteReader {
    let start = min(max(offset, 0), count)
    let length = min(max(wanted, 0), count - start)
    let lower = range.lowerBound + start
    return ByteReader(windows, lower..<lower + length, order)
  }

  func ordered(_ order: Order) -> ByteReader { ByteReader(windows, range, order) }

  /// An unsigned number of up to 8 bytes.
  private func number(at offset: Int, size: Int) -> UInt64? {
    guard offset >= 0, size <= count, offset <= count - size, (0...8).contains(size) else {
      return nil
    }
    if size == 0 { return 0 }
    let start = range.lowerBound + offset
    guard let window = windows.window(for: start..<start + size) else { return nil }
    var value: UInt64 = 0
    for index in 0..<size {
      value = value << 8 | UInt64(window.bytes[start - window.start + index])
    }
    return order == .big ? value : value.byteSwapped >> (64 - 8 * UInt64(size))
  }

  /// An unsigned number of 0 to 8 bytes; `nil` also when it is too large to be any offset or count.
  func unsigned(at offset: Int, size: Int) -> Int? {
    number(at: offset, size: size).flatMap { $0 < Self.farthest ? Int($0) : nil }
  }

  func uint8(at offset: Int) -> Int? { unsigned(at: offset, size: 1) }
  func uint16(at offset: Int) -> Int? { unsigned(at: offset, size: 2) }
  func uint24(at offset: Int) -> Int? { unsigned(at: offset, size: 3) }
  func uint32(at offset: Int) -> Int? { unsigned(at: offset, size: 4) }
  func uint64(at offset: Int) -> Int? { unsigned(at: offset, size: 8) }

  func int32(at offset: Int) -> Int? {
    number(at: offset, size: 4).map { Int(Int32(truncatingIfNeeded: $0)) }
  }

  func int64(at offset: Int) -> Int64? {
    number(at: offset, size: 8).map { Int64(truncatingIfNeeded: $0) }
  }

  /// An IEEE 754 number of 4 or 8 bytes.
  func float(at offset: Int, size: Int) -> Double? {
    guard let bits = number(at: offset, size: size) else { return nil }
    return switch size {
    case 4: Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case 8: Double(bitPattern: bits)
    default: nil
    }
  }

  /// `count` bytes; fewer where this part ends before.
  func bytes(at offset: Int, count wanted: Int) -> [UInt8] {
    let part = part(from: offset, count: wanted)
    guard part.count > 0, let window = windows.window(for: part.range) else { return [] }
    let start = part.range.lowerBound - window.start
    return Array(window.bytes[start..<start + part.count])
  }

  func hasBytes(_ expected: [UInt8], at offset: Int = 0) -> Bool {
    bytes(at: offset, count: expected.count) == expected
  }

  func hasText(_ expected: String, at offset: Int = 0) -> Bool {
    hasBytes(Array(expected.utf8), at: offset)
  }

  /// Four characters, such as a box's or a chunk's type, one for each byte (ISO 8859-1).
  func fourCC(at offset: Int) -> String? {
    let bytes = bytes(at: offset, count: 4)
    guard bytes.count == 4 else { return nil }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// Text up to its first zero, without blanks around it; `nil` when nothing is left.
  func text(at offset: Int = 0, count: Int = 256) -> String? {
    let text = String(
      decoding: bytes(at: offset, count: min(count, 256)).prefix { $0 != 0 }, as: UTF8.self)
    let trimmed = text.trimmed
    return trimmed.isEmpty ? nil : trimmed
  }
}

extension String {
  /// The text without white space and control characters around it.
  var trimmed: String {
    let isBlank = { (character: Unicode.Scalar) in
      character.value <= 0x20 || character.properties.isWhitespace
    }
    let scalars = unicodeScalars.drop(while: isBlank)
    guard let last = scalars.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(scalars[...last])
  }
}

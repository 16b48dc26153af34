import Viewfinder

extension MediaInfo {
  /// Reads the headers before the first picture of an H.264 stream (ITU-T H.264): its size, and what AVCHD cameras add.
  mutating func readH264(_ stream: [UInt8]) {
    let (supplement, sequence) = (6, 7)
    for unit in StartCodes(stream) {
      guard let first = unit.first else { continue }
      switch Int(first & 0x1f) {
      case sequence where storedDimensions == nil:
        let size = SequenceParameters(Self.unescaped(unit.dropFirst()))?.size
        if let size { setSize(width: size.width, height: size.height) }
      case supplement:
        readSupplement(Self.unescaped(unit.dropFirst()))
      default: break
      }
    }
  }

  /// The data without the bytes of 3 that keep start codes out of them.
  private static func unescaped(_ unit: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var zeros = 0
    for byte in unit.prefix(4096) {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      bytes.append(byte)
    }
    return bytes
  }

  /// The messages of supplemental enhancement information, of which cameras' own begin with this UUID and "MDPM".
  private mutating func readSupplement(_ bytes: [UInt8]) {
    let mark: [UInt8] = [
      0x17, 0xee, 0x8c, 0x60, 0xf8, 0x4d, 0x11, 0xd9, 0x8c, 0xd6, 0x08, 0x00, 0x20, 0x0c, 0x9a,
      0x66, 0x4d, 0x44, 0x50, 0x4d,
    ]
    var rest = bytes[...]
    /// Numbers above 254 take more bytes.
    func number() -> Int? {
      var value = 0
      while let byte = rest.popFirst() {
        value += Int(byte)
        if byte != 0xff { return value }
      }
      return nil
    }
    while let kind = number(), let size = number(), size <= rest.count {
      let content = rest.prefix(size)
      rest = rest.dropFirst(size)
      if kind == 5, content.starts(with: mark) { readRecord(content.dropFirst(mark.count)) }
    }
  }

  /// AVCHD's record about the picture: a count, then numbered entries of four bytes.
  private mutating func readRecord(_ record: ArraySlice<UInt8>) {
    var entries: [Int: [Int]] = [:]
    var rest = record.dropFirst()
    for _ in 0..<(record.first ?? 0) {
      let entry = rest.prefix(5).map(Int.init)
      guard entry.count == 5 else { break }
      rest = rest.dropFirst(5)
      if entries[entry[0]] == nil { entries[entry[0]] = Array(entry.dropFirst()) }
    }
    state(Self.date(entries), .taken, by: .container)
    state(Self.position(entries), by: .container)
  }

  /// Zone, century, year and month, then day and time, of which all but the zone are decimal digits of four bits.
  private static func date(_ entries: [Int: [Int]]) -> CaptureDate? {
    guard let first = entries[0x18], let second = entries[0x19] else { return nil }
    let digits = (first.dropFirst() + second).map {
      $0 >> 4 < 10 && $0 & 15 < 10 ? ($0 >> 4) * 10 + $0 & 15 : -1
    }
    guard !digits.contains(-1) else { return nil }
    let seconds = CaptureDate.seconds(
      year: digits[0] * 100 + digits[1], month: digits[2], day: digits[3], hour: digits[4],
      minute: digits[5], second: digits[6])
    // Half hours, hours in four bits, and a sign; one with the highest bit is unknown.
    let zone = first[0]
    let offset = (zone >> 1 & 15) * 3600 + (zone & 1) * 1800
    return seconds.map {
      CaptureDate(
        localSeconds: $0,
        offset: zone & 0x80 != 0 ? nil : Int32(zone & 0x20 != 0 ? -offset : offset))
    }
  }

  /// Exif's GPS tags, 0xB0 before their numbers: each fraction is one entry of two numbers.
  private static func position(_ entries: [Int: [Int]]) -> GeoPosition? {
    func degrees(_ tag: Int, positive: Character, negative: Character) -> Double? {
      let parts = (1...3).map { index -> Double? in
        guard let entry = entries[tag + index] else { return nil }
        let denominator = entry[2] << 8 | entry[3]
        return denominator == 0 ? nil : Double(entry[0] << 8 | entry[1]) / Double(denominator)
      }
      guard let degrees = parts[0],
        let reference = entries[tag]?.first.flatMap(UInt8.init(exactly:))
      else { return nil }
      let value = degrees + (parts[1] ?? 0) / 60 + (parts[2] ?? 0) / 3600
      switch Character(Unicode.Scalar(reference)) {
      case positive: return value
      case negative: return -value
      default: return nil
      }
    }
    guard let latitude = degrees(0xb1, positive: "N", negative: "S"),
      let longitude = degrees(0xb5, positive: "E", negative: "W")
    else { return nil }
    return GeoPosition(latitude: latitude, longitude: longitude)
  }
}

/// What an H.264 stream says of its pictures' size (7.3.2.1.1).
private struct SequenceParameters {
  let size: (width: Int, height: Int)

  init?(_ bytes: [UInt8]) {
    var bits = BitReader(bytes)
    let profile = bits.read(8)
    _ = bits.read(16)  // Constraints and level.
    _ = bits.golomb()
    var chroma = 1
    if [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135].contains(profile) {
      chroma = bits.golomb()
      if chroma == 3 { _ = bits.read(1) }
      _ = bits.golomb()
      _ = bits.golomb()
      _ = bits.read(1)
      if bits.read(1) == 1 { Self.skipScaling(&bits, count: chroma == 3 ? 12 : 8) }
    }
    _ = bits.golomb()
    switch bits.golomb() {
    case 0: _ = bits.golomb()
    case 1:
      _ = bits.read(1)
      _ = bits.golomb()
      _ = bits.golomb()
      for _ in 0..<min(bits.golomb(), 255) { _ = bits.golomb() }
    default: break
    }
    _ = bits.golomb()
    _ = bits.read(1)
    let width = (bits.golomb() + 1) * 16
    let mapHeight = (bits.golomb() + 1) * 16
    let isFramesOnly = bits.read(1) == 1
    let height = isFramesOnly ? mapHeight : mapHeight * 2
    if !isFramesOnly { _ = bits.read(1) }
    _ = bits.read(1)
    // What is cut off at the left, right, top and bottom, in units of the colour's pixels.
    var crop = [0, 0, 0, 0]
    if bits.read(1) == 1 { crop = (0..<4).map { _ in bits.golomb() } }
    let unitX = chroma == 1 || chroma == 2 ? 2 : 1
    let unitY = (chroma == 1 ? 2 : 1) * (isFramesOnly ? 1 : 2)
    size = (width - (crop[0] + crop[1]) * unitX, height - (crop[2] + crop[3]) * unitY)
    if bits.isBeyondEnd || size.width <= 0 || size.height <= 0 { return nil }
  }

  private static func skipScaling(_ bits: inout BitReader, count: Int) {
    for index in 0..<count where bits.read(1) == 1 {
      var (last, next) = (8, 8)
      for _ in 0..<(index < 6 ? 16 : 64) {
        if next != 0 {
          let code = bits.golomb()
          // Signed: 1, -1, 2, -2, …
          next = (last + (code & 1 == 1 ? code / 2 + 1 : -(code / 2))) & 0xff
        }
        if next != 0 { last = next }
      }
    }
  }
}

/// Bits, the highest of each byte first.
private struct BitReader {
  private let bytes: [UInt8]
  private var position = 0
  private(set) var isBeyondEnd = false

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func read(_ count: Int) -> Int {
    var value = 0
    for _ in 0..<count {
      guard position / 8 < bytes.count else {
        isBeyondEnd = true
        return 0
      }
      value = value << 1 | Int(bytes[position / 8] >> UInt8(7 - position % 8) & 1)
      position += 1
    }
    return value
  }

  /// A number with as many leading zeros as digits behind its first (9.1), of 31 bits at most.
  mutating func golomb() -> Int {
    var zeros = 0
    while read(1) == 0 {
      zeros += 1
      guard zeros < 32, !isBeyondEnd else {
        isBeyondEnd = true
        return 0
      }
    }
    return 1 << zeros - 1 + read(zeros)
  }
}

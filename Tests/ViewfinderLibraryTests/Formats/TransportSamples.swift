/// Transport streams of a few packets, as AVCHD cameras write them.
enum TransportSample {
  /// Bits, the highest of each byte first.
  private struct Bits {
    private(set) var bytes: [UInt8] = []
    private var free = 0

    mutating func put(_ value: Int, _ count: Int) {
      for shift in (0..<count).reversed() {
        if free == 0 {
          bytes.append(0)
          free = 8
        }
        free -= 1
        bytes[bytes.count - 1] |= UInt8(value >> shift & 1) << UInt8(free)
      }
    }

    mutating func golomb(_ value: Int) {
      let length = Int.bitWidth - (value + 1).leadingZeroBitCount
      put(0, length - 1)
      put(value + 1, length)
    }
  }

  /// 1920 × 1080 in fields: 120 × 34 pairs of blocks, with 8 rows cut off.
  static let sequence: [UInt8] = {
    var bits = Bits()
    bits.put(0x64, 8)
    bits.put(0x0028, 16)
    for value in [0, 1, 0, 0] { bits.golomb(value) }
    bits.put(0, 1)
    bits.put(1, 1)
    // One list of all sixteen numbers, one that ends at once, and six that aren't there.
    bits.put(1, 1)
    for _ in 0..<16 { bits.golomb(0) }
    bits.put(1, 1)
    bits.golomb(16)
    bits.put(0, 6)
    for value in [0, 0, 2, 4] { bits.golomb(value) }
    bits.put(0, 1)
    for value in [119, 33] { bits.golomb(value) }
    bits.put(0b0_1_1_1, 4)
    for value in [0, 0, 0, 2] { bits.golomb(value) }
    bits.put(1, 1)
    return [0x67] + bits.bytes
  }()

  static let mark: [UInt8] = [
    0x17, 0xee, 0x8c, 0x60, 0xf8, 0x4d, 0x11, 0xd9, 0x8c, 0xd6, 0x08, 0x00, 0x20, 0x0c, 0x9a, 0x66,
  ]

  /// What a camera adds to a picture, with the bytes of 3 that such data need.
  static func supplement(_ entries: [[UInt8]]) -> [UInt8] {
    let record = mark + text("MDPM") + [UInt8(entries.count)] + entries.flatMap { $0 }
    var escaped: [UInt8] = []
    for byte in record {
      if escaped.suffix(2) == [0, 0], byte <= 3 { escaped.append(3) }
      escaped.append(byte)
    }
    return [0x06, 0x05, UInt8(record.count)] + escaped + [0x80]
  }

  /// 2003-03-10 15:04:43, an hour before UTC, at 48° 8' N, 11° 30' W.
  static let entries: [[UInt8]] = [
    [0x18, 0x02, 0x20, 0x03, 0x03], [0x19, 0x10, 0x15, 0x04, 0x43], [0x70, 0, 0, 0, 1],
    [0xb1] + text("N") + zeros(3), [0xb2, 0, 48, 0, 1], [0xb3, 0, 8, 0, 1], [0xb4, 0, 0, 0, 1],
    [0xb5] + text("W") + zeros(3), [0xb6, 0, 11, 0, 1], [0xb7, 0, 30, 0, 1], [0xb8, 0, 0, 0, 1],
  ]

  static func picture(_ entries: [[UInt8]] = entries, sequence: [UInt8] = sequence) -> [UInt8] {
    let units = [[0x09, 0x10], sequence, supplement(entries), [0x65, 0x88]]
    return [0, 0, 1, 0xe0, 0, 0, 0x80, 0x00, 0] + units.flatMap { [0, 0, 0, 1] + $0 }
  }

  /// A packet with a clock of so many seconds, or none, filled up in front.
  static func packet(_ stream: Int, _ payload: [UInt8], clock: Int? = nil, begins: Bool = true)
    -> [UInt8]
  {
    let field = clock.map { [0x10] + big($0 * 90_000 << 15 | 0x7e00, 6) } ?? [0]
    let filling = 188 - 5 - field.count - payload.count
    return [0x47, UInt8((begins ? 0x40 : 0) | stream >> 8), UInt8(stream & 0xff), 0x30]
      + [UInt8(field.count + filling)] + field + Array(repeating: 0xff, count: filling) + payload
  }

  /// A stream of two seconds.
  static func file(_ picture: [UInt8] = picture(), prefix: Int = 4) -> [UInt8] {
    let first = Array(picture.prefix(120))
    let second = Array(picture.dropFirst(120))
    let packets = [
      packet(0, zeros(9)), packet(0x1001, [], clock: 10, begins: false), packet(0x1011, first),
      packet(0x1100, [0, 0, 1, 0xbd]), packet(0x1011, second, begins: false),
      packet(0x1001, [], clock: 11, begins: false), packet(0x1001, [], clock: 12, begins: false),
    ]
    return packets.flatMap { zeros(prefix) + $0 }
  }

  static let mpeg2: [UInt8] = [0, 0, 1, 0xb3, 0x2d, 0x02, 0x40, 0x33, 0xff]
}

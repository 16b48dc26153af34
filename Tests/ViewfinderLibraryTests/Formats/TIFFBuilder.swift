/// Makes TIFF files and Exif blocks.
struct TIFFBuilder {
  enum Value {
    case bytes([UInt8]), undefined([UInt8]), ascii(String), short([Int]), long([Int])
    case rational([(Int, Int)])
    case directories([[Int: Value]])
    /// Bytes somewhere in the file, with their place as the value.
    case place([UInt8])
  }
  typealias Directory = [Int: Value]

  private var isLittle: Bool
  private(set) var bytes: [UInt8] = []

  static func file(
    _ chain: [Directory], little isLittle: Bool = true, magic: Int = 42, mark: [UInt8] = []
  ) -> [UInt8] {
    var builder = TIFFBuilder(isLittle: isLittle)
    builder.bytes = text(isLittle ? "II" : "MM") + builder.number(magic, 2) + zeros(4) + mark
    var patch = 4
    for directory in chain {
      let place = builder.append(directory)
      builder.put(builder.number(place.offset, 4), at: patch)
      patch = place.next
    }
    return builder.bytes
  }

  private func number(_ value: Int, _ size: Int) -> [UInt8] {
    isLittle ? little(value, size) : big(value, size)
  }

  private mutating func put(_ new: [UInt8], at offset: Int) {
    bytes.replaceSubrange(offset..<offset + new.count, with: new)
  }

  private mutating func append(_ directory: Directory) -> (offset: Int, next: Int) {
    if bytes.count % 2 == 1 { bytes.append(0) }
    let start = bytes.count
    let next = start + 2 + 12 * directory.count
    bytes += number(directory.count, 2) + zeros(12 * directory.count + 4)
    for (index, (tag, value)) in directory.sorted(by: { $0.key < $1.key }).enumerated() {
      let (type, count, data) = encode(value)
      var field = data + zeros(max(4 - data.count, 0))
      if data.count > 4 {
        field = number(bytes.count, 4)
        bytes += data + zeros(data.count % 2)
      }
      put(number(tag, 2) + number(type, 2) + number(count, 4) + field, at: start + 2 + 12 * index)
    }
    return (start, next)
  }

  private mutating func encode(_ value: Value) -> (type: Int, count: Int, data: [UInt8]) {
    switch value {
    case .bytes(let bytes): return (1, bytes.count, bytes)
    case .undefined(let bytes): return (7, bytes.count, bytes)
    case .ascii(let string):
      let bytes = text(string) + [0]
      return (2, bytes.count, bytes)
    case .short(let values): return (3, values.count, values.flatMap { number($0, 2) })
    case .long(let values): return (4, values.count, values.flatMap { number($0, 4) })
    case .rational(let values):
      return (5, values.count, values.flatMap { number($0.0, 4) + number($0.1, 4) })
    case .directories(let directories):
      let places = directories.map { append($0).offset }
      return (4, places.count, places.flatMap { number($0, 4) })
    case .place(let data):
      let place = bytes.count
      bytes += data
      return (4, 1, number(place, 4))
    }
  }
}

extension TIFFBuilder.Value {
  static func short(_ value: Int) -> Self { .short([value]) }
  static func long(_ value: Int) -> Self { .long([value]) }
  static func directory(_ directory: TIFFBuilder.Directory) -> Self { .directories([directory]) }
}

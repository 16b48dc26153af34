/// The process's arguments as text from which their bytes can be had again.
///
/// Swift repairs arguments that aren't UTF-8, and the argument parser takes text alone. So a byte that is part of no
/// valid character stands in the text as a character of Unicode's last private plane, U+10FF80 to U+10FFFF, by its value;
/// and so does each byte of these characters themselves, so that no two arguments are the same text. ``Path`` turns it
/// back, and nothing else.
enum ArgumentText {
  /// The arguments of this process, without its name.
  static var ofProcess: [String] {
    let count = Int(max(CommandLine.argc, 1))
    return (1..<count).compactMap { index in
      unsafe CommandLine.unsafeArgv[index].map { argument in
        var end = unsafe argument
        while unsafe end.pointee != 0 { unsafe end += 1 }
        return encode(
          unsafe UnsafeBufferPointer(start: argument, count: end - argument)
            .map { UInt8(bitPattern: $0) })
      }
    }
  }

  /// Where the stand-ins for bytes begin: 128 for those from 0x80 on.
  private static let base: UInt32 = 0x10ff00
  private static let standIns = (base + 0x80)...(base + 0xff)

  /// The text for bytes.
  static func encode(_ bytes: [UInt8]) -> String {
    var text = String.UnicodeScalarView()
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var place = 0
    while true {
      let next = parser.parseScalar(from: &rest)
      switch next {
      case .emptyInput: return String(text)
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        if standIns.contains(scalar.value) {
          text += encoded.lazy.map(standIn)
        } else {
          text.append(scalar)
        }
        place += encoded.count
      case .error(let length):
        text += bytes[place..<place + length].lazy.map(standIn)
        place += length
      }
    }
  }

  /// The bytes that a text stands for.
  static func decode(_ text: String) -> [UInt8] {
    text.unicodeScalars.flatMap { scalar -> [UInt8] in
      byte(of: scalar).map { [$0] } ?? Array(Unicode.UTF8.encode(scalar)!)
    }
  }

  /// The byte for which a character stands; `nil` for one that stands for itself.
  static func byte(of scalar: Unicode.Scalar) -> UInt8? {
    standIns.contains(scalar.value) ? UInt8(scalar.value - base) : nil
  }

  /// Whether a text stands for bytes that are no text.
  static func isBytes(_ text: String) -> Bool {
    text.unicodeScalars.contains { byte(of: $0) != nil }
  }

  // From 0x80 on these are characters; UTF-8 is never wrong about other bytes.
  private static func standIn(_ byte: UInt8) -> Unicode.Scalar {
    Unicode.Scalar(base + UInt32(byte)) ?? "\u{fffd}"
  }
}

import Foundation

/// Reads JSON from its first byte to its last, and keeps nothing of it but the names of members.
struct Scanner {
  private let bytes: [UInt8]
  private var at = 0

  init(_ data: Data) { bytes = Array(data) }

  private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

  private func problem(_ reason: String) -> StrictJSON.Problem {
    StrictJSON.Problem(reason: reason, offset: at)
  }

  /// Checks that nothing follows.
  mutating func end() throws(StrictJSON.Problem) {
    space()
    if next != nil { throw problem("one JSON value") }
  }

  private mutating func space() {
    while let byte = next, [0x20, 0x0a, 0x0d, 0x09].contains(byte) { at += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    space()
    guard next == UInt8(ascii: character) else { return false }
    at += 1
    return true
  }

  /// Reads what is between brackets, separated by commas.
  mutating func list(
    from start: Unicode.Scalar, to end: Unicode.Scalar,
    _ element: (inout Scanner) throws(StrictJSON.Problem) -> Void
  ) throws(StrictJSON.Problem) {
    guard take(start) else { throw problem(start == "{" ? "an object" : "an array") }
    if take(end) { return }
    repeat { try element(&self) } while take(",")
    guard take(end) else { throw problem("complete JSON") }
  }

  /// Reads a member's name with the colon.
  mutating func name() throws(StrictJSON.Problem) -> String {
    space()
    let name = try text()
    guard take(":") else { throw problem("complete JSON") }
    return name
  }

  /// Checks a value and all within.
  mutating func value(depth: Int) throws(StrictJSON.Problem) {
    space()
    switch next {
    case UInt8(ascii: "{"):
      try deeper(depth)
      var names: Set<String> = []
      try list(from: "{", to: "}") { scanner throws(StrictJSON.Problem) in
        guard names.insert(try scanner.name()).inserted else {
          throw scanner.problem("an object that has each member once")
        }
        try scanner.value(depth: depth + 1)
      }
    case UInt8(ascii: "["):
      try deeper(depth)
      try list(from: "[", to: "]") { scanner throws(StrictJSON.Problem) in
        try scanner.value(depth: depth + 1)
      }
    case UInt8(ascii: "\""): _ = try text()
    case UInt8(ascii: "t"): try word("true")
    case UInt8(ascii: "f"): try word("false")
    case UInt8(ascii: "n"): try word("null")
    default: try number()
    }
  }

  private func deeper(_ depth: Int) throws(StrictJSON.Problem) {
    guard depth < StrictJSON.maximumDepth else {
      throw problem("nested \(StrictJSON.maximumDepth) deep at most")
    }
  }

  private mutating func word(_ word: String) throws(StrictJSON.Problem) {
    guard bytes[at...].starts(with: word.utf8) else { throw problem("complete JSON") }
    at += word.utf8.count
  }

  private mutating func digits() throws(StrictJSON.Problem) -> ArraySlice<UInt8> {
    let start = at
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { at += 1 }
    guard at > start else { throw problem("complete JSON") }
    return bytes[start..<at]
  }

  private mutating func number() throws(StrictJSON.Problem) {
    if next == UInt8(ascii: "-") { at += 1 }
    let whole = try digits()
    guard whole.count == 1 || whole.first != UInt8(ascii: "0") else {
      throw problem("a number without zeros before it")
    }
    var count = whole.count
    if next == UInt8(ascii: ".") {
      at += 1
      count += try digits().count
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      at += 1
      if next == UInt8(ascii: "-") || next == UInt8(ascii: "+") { at += 1 }
      let exponent = try digits().drop { $0 == UInt8(ascii: "0") }
      guard exponent.count < 4,
        exponent.reduce(0, { $0 * 10 + Int($1 - UInt8(ascii: "0")) }) <= StrictJSON.maximumExponent
      else { throw problem("a number with an exponent of \(StrictJSON.maximumExponent) at most") }
    }
    guard count <= StrictJSON.maximumDigits else {
      throw problem("a number of \(StrictJSON.maximumDigits) digits at most")
    }
  }

  /// Reads a text, with what its escapes stand for.
  private mutating func text() throws(StrictJSON.Problem) -> String {
    guard next == UInt8(ascii: "\"") else { throw problem("complete JSON") }
    at += 1
    var (plain, units): ([UInt8], [UInt16]) = ([], [])
    while let byte = next {
      at += 1
      switch byte {
      case UInt8(ascii: "\""):
        try flush(&units, into: &plain)
        return String(decoding: plain, as: UTF8.self)
      case UInt8(ascii: "\\"):
        let escape = next
        at += 1
        if escape == UInt8(ascii: "u") {
          units.append(try unit())
          continue
        }
        try flush(&units, into: &plain)
        plain.append(try Self.meaning(of: escape, problem("text whose escapes are JSON's")))
      case ..<0x20: throw problem("text without control characters")
      default:
        if !units.isEmpty { try flush(&units, into: &plain) }
        plain.append(byte)
      }
    }
    throw problem("complete JSON")
  }

  private static func meaning(
    of escape: UInt8?, _ problem: StrictJSON.Problem
  ) throws(StrictJSON.Problem) -> UInt8 {
    switch escape {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): escape!
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0c
    case UInt8(ascii: "n"): 0x0a
    case UInt8(ascii: "r"): 0x0d
    case UInt8(ascii: "t"): 0x09
    default: throw problem
    }
  }

  /// The four digits of an escaped unit of UTF-16.
  private mutating func unit() throws(StrictJSON.Problem) -> UInt16 {
    let end = min(at + 4, bytes.count)
    let digits = bytes[at..<end]
    let hexadecimal = Set("0123456789abcdefABCDEF".utf8)
    guard digits.count == 4, digits.allSatisfy(hexadecimal.contains),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw problem("text whose escapes are JSON's") }
    at = end
    return unit
  }

  /// Ends a run of escaped units, in which surrogates come in pairs.
  private func flush(_ units: inout [UInt16], into text: inout [UInt8]) throws(StrictJSON.Problem) {
    guard !units.isEmpty else { return }
    guard let run = String(validating: units, as: UTF16.self) else {
      throw problem("text without halves of characters")
    }
    text += Array(run.utf8)
    units = []
  }

  /// Passes a value by, however deep it is, and gives its bytes.
  mutating func skipped() throws(StrictJSON.Problem) -> Data {
    space()
    let start = at
    var depth = 0
    repeat {
      space()
      switch next {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""):
        passText()
        continue
      case nil: throw problem("complete JSON")
      default: break
      }
      guard depth >= 0 else { throw problem("complete JSON") }
      let byte = bytes[at]
      at += 1
      // A number or a word goes on until something else begins.
      if depth == 0, Self.isInWord(byte) {
        while let more = next, Self.isInWord(more) { at += 1 }
      }
    } while depth > 0
    return Data(bytes[start..<at])
  }

  private static func isInWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  private mutating func passText() {
    at += 1
    while let byte = next {
      at = min(at + (byte == UInt8(ascii: "\\") ? 2 : 1), bytes.count)
      if byte == UInt8(ascii: "\"") { return }
    }
  }
}

import Foundation

/// Dates as people's programs spell them: in XMP, videos, AVI files and PNG's text.
extension CaptureDate {
  /// Reads ISO 8601 (whole, or a day, month or year alone, of which it is the beginning), its basic form without
  /// separators, and what cameras make of it: `2001/ 1/27  1:42PM`, `2005/11/28/ 09:19`, `2002:12:16 15:35:01`; also C's
  /// and mail's `Mon Mar 10 15:04:43 2003` and `Mon, 10 Mar 2003 15:04:43 +0100`.
  ///
  /// Returns `nil` for what names no day that there is. What follows a date is ignored.
  init?(written text: String) {
    var scanner = DateScanner(text)
    guard let date = scanner.isoDate() ?? scanner.namedDate() else { return nil }
    self = date
  }
}

/// Goes through a date's text from left to right.
private struct DateScanner {
  /// No date is longer.
  private static let limit = 64

  private let whole: ArraySlice<UInt8>
  private var rest: ArraySlice<UInt8>

  init(_ text: String) {
    whole = Array(text.utf8.prefix(Self.limit))[...]
    rest = whole
    skipBlanks()
  }

  private mutating func skipBlanks() { rest = rest.drop { $0 <= 0x20 } }

  /// Takes one of these characters.
  private mutating func take(_ characters: String) -> Bool {
    guard let first = rest.first, characters.utf8.contains(first) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// A number of at least and at most so many digits.
  private mutating func number(_ counts: ClosedRange<Int>) -> Int? {
    let digits = rest.prefix(counts.upperBound).prefix(while: \.isASCIIDigit)
    guard digits.count >= counts.lowerBound else { return nil }
    rest = rest.dropFirst(digits.count)
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  private mutating func word() -> String {
    let letters = rest.prefix { (65...90).contains($0 & 0xdf) }
    rest = rest.dropFirst(letters.count)
    return String(decoding: letters, as: UTF8.self).lowercased()
  }

  // MARK: Year first

  mutating func isoDate() -> CaptureDate? {
    guard let year = number(4...4) else { return again() }
    if rest.first?.isASCIIDigit == true {
      guard let month = number(2...2), let day = number(2...2) else { return again() }
      return date(year, month, day)
    }
    guard take("-/:.") else { return rest.isEmpty ? date(year, 1, 1) : again() }
    skipBlanks()
    guard let month = number(1...2) else { return again() }
    guard take("-/:.") else { return rest.isEmpty ? date(year, month, 1) : again() }
    skipBlanks()
    guard let day = number(1...2) else { return again() }
    _ = take("/")
    return date(year, month, day)
  }

  /// Begins from the start for another spelling.
  private mutating func again() -> CaptureDate? {
    rest = whole
    skipBlanks()
    return nil
  }

  /// The day with the time that follows it, if one does.
  private mutating func date(_ year: Int, _ month: Int, _ day: Int) -> CaptureDate? {
    _ = take("T")
    skipBlanks()
    let time = time(basic: true) ?? Time()
    return date(year, month, day, time, offset: offset())
  }

  private func date(_ year: Int, _ month: Int, _ day: Int, _ time: Time, offset: Int32?)
    -> CaptureDate?
  {
    CaptureDate.seconds(
      year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second
    ).map { CaptureDate(localSeconds: $0, nanoseconds: time.nanoseconds, offset: offset) }
  }

  // MARK: Month by name

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Reads the parts in whatever order they come: month and time are known by their looks, the day comes before the
  /// year.
  mutating func namedDate() -> CaptureDate? {
    var month: Int?
    var day: Int?
    var year: Int?
    var clock: Time?
    var zone: Int32?
    while !rest.isEmpty, year == nil || clock == nil {
      skipBlanks()
      let before = rest
      if let found = clock == nil ? time(basic: false) : nil {
        clock = found
        zone = offset()
        continue
      }
      rest = before
      if let found = number(4...4) {
        year = found
      } else if let found = number(1...2) {
        day = day ?? found
      } else {
        let word = word()
        month = month ?? Self.months.firstIndex { word.hasPrefix($0) }.map { $0 + 1 }
        if word.isEmpty { rest = rest.dropFirst() }
      }
    }
    guard let year, let month, let day else { return nil }
    return date(year, month, day, clock ?? Time(), offset: zone ?? offset())
  }

  // MARK: Time

  private struct Time {
    var hour = 0
    var minute = 0
    var second = 0
    var nanoseconds: Int32?
  }

  /// `15:04`, `15:04:43.25`, `1:42PM`; `150443` where that can be no year.
  private mutating func time(basic: Bool) -> Time? {
    let start = rest
    var time = Time()
    guard let hour = number(1...2) else { return nil }
    time.hour = hour
    let isBasic = !take(":")
    if !isBasic { skipBlanks() }
    guard basic || !isBasic, let minute = number(isBasic ? 2...2 : 1...2) else {
      rest = start
      return nil
    }
    time.minute = minute
    if isBasic ? rest.first?.isASCIIDigit == true : take(":") {
      skipBlanks()
      time.second = number(1...2) ?? 0
    }
    if take(".,") {
      let digits = rest.prefix(while: \.isASCIIDigit)
      rest = rest.dropFirst(digits.count)
      time.nanoseconds = CaptureDate.nanoseconds(String(decoding: digits, as: UTF8.self))
    }
    let behind = rest
    skipBlanks()
    switch word() {
    case "am", "a": time.hour %= 12
    case "pm", "p": time.hour = time.hour % 12 + 12
    default: rest = behind
    }
    return time
  }

  /// `Z`, `+0200`, `+02:00`, `+02`, `GMT`.
  private mutating func offset() -> Int32? {
    skipBlanks()
    if take("Zz") { return 0 }
    let start = rest
    if ["gmt", "utc"].contains(word()) { return 0 }
    rest = start
    let isWest = rest.first == UInt8(ascii: "-")
    guard take("+-"), let hours = number(2...2) else {
      rest = start
      return nil
    }
    _ = take(":")
    let minutes = number(2...2) ?? 0
    guard hours <= 15, minutes < 60 else { return nil }
    return Int32(hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
  }
}

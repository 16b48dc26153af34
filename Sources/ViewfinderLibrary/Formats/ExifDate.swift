import Foundation

/// Dates as Exif writes them.
extension CaptureDate {
  /// Reads "2024:05:06 07:08:09" with its SubSecTime and OffsetTime, or a date as other formats spell it, which some
  /// programs put there.
  ///
  /// Returns `nil` for a blank date, or one that can't be. A blank or malformed offset or fraction is unknown.
  init?(exif text: String?, fraction: String? = nil, offset: String? = nil) {
    guard let text,
      let date = Self.seconds(text.utf8).map({ CaptureDate(localSeconds: $0) })
        ?? CaptureDate(written: text)
    else { return nil }
    self.init(
      localSeconds: date.localSeconds,
      nanoseconds: fraction.flatMap(Self.nanoseconds) ?? date.nanoseconds,
      offset: offset.flatMap(Self.offset) ?? date.offset)
  }

  /// Seconds since 1970 of the clock that showed this, in the standard's spelling.
  private static func seconds(_ text: some Sequence<UInt8>) -> Int64? {
    let bytes = Array(text)
    guard bytes.count == 19 else { return nil }
    guard zip([4, 7, 10, 13, 16], ":: ::".utf8).allSatisfy({ bytes[$0] == $1 }),
      let year = digits(bytes[0..<4]), let month = digits(bytes[5..<7]),
      let day = digits(bytes[8..<10]), let hour = digits(bytes[11..<13]),
      let minute = digits(bytes[14..<16]), let second = digits(bytes[17..<19])
    else { return nil }
    return seconds(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second)
  }

  /// Seconds since 1970 of the clock that showed this; `nil` for what no clock shows.
  static func seconds(
    year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0
  ) -> Int64? {
    guard year > 0, (1...12).contains(month), (1...days(month: month, year: year)).contains(day),
      hour < 24, minute < 60, second < 60
    else { return nil }
    let time = hour * 3600 + minute * 60 + second
    return Int64(daysSince1970(year: year, month: month, day: day) * 86_400 + time)
  }

  /// A number of digits only.
  private static func digits(_ bytes: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for byte in bytes {
      guard byte.isASCIIDigit else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
  }

  private static func days(month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days of the Gregorian calendar, with years that begin in March so that leap days come last.
  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let year = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }

  /// SubSecTime: the digits behind the decimal point, however many.
  static func nanoseconds(_ text: String) -> Int32? {
    let bytes = Array(text.utf8.prefix(9))
    guard !bytes.isEmpty, let value = digits(bytes[...]) else { return nil }
    return Int32((0..<9 - bytes.count).reduce(value) { value, _ in value * 10 })
  }

  /// OffsetTime, "+02:00"; some programs write "+0200" and "Z" as XMP does.
  private static func offset(_ text: String) -> Int32? {
    if text == "Z" { return 0 }
    let bytes = Array(text.utf8.filter { $0 != UInt8(ascii: ":") })
    guard bytes.count == 5, let hours = digits(bytes[1..<3]), let minutes = digits(bytes[3..<5]),
      hours <= 15, minutes < 60
    else { return nil }
    let seconds = Int32(hours * 3600 + minutes * 60)
    return switch bytes[0] {
    case UInt8(ascii: "+"): seconds
    case UInt8(ascii: "-"): -seconds
    default: nil
    }
  }
}

extension CaptureDate {
  /// The date as Exif writes it, with OffsetTime and SubSecTime where they are known; `nil` for one that
  /// Exif can't tell.
  var exifText: (date: String, offset: String?, fraction: String?)? {
    // The years 1 to 9999.
    guard (-62_135_596_800...253_402_300_799).contains(localSeconds),
      (0..<1_000_000_000).contains(nanoseconds ?? 0),
      (offset ?? 0) % 60 == 0, abs(Int(offset ?? 0)) < 16 * 3600
    else { return nil }
    var seconds = time_t(localSeconds)
    var parts = unsafe tm()
    _ = unsafe gmtime_r(&seconds, &parts)
    let date = unsafe String(
      format: "%04d:%02d:%02d %02d:%02d:%02d", Int(parts.tm_year) + 1900, parts.tm_mon + 1,
      parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec)
    let offset = offset.map { offset in
      let minutes = abs(Int(offset)) / 60
      return String(format: "%@%02d:%02d", offset < 0 ? "-" : "+", minutes / 60, minutes % 60)
    }
    return (date, offset, nanoseconds.map { Self.digits(ofNanoseconds: $0) })
  }

  /// As few digits as tell it, and at least one.
  private static func digits(ofNanoseconds nanoseconds: Int32) -> String {
    var digits = String(format: "%09d", nanoseconds)
    while digits.count > 1, digits.hasSuffix("0") { digits.removeLast() }
    return digits
  }
}

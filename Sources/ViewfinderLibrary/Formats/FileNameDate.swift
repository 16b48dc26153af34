/// Dates that cameras, phones and messengers put into file names.
extension CaptureDate {
  /// Reads the date in a name such as `IMG_20190704_123456.jpg`, `2019-07-04 12.34.56.jpg` or
  /// `IMG-20190704-WA0001.jpg`, which has no time: the day's beginning.
  ///
  /// Returns `nil` when there is none, or one before 1990, when no camera wrote any.
  init?(fileName: FilePath) {
    let parts = Part.all(in: fileName.stem.bytes)
    for start in parts.indices {
      guard let (day, next) = Self.day(parts[start...]) else { continue }
      // The clock of a Pixel's names is UTC.
      let offset: Int32? = fileName.bytes.starts(with: "PXL_".utf8) ? 0 : nil
      if let time = Self.time(parts[next...]),
        let seconds = Self.seconds(
          year: day.year, month: day.month, day: day.day, hour: time.hour, minute: time.minute,
          second: time.second)
      {
        self.init(localSeconds: seconds, nanoseconds: time.nanoseconds, offset: offset)
        return
      }
      if let seconds = Self.seconds(year: day.year, month: day.month, day: day.day) {
        self.init(localSeconds: seconds, offset: offset)
        return
      }
    }
    return nil
  }

  /// A number in a name.
  private struct Part {
    /// What stands between it and the numbers beside it.
    var separator: [UInt8]
    var digits: [Int]
    var following: [UInt8] = []

    static func all(in name: [UInt8]) -> [Part] {
      var parts: [Part] = []
      var rest = name[...]
      while true {
        let separator = Array(rest.prefix { !$0.isASCIIDigit })
        let run = rest.dropFirst(separator.count).prefix(while: \.isASCIIDigit)
        if !parts.isEmpty { parts[parts.count - 1].following = separator }
        guard !run.isEmpty else { return parts }
        rest = rest.dropFirst(separator.count + run.count)
        let digits = run.map { Int($0 - UInt8(ascii: "0")) }
        // Day and time in one, with milliseconds or without.
        if [14, 17].contains(digits.count) {
          parts.append(Part(separator: separator, digits: Array(digits.prefix(8))))
          parts.append(Part(separator: [], digits: Array(digits.dropFirst(8))))
        } else {
          parts.append(Part(separator: separator, digits: digits))
        }
      }
    }

    func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }

    var number: Int { number(0..<digits.count) }

    /// Whether one of these characters, and no other, separates it from the number before.
    func follows(_ separators: String) -> Bool {
      separator.count == 1 && separators.utf8.contains(separator[0])
    }
  }

  /// What may be a day at the beginning of these parts, and where what follows it is.
  private static func day(
    _ parts: ArraySlice<Part>
  ) -> (day: (year: Int, month: Int, day: Int), next: Int)? {
    guard let first = parts.first else { return nil }
    var day: (year: Int, month: Int, day: Int)
    var next = parts.startIndex + 1
    if first.digits.count == 8 {
      day = (first.number(0..<4), first.number(4..<6), first.number(6..<8))
    } else if first.digits.count == 4, parts.count >= 3 {
      let (month, dayOfMonth) = (parts[next], parts[next + 1])
      guard month.digits.count == 2, dayOfMonth.digits.count == 2, month.follows("-._"),
        dayOfMonth.separator == month.separator
      else { return nil }
      day = (first.number, month.number, dayOfMonth.number)
      next += 2
    } else {
      return nil
    }
    return (1990...2099).contains(day.year) ? (day, next) : nil
  }

  /// What may be a time at the beginning of these parts.
  private static func time(
    _ parts: ArraySlice<Part>
  ) -> (hour: Int, minute: Int, second: Int, nanoseconds: Int32?)? {
    guard let first = parts.first, isTimeSeparator(first.separator) else { return nil }
    if [6, 9].contains(first.digits.count) {
      let fraction = first.digits.count == 9 ? Int32(first.number(6..<9)) * 1_000_000 : nil
      return (first.number(0..<2), first.number(2..<4), first.number(4..<6), fraction)
    }
    guard parts.count >= 3, (1...2).contains(first.digits.count) else { return nil }
    let (minute, second) = (parts[parts.startIndex + 1], parts[parts.startIndex + 2])
    guard minute.digits.count == 2, second.digits.count == 2, minute.follows("-._:"),
      second.separator == minute.separator
    else { return nil }
    var hour = first.number
    let letters = second.following.filter { ("A"..."z").contains(Unicode.Scalar($0)) }
    let half = String(decoding: letters, as: UTF8.self).uppercased()
    if half == "AM" || half == "PM" {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (half == "PM" ? 12 : 0)
    }
    return (hour, minute.number, second.number, nil)
  }

  /// Whether a time may follow a day behind this: `_`, `-`, `T`, or words such as ` at `.
  private static func isTimeSeparator(_ bytes: [UInt8]) -> Bool {
    if bytes.count <= 1 { return bytes.isEmpty || "_-. T".utf8.contains(bytes[0]) }
    return bytes.count <= 8 && bytes.first == UInt8(ascii: " ") && bytes.last == UInt8(ascii: " ")
  }
}

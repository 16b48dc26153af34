import Foundation

/// A day, without a time zone that could move it.
public struct CardDate: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// From 1 to 9999.
  public let year: Int
  /// From 1 to 12.
  public let month: Int
  /// From 1 to 31.
  public let day: Int

  /// The day as RFC 3339 has it: 2026-11-22.
  public var description: String {
    [(year, 4), (month, 2), (day, 2)].map { number, width in
      let digits = "\(number)"
      return String(repeating: "0", count: width - digits.count) + digits
    }.joined(separator: "-")
  }

  /// Reads YYYY-MM-DD; `nil` for other text, and for days that no calendar has.
  public init?(_ text: String) {
    guard let match = text.wholeMatch(of: /([0-9]{4})-([0-9]{2})-([0-9]{2})/),
      let year = Int(match.1), let month = Int(match.2), let day = Int(match.3), year > 0,
      (1...12).contains(month),
      (1...Self.days(ofMonth: month, in: year)).contains(day)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The day of a moment in a time zone; `nil` outside the years 1 to 9999, and for what is no moment.
  public init?(_ date: Date, in zone: TimeZone = .current) {
    // Calendars count years before 1 and beyond 9999 in ways of their own.
    guard Date.ofCalendar.contains(date) else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let parts = calendar.dateComponents([.era, .year, .month, .day], from: date)
    guard let year = parts.year, let month = parts.month, let day = parts.day, parts.era == 1,
      year <= 9999
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  private init(year: Int, month: Int, day: Int) {
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The day that it is, by this machine's clock.
  public static var today: CardDate {
    CardDate(Date()) ?? CardDate(year: 9999, month: 12, day: 31)
  }

  /// The day's first moment in a time zone.
  public func start(in zone: TimeZone = .current) -> Date? {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    return calendar.date(from: DateComponents(year: year, month: month, day: day))
  }

  /// Whether a day comes before another.
  public static func < (first: CardDate, second: CardDate) -> Bool {
    (first.year, first.month, first.day) < (second.year, second.month, second.day)
  }

  private static func days(ofMonth month: Int, in year: Int) -> Int {
    switch month {
    case 2:
      year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension Date {
  /// The moments from the year 1, by the Julian calendar, to 9999: what ISO 8601 and people can write.
  static let ofCalendar =
    Date(timeIntervalSince1970: -62_135_900_000)..<Date(timeIntervalSince1970: 253_402_300_800)

  /// The moment so many seconds after 1970 began; `nil` for what isn't in the years 1 to 9999.
  public init?(secondsSince1970 seconds: Double) {
    let date = Date(timeIntervalSince1970: seconds)
    guard seconds.isFinite, Self.ofCalendar.contains(date) else { return nil }
    self = date
  }
}

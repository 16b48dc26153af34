import Foundation
import Testing

@testable import Viewfinder

@Suite struct ExifWriterTests {
  @Test("A date is written with the zone's offset at that date, not with the offset of now")
  func offsetsAcrossAChangeOfTheClocks() throws {
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    // January and July of 2026.
    let dates = [1_768_500_000, 1_784_100_000].map { Date(timeIntervalSince1970: $0) }
    let now = zone.secondsFromGMT(for: Date())
    for date in dates {
      var metadata = PhotoMetadata()
      (metadata.date, metadata.timeZone) = (date, zone)
      let exif = try ExifWriter.segment(
        metadata, size: Dimensions(width: 8, height: 8), orientation: .up, thumbnail: nil)
      let isSummer = zone.isDaylightSavingTime(for: date)
      // DateTimeOriginal and DateTimeDigitized have the date's, DateTime has the present's.
      let summers = (isSummer ? 2 : 0) + (now == 7200 ? 1 : 0)
      #expect(exif.occurrences(of: "+02:00\0") == summers)
      #expect(exif.occurrences(of: "+01:00\0") == 3 - summers)
    }
  }
}

@Suite struct LocalMomentTests {
  @Test("A moment's digits are the calendar's, in any year and zone")
  func digits() throws {
    let zones = [
      "UTC", "Europe/Berlin", "America/St_Johns", "Asia/Kathmandu", "Pacific/Kiritimati",
    ]
    var random = SplitMix(state: 7)
    for zone in try zones.map({ try #require(TimeZone(identifier: $0)) }) {
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = zone
      for _ in 0..<400 {
        // From the year 1600 to 9999, half of them of this century.
        let years = Bool.random(using: &random) ? -401.0...7998 : 0...99
        let date = Date(
          timeIntervalSinceReferenceDate: .random(in: years, using: &random) * 365.2425 * 86400)
        let parts = calendar.dateComponents(
          [.year, .month, .day, .hour, .minute, .second, .nanosecond], from: date)
        let moment = LocalMoment(date, in: zone)
        let text = String(
          format: "%04d:%02d:%02d %02d:%02d:%02d", parts.year!, parts.month!, parts.day!,
          parts.hour!, parts.minute!, parts.second!)
        #expect(moment.text == text)
        #expect(moment.milliseconds == String(format: "%03d", parts.nanosecond! / 1_000_000))
        let minutes = zone.secondsFromGMT(for: date) / 60
        let offset = String(
          format: "%@%02d:%02d", minutes < 0 ? "-" : "+", abs(minutes) / 60, abs(minutes) % 60)
        #expect(moment.offset == offset)
      }
    }
  }

  @Test("Dates that Exif can't tell become the first and the last that it can")
  func limits() throws {
    let zone = try #require(TimeZone(identifier: "UTC"))
    #expect(LocalMoment(Date(timeIntervalSince1970: -1e300), in: zone).text.hasPrefix("0001:01:0"))
    #expect(LocalMoment(Date(timeIntervalSince1970: 1e300), in: zone).text.hasPrefix("9999:12:"))
  }
}

extension Data {
  fileprivate func occurrences(of text: String) -> Int {
    var (count, rest) = (0, startIndex..<endIndex)
    while let found = range(of: Data(text.utf8), in: rest) {
      count += 1
      rest = found.upperBound..<endIndex
    }
    return count
  }
}

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

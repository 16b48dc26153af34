import Testing

@testable import ViewfinderLibrary

@Suite("Dates as programs spell them") struct DateTextTests {
  /// 2003-03-10 15:04:43.
  static let moment: Int64 = 1_047_308_683

  @Test(
    "The same moment in every spelling",
    arguments: [
      "2003-03-10T15:04:43", "2003:03:10 15:04:43", "2003/03/10 15:04:43", "2003.03.10 15:04:43",
      "2003-03-10  15:04:43\0\0", " 2003/ 3/10 15: 4:43", "20030310T150443", "20030310 15:04:43",
      "Mon Mar 10 15:04:43 2003\n", "MON MAR 10 15:04:43 2003", "Mon, 10 Mar 2003 15:04:43",
      "10 March 2003 15:04:43", "2003-03-10 3:04:43PM", "2003-03-10 3:04:43 pm",
      "2003-03-10T15:04:43 or so",
    ])
  func spellings(text: String) {
    #expect(CaptureDate(written: text) == CaptureDate(localSeconds: Self.moment))
  }

  @Test(
    "Minutes may be the last",
    arguments: ["2003/ 3/10  3:04PM", "2003/03/10/ 15:04", "2003-03-10T15:04", "20030310T1504"])
  func minutes(text: String) {
    #expect(CaptureDate(written: text) == CaptureDate(localSeconds: Self.moment - 43))
  }

  @Test(
    "A day, month or year alone is its beginning",
    arguments: [
      ("2003-03-10", 1_047_254_400), ("20030310", 1_047_254_400), ("10 Mar 2003", 1_047_254_400),
      ("2003-03", 1_046_476_800), ("2003", 1_041_379_200),
    ])
  func parts(text: String, seconds: Int64) {
    #expect(CaptureDate(written: text) == CaptureDate(localSeconds: seconds))
  }

  @Test(
    "A zone is known or not",
    arguments: [
      ("2003-03-10T15:04:43Z", 0), ("2003-03-10T15:04:43+01:00", 3600),
      ("2003-03-10T15:04:43-0330", -12_600), ("2003-03-10 15:04:43 +0100", 3600),
      ("2003-03-10T15:04:43+01", 3600), ("Mon, 10 Mar 2003 15:04:43 GMT", 0),
      ("20030310T150443-0800", -28_800), ("2003-03-10T15:04:43+99:00", nil),
    ] as [(String, Int32?)])
  func zones(text: String, offset: Int32?) {
    #expect(
      CaptureDate(written: text) == CaptureDate(localSeconds: Self.moment, offset: offset))
  }

  @Test(
    "A fraction of a second is kept",
    arguments: [("2003-03-10T15:04:43.25Z", 250_000_000), ("2003-03-10 15:04:43,5", 500_000_000)])
  func fractions(text: String, nanoseconds: Int32) {
    let date = CaptureDate(written: text)
    #expect(date?.localSeconds == Self.moment)
    #expect(date?.nanoseconds == nanoseconds)
  }

  @Test("Noon and midnight", arguments: [("12:00AM", 0), ("12:00PM", 12), ("1:00PM", 13)])
  func halves(time: String, hour: Int64) {
    #expect(
      CaptureDate(written: "2003/03/10 \(time)")?.localSeconds == 1_047_254_400 + hour * 3600)
  }

  @Test(
    "What names no day is no date",
    arguments: [
      "", "   ", "yesterday", "2003-13-01", "2003-02-30", "0000-00-00T00:00:00",
      "0000:00:00 00:00:00",
      "    :  :     :  :  ", "March 2003", "Mon 10 15:04:43", "20", "203-03-10",
      "2003-03-10T25:00:00",
      "\0", "2003-", "2003-03-", "99999999999999999999", "Mar Mar Mar Mar Mar Mar Mar Mar Mar Mar",
    ])
  func others(text: String) {
    #expect(CaptureDate(written: text) == nil)
  }
}

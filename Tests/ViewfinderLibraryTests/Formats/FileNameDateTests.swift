import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// Dates that names tell.
@Suite struct FileNameDateTests {
  @Test(arguments: [
    ("IMG_20190704_123456.jpg", "2019:07:04 12:34:56"),
    ("IMG_20190704_123456~2.jpg", "2019:07:04 12:34:56"),
    ("2019-07-04 12.34.56.jpg", "2019:07:04 12:34:56"),
    ("2019-07-04 12.34.56-1.jpg", "2019:07:04 12:34:56"),
    ("20190704123456.mp4", "2019:07:04 12:34:56"),
    ("VID_20190704_123456.mp4", "2019:07:04 12:34:56"),
    ("Screenshot_20190704-123456.png", "2019:07:04 12:34:56"),
    ("Screenshot from 2019-07-04 12-34-56.png", "2019:07:04 12:34:56"),
    ("Screen Shot 2019-07-04 at 1.34.56 PM.png", "2019:07:04 13:34:56"),
    ("Screenshot 2019-07-04 at 12.34.56\u{202f}AM.png", "2019:07:04 00:34:56"),
    ("Bildschirmfoto 2019-07-04 um 12.34.56.png", "2019:07:04 12:34:56"),
    ("WhatsApp Image 2019-07-04 at 12.34.56 (1).jpeg", "2019:07:04 12:34:56"),
    ("photo_2019-07-04_12-34-56.jpg", "2019:07:04 12:34:56"),
    ("signal-2019-07-04-123456.jpg", "2019:07:04 12:34:56"),
    ("2019-07-04T12:34:56.jpg", "2019:07:04 12:34:56"),
    ("2019_07_04_IMG_0001.jpg", "2019:07:04 00:00:00"),
    ("IMG-20190704-WA0001.jpg", "2019:07:04 00:00:00"),
    ("P1000123_20200229_235959.jpg", "2020:02:29 23:59:59"),
    ("20190704_250000.jpg", "2019:07:04 00:00:00"),
  ])
  func namesWithADate(name: String, date: String) throws {
    let found = try #require(CaptureDate(fileName: FilePath(name)))
    #expect(found.exifText?.date == date)
    #expect(found.offset == nil && found.nanoseconds == nil)
  }

  @Test func aPixelsNameTellsMillisecondsOfUTC() throws {
    let found = try #require(CaptureDate(fileName: "PXL_20210102_030405678.MP.jpg"))
    #expect(found.exifText?.date == "2021:01:02 03:04:05")
    #expect(found.offset == 0 && found.nanoseconds == 678_000_000)
  }

  @Test(arguments: [
    "IMG_1234.jpg", "DSC01234.ARW", "IMG_20190230_123456.jpg", "IMG_20191301.jpg", "12345678.jpg",
    "FB_IMG_1562243696123.jpg", "19890704.jpg", "2019-7-4.jpg", "2019-07.04.jpg", "201907041.jpg",
    "1920x1080.jpg", "", "2019-07-04x".replacingOccurrences(of: "2019", with: "019"),
  ])
  func namesWithout(name: String) { #expect(CaptureDate(fileName: FilePath(name)) == nil) }

  @Test func theFilesOwnDateCountsBeforeItsNameAndTheNameBeforeTheFilesTime() async throws {
    let plain = "IMG_20010101_000000.jpg", both = "IMG_20020101_000000.jpg", neither = "a.jpg"
    let rig = try await LibraryRig { folder in
      for (seed, name) in [plain, neither].enumerated() { try folder.write(name, seed: seed + 1) }
      let exif = exifSegment(
        TIFFBuilder.file([[0x8769: .directory([0x9003: .ascii("2000:05:06 07:08:09")])]]))
      try folder.write(both, Data(jpeg(40, 30, exif)))
    }
    let (a, b, c) = (
      try await rig.asset(plain), try await rig.asset(both), try await rig.asset(neither)
    )
    #expect(
      a.captureDateSource == .fileName && a.captureDate?.exifText?.date == "2001:01:01 00:00:00")
    #expect(
      b.captureDateSource == .exif && b.captureDate?.exifText?.date == "2000:05:06 07:08:09")
    #expect(c.captureDateSource == nil && c.captureDate == nil)
    #expect(try await rig.all().map(\.fileName) == [both, plain, neither])
    try rig.folder.move(plain, to: "IMG_19990101_000000.jpg")
    try await rig.library.update()
    #expect(try await rig.all().map(\.fileName) == ["IMG_19990101_000000.jpg", both, neither])
  }
}

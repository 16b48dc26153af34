import Foundation
import Testing

@testable import Viewfinder

@Suite struct PhotoFileTests {
  @Test func aFileIsWrittenWholeAndNothingElseIsLeft() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("photo.jpg")
    let data = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) })
    try PhotoFile.write(data, to: url)
    #expect(try Data(contentsOf: url) == data)
    #expect(folder.contents == ["photo.jpg"])
  }

  @Test func anExistingFileIsReplacedOnlyWhenThatIsAllowed() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("photo.jpg")
    try PhotoFile.write(Data([1]), to: url)
    #expect(throws: CaptureError.cannotWrite(path: url.path, code: EEXIST)) {
      try PhotoFile.write(Data([2]), to: url, replacesExisting: false)
    }
    #expect(try Data(contentsOf: url) == Data([1]))
    try PhotoFile.write(Data([3]), to: url)
    #expect(try Data(contentsOf: url) == Data([3]))
    #expect(folder.contents == ["photo.jpg"])
  }

  @Test func aNewFileIsWrittenWhenReplacingIsNotAllowed() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("photo.jpg")
    try PhotoFile.write(Data([2]), to: url, replacesExisting: false)
    #expect(folder.contents == ["photo.jpg"])
  }

  @Test func aMissingFolderIsAnErrorThatSaysToCreateIt() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("none/photo.jpg")
    #expect {
      try PhotoFile.write(Data([1]), to: url)
    } throws: { error in
      guard case CaptureError.cannotWrite(url.path, ENOENT) = error else { return false }
      return "\(error)".contains("Create the folder first")
    }
  }

  @Test func aFailedRenameLeavesTheOldFileAndNothingAside() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("photo.jpg")
    // A folder of that name can't be replaced by a file.
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    #expect(throws: CaptureError.cannotWrite(path: url.path, code: EISDIR)) {
      try PhotoFile.write(Data([1]), to: url)
    }
    #expect(folder.contents == ["photo.jpg"])
  }

  @Test func namesSortByTime() throws {
    let utc = try #require(TimeZone(identifier: "UTC"))
    let date = Date(timeIntervalSince1970: 1_776_000_000.25)
    #expect(
      PhotoFile.suggestedName(for: date, timeZone: utc) == "IMG_20260412_132000_250.jpg")
    #expect(PhotoFile.suggestedName(for: date, fileType: .png, timeZone: utc).hasSuffix(".png"))
  }
}

import Foundation
import Testing

@testable import ViewfinderLibrary

@Suite struct PhotoNameTests {
  @Test(
    "Edited versions are told from originals by their names",
    arguments: [
      ("VWFE0001.JPG", "VWF_0001"), ("DSCE9999.jpg", "DSC_9999"), ("IMG_E1234.JPG", "IMG_1234"),
      ("IMG_20260412_153012_250-edited.jpg", "IMG_20260412_153012_250"),
      ("PXL_2024~2.jpg", "PXL_2024"), ("a_edited.png", "a"), ("a-Edit.tif", "a"),
      ("a b-EDITED.jpg", "a b"),
    ])
  func edited(name: String, original: String) {
    let found = PhotoName(FilePath(name))
    #expect(found.role == .edited)
    #expect(found.stem == FilePath(original))
  }

  @Test(
    "All others are originals",
    arguments: [
      "VWF_0001.JPG", "IMG_1234.JPG", "IMG_EASTER.jpg", "-edited.jpg", "~2.jpg", "E0001.JPG",
      "___E0001.JPG", "VWFE00001.JPG", "unedited.jpg", "a~1.jpg", "a~22.jpg", "", ".", ".jpg", "E",
    ])
  func original(name: String) {
    let found = PhotoName(FilePath(name))
    #expect(found.role == .original)
    #expect(found.stem == FilePath(name).stem)
  }

  @Test(
    "The name of an edited version leads back to its original",
    arguments: FilePath.hostileNames + [
      "VWF_0001.JPG", "IMG_20260412_153012_250.jpg", "a-edited.jpg",
    ])
  func thereAndBack(name: FilePath) {
    let edited = PhotoName.edited(of: name)
    let found = PhotoName(edited.withExtension("png"))
    #expect(found.role == .edited && found.stem == name.stem)
  }

  @Test func namesByDateAreTheCamerasLocalTime() {
    var date = CaptureDate(localSeconds: 1_776_007_812, nanoseconds: 250_999_999, offset: 7200)
    #expect(DateTimeCandidates.stem(for: date) == "IMG_20260412_153012_250")
    date.nanoseconds = nil
    #expect(DateTimeCandidates.stem(for: date) == "IMG_20260412_153012_000")
  }

  @Test(
    "Dates that no camera writes give names, too",
    arguments: [
      (Int64.min, Int32.min, "IMG_00000101_000000_000"),
      (Int64.max, Int32.max, "IMG_99991231_235959_999"), (-1, 0, "IMG_19691231_235959_000"),
    ])
  func extremeDates(seconds: Int64, nanoseconds: Int32, name: String) {
    let date = CaptureDate(localSeconds: seconds, nanoseconds: nanoseconds)
    #expect(DateTimeCandidates.stem(for: date) == name)
  }

  @Test(
    "Against the rules of DCF, a suffix or prefix is refused",
    arguments: [
      ("VWFN", "VWF_"), ("VWFNDX", "VWF_"), ("vwfnd", "VWF_"), ("VW/ND", "VWF_"), ("VWFNÄ", "VWF_"),
      ("VWFND", "VWFX"), ("VWFND", "_WF_"), ("VWFND", "V_F_"), ("VWFND", "VW_"), ("VWFND", "../_"),
      ("VWFND", "vwf_"),
    ])
  func badNames(suffix: String, prefix: String) throws {
    let folder = try ScratchFolder()
    let saver = PhotoSaver(
      folder: folder.path, naming: .dcf(directorySuffix: suffix, filePrefix: prefix))
    #expect {
      _ = try saver.save(
        [.init(source: .data(Data([1])), type: .testJPEG)], date: CaptureDate(localSeconds: 0))
    } throws: { error in
      if case PhotoLibraryError.invalidRequest = error { true } else { false }
    }
    #expect(try folder.names().isEmpty)
  }
}

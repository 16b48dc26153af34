import CViewfinder
import Foundation
import Testing

/// Pictures in several scans, whose coefficients are held packed.
@Suite("Progressive JPEG") struct ProgressiveJPEGTests {
  @Test(
    "Several scans give the picture that one scan gives: whole, in part and scaled",
    arguments: [(1, 1), (2, 1), (2, 2), (1, 2)] as [(Int32, Int32)], [40, 100] as [Int32])
  func sameAsOneScan(sampling: (Int32, Int32), quality: Int32) throws {
    let (width, height) = (333, 201)
    let rgb = LibJPEG.noise(width, height)
    var writer = LibJPEG(sampling: sampling, quality: quality)
    let one = writer.encode(rgb, width, height)
    writer.isProgressive = true
    let several = writer.encode(rgb, width, height)
    for scale in [1, 2, 4, 8] as [UInt8] {
      let (expected, made) = try (
        JPEG.decode(one, scale: scale), JPEG.decode(several, scale: scale)
      )
      #expect(made.warnings == 0)
      #expect(made.picture.samples == expected.picture.samples)
    }
    let part: (UInt32, UInt32, UInt32, UInt32) = (101, 53, 120, 99)
    #expect(
      try JPEG.decode(several, part: part).picture.samples
        == JPEG.decode(one, part: part).picture.samples)
  }

  @Test("Cut short anywhere, what is there is decoded")
  func cutShort() throws {
    let bytes = LibJPEG(isProgressive: true).encode(LibJPEG.noise(100, 80), 100, 80)
    for count in stride(from: 0, to: bytes.count, by: 37) {
      guard let (picture, warnings) = try? JPEG.decode(Array(bytes[..<count])) else { continue }
      #expect(picture.width == 100 && warnings > 0)
    }
    #expect(failureCode { _ = try JPEG.decode(Array(bytes[..<(bytes.count / 2)])) } == 0)
  }

  @Test("Damaged bytes never crash it")
  func damagedBytes() throws {
    let bytes = LibJPEG(sampling: (2, 1), quality: 60, isProgressive: true)
      .encode(LibJPEG.noise(60, 50), 60, 50)
    var generator = SplitMix(state: 8)
    for _ in 0..<500 {
      _ = try? JPEG.decode(damaged(bytes, using: &generator), pixelLimit: 1_000_000)
    }
  }
}

import Foundation
import Testing

@testable import Viewfinder

@Suite struct JPEGDecoderTests {
  private let size = Dimensions(width: 1500, height: 1402)

  private func file(_ format: PixelFormat) throws -> Data {
    let picture = try PixelBuffer.gradient(size).converted(to: format).picture
    return try JPEGEncoder().encode(picture, JPEGEncoder.Options(quality: 90))
  }

  private func decode(_ file: Data, scale: UInt8 = 8, cores: Int) throws -> (PixelBuffer, Int) {
    try unsafe file.withBytes { bytes throws(CaptureError) in
      let result = try unsafe JPEGCodec.decode(bytes, "the file", scale: scale, cores: cores)
      return (PixelBuffer(picture: result.picture), result.warnings)
    }
  }

  /// The rows of each plane without padding, which may hold anything.
  private func rows(_ buffer: PixelBuffer) -> [Data] {
    (0..<buffer.planeCount).flatMap { plane in
      let memory = unsafe buffer.picture.memory(ofPlane: plane)
      let (stride, count) = (
        buffer.bytesPerRow(ofPlane: plane), buffer.rowCount(ofPlane: plane)
      )
      let size = memory.count - stride * (count - 1)
      return (0..<count).map { unsafe Data(memory[$0 * stride..<$0 * stride + size]) }
    }
  }

  @Test("Several cores decode what one does", arguments: [4, 8] as [UInt8])
  func severalCores(scale: UInt8) throws {
    for format in [PixelFormat.rgb24, .yuyv, .i420, .grey] {
      let file = try file(format)
      let (one, _) = try decode(file, scale: scale, cores: 1)
      for cores in [2, 3, 8, 0] {
        let (several, warnings) = try decode(file, scale: scale, cores: cores)
        let isSame = rows(several) == rows(one)
        #expect(isSame && warnings == 0, "\(format), \(cores) cores")
        #expect(several.pixelFormat == one.pixelFormat && several.dimensions == one.dimensions)
      }
    }
  }

  @Test("Of a damaged picture several cores make what one does, and tell of the damage")
  func damaged() throws {
    let whole = try file(.i420)
    let short = whole.prefix(whole.count * 3 / 4)
    let (one, warnings) = try decode(Data(short), cores: 1)
    let (several, warningsOfSeveral) = try decode(Data(short), cores: 4)
    let isSame = rows(several) == rows(one)
    #expect(isSame)
    #expect(warnings > 0 && warningsOfSeveral == warnings)
  }
}

import Foundation
import Testing

@testable import Viewfinder

@Suite struct JPEGEncoderTests {
  private let size = Dimensions(width: 1500, height: 1402)

  private func options(cores: Int, exif: Data? = nil) -> JPEGEncoder.Options {
    JPEGEncoder.Options(quality: 90, dotsPerInch: 300, exif: exif, cores: cores)
  }

  @Test("Several cores make the file that one makes")
  func severalCores() throws {
    let exif = Data("Exif\0\0MM".utf8)
    let encoder = JPEGEncoder()
    for format in [PixelFormat.rgb24, .yuyv, .nv12, .grey] {
      let picture = try PixelBuffer.gradient(size).converted(to: format).picture
      let one = try JPEGEncoder().encode(picture, options(cores: 1, exif: exif))
      for cores in [2, 3, 8, 0] {
        let isSame = try encoder.encode(picture, options(cores: cores, exif: exif)) == one
        #expect(isSame, "\(format), \(cores) cores")
      }
    }
  }

  @Test(
    "A picture that can't be encoded is one error on several cores, too, and the next one works")
  func failure() throws {
    let picture = try PixelBuffer.gradient(size).picture
    let encoder = JPEGEncoder()
    let first = try encoder.encode(picture, options(cores: 4))
    #expect(throws: CaptureError.self) {
      try encoder.encode(picture, options(cores: 4, exif: Data(count: 70_000)))
    }
    let isSame = try encoder.encode(picture, options(cores: 4)) == first
    #expect(isSame)
  }

  @Test("Many photos at a time are made by one encoder, with more work than there are threads")
  func manyAtATime() async throws {
    let picture = try PixelBuffer.gradient(size).converted(to: .i420).picture
    let one = try JPEGEncoder().encode(picture, options(cores: 1))
    let options = options(cores: 8)
    let encoder = JPEGEncoder()
    let count = 100
    let same = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<count {
        group.addTask {
          await Blocking.run { (try? encoder.encode(picture, options)) == one }
        }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(same == count)
  }
}

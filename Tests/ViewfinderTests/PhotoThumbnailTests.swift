import CViewfinder
import Foundation
import Testing

@testable import Viewfinder

@Suite struct PhotoThumbnailTests {
  /// The embedded thumbnail of a JPEG: the second picture in its bytes.
  private func thumbnail(of photo: Data) throws -> Data? {
    let info = try unsafe photo.withUnsafeBytes { bytes in try unsafe JPEGCodec.inspect(bytes, "it")
    }
    let exif = photo[info.exif_offset..<info.exif_offset + info.exif_length]
    guard let start = exif.range(of: Data([0xff, 0xd8, 0xff])) else { return nil }
    return Data(exif[start.lowerBound...])
  }

  private func photo(
    _ picture: PixelBuffer, _ change: (inout PhotoEncoding) -> Void = { _ in }
  ) throws -> Data {
    var encoding = PhotoEncoding()
    change(&encoding)
    return try PhotoCrop().apply(to: picture, as: encoding).data
  }

  @Test(arguments: [
    ("1280x960", "320x240"), ("960x1280", "240x320"), ("1920x1080", "320x180"),
    ("1000x1000", "320x320"), ("200x100", "200x100"),
  ])
  func thumbnailsFitInto320Pixels(size: String, expected: String) throws {
    let size = try #require(Dimensions(size))
    for format in [PixelFormat.grey, .yuyv] {
      let picture = try PixelBuffer.gradient(size).converted(to: format)
      let small = try PixelBuffer(decoding: #require(try thumbnail(of: photo(picture))))
      #expect(small.dimensions == Dimensions(expected))
      let wanted = try lumaGrid(picture.scaled(toFit: small.dimensions))
      for (a, b) in zip(try lumaGrid(small), wanted) { #expect(abs(a - b) < 3) }
    }
  }

  @Test(arguments: [
    ("1280x960", "160x120"), ("960x1280", "120x160"), ("1920x1080", "160x90"),
    ("1000x1000", "120x120"),
  ])
  func thumbnailsCanBeAsSmallAsDCFWantsThem(size: String, expected: String) throws {
    let picture = try PixelBuffer.gradient(#require(Dimensions(size)))
    let made = try photo(picture) {
      $0.embeddedThumbnailDimensions = Dimensions(width: 160, height: 120)
    }
    let small = try PixelBuffer(decoding: #require(try thumbnail(of: made)))
    #expect(small.dimensions == Dimensions(expected))
  }

  @Test func thumbnailOfNoiseHasRoomBesideOtherTags() throws {
    let size = Dimensions(width: 320, height: 320)
    var generator = SystemRandomNumberGenerator()
    let noise = Data((0..<3 * size.area).map { _ in UInt8.random(in: 0...255, using: &generator) })
    let picture = try PixelBuffer(pixelFormat: .rgb24, dimensions: size, data: noise)
    let small = try #require(try thumbnail(of: photo(picture)))
    #expect(small.count < 48 << 10)
    #expect(try PixelBuffer(decoding: small).dimensions == size)
  }

  @Test func thumbnailsCanBeLeftOut() throws {
    let made = try photo(PixelBuffer.gradient(.vga)) { $0.embedsThumbnail = false }
    #expect(try thumbnail(of: made) == nil)
  }
}

import Foundation
import Testing

@testable import Viewfinder

@Suite struct LosslessCropTests {
  /// A photo of the simulated camera, 640 × 480 pixels, turned as told.
  private static func photo(turned angle: Int) async throws -> Data {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    try #require(output.connections.first).videoRotationAngle = Double(angle)
    let data = try await output.capturePhoto(with: .make { _ in }).fileDataRepresentation()
    await rig.session.stopRunning()
    return data
  }

  @Test(arguments: [0, 90, 180, 270], LosslessCrop.Alignment.allCases)
  func aTurnedPhotosPartHasTheVeryPixelsOfTheOriginal(
    angle: Int, alignment: LosslessCrop.Alignment
  ) async throws {
    let original = try await Self.photo(turned: angle)
    let crop = PhotoCrop(outline: .rectangle(CGRect(x: 0.3, y: 0.2, width: 0.4, height: 0.5)))
    let part = try crop.applyLosslessly(to: original, alignment: alignment)
    #expect(part.alignment == alignment)
    let whole = try PixelBuffer(decoding: original)
    #expect(part.originalDimensions == whole.dimensions)
    #expect(
      part.rectangle.contains(
        CGRect(
          x: 0.3 * Double(whole.dimensions.width), y: 0.2 * Double(whole.dimensions.height),
          width: 0.4 * Double(whole.dimensions.width), height: 0.5 * Double(whole.dimensions.height)
        ).insetBy(dx: 1, dy: 1)))
    let picture = try PixelBuffer(decoding: part.data)
    #expect(picture.dimensions == part.dimensions)
    #expect(
      picture.dimensions
        == Dimensions(width: Int(part.rectangle.width), height: Int(part.rectangle.height)))
    // The same rectangle, decoded and cropped; both by way of a file that keeps each pixel.
    let png = PhotoEncoding(fileType: .png)
    let rectangle = part.rectangle
    let expected = try PhotoCrop(
      outline: .inPixels(
        .rectangle(
          CGRect(
            x: rectangle.minX, y: rectangle.minY, width: rectangle.width, height: rectangle.height))
      )
    ).apply(to: original, as: png).data
    let cut = try PhotoCrop().apply(to: part.data, as: png).data
    let isSame =
      try lumaGrid(PixelBuffer(decoding: expected)) == lumaGrid(PixelBuffer(decoding: cut))
    #expect(isSame)
  }

  @Test func itKeepsTheOriginalsTagsAndHasItsOwnSizeAndThumbnail() async throws {
    let original = try await Self.photo(turned: 90)
    let crop = PhotoCrop(outline: .rectangle(CGRect(x: 0, y: 0, width: 0.5, height: 0.5)))
    let source = try PhotoSource(data: crop.applyLosslessly(to: original).data, name: "the part")
    #expect(try source.orientation == PhotoSource(data: original, name: "the whole").orientation)
    #expect(source.tiff?.range(of: Data([0xFF, 0xD8, 0xFF])) != nil)
    let bare = try crop.applyLosslessly(to: original, embedsThumbnail: false).data
    let tiff = try PhotoSource(data: bare, name: "the part").tiff
    #expect(tiff != nil && tiff?.range(of: Data([0xFF, 0xD8, 0xFF])) == nil)
  }

  @Test func aCropThatNeedsANewPictureAndAPNGAreRefused() async throws {
    let original = try await Self.photo(turned: 0)
    let box = Outline.rectangle(CGRect(x: 0, y: 0, width: 0.5, height: 0.5))
    #expect {
      try PhotoCrop(outline: box, rectifiedSize: Dimensions(width: 10, height: 10))
        .applyLosslessly(to: original)
    } throws: { error in
      if case CaptureError.invalidSettings = error { true } else { false }
    }
    let png = try PhotoCrop().apply(to: original, as: PhotoEncoding(fileType: .png)).data
    #expect {
      try PhotoCrop(outline: box).applyLosslessly(to: png)
    } throws: { error in
      if case CaptureError.unsupportedImage = error { true } else { false }
    }
  }
}

import Foundation
import Testing

@testable import Viewfinder

@Suite struct PixelBufferScalingTests {
  private func size(_ text: String) throws -> Dimensions { try #require(Dimensions(text)) }

  @Test(arguments: [
    ("640x480", "128x128", "128x96"), ("480x640", "128x128", "96x128"),
    ("640x480", "640x100", "133x100"), ("100x50", "128x128", "100x50"),
    ("128x128", "128x128", "128x128"), ("5000x3", "128x128", "128x1"),
  ])
  func fittedDimensionsKeepProportionsAndNeverGrow(whole: String, box: String, fitted: String)
    throws
  {
    #expect(try size(whole).fitted(into: size(box)) == size(fitted))
  }

  @Test func impossibleBoxesGiveAPixel() throws {
    let whole = Dimensions(width: 40, height: 30)
    #expect(whole.fitted(into: Dimensions(width: 0, height: -5)) == Dimensions(width: 1, height: 1))
    let none = Dimensions(width: 0, height: 7)
    #expect(none.fitted(into: Dimensions(width: 1, height: 1)) == none)
    let picture = try PixelBuffer.gradient(whole)
    #expect(try picture.squared(side: -1).dimensions == Dimensions(width: 1, height: 1))
  }

  @Test(arguments: ["90x70", "320x240", "333x250", "639x479", "640x480", "1000x1000"])
  func decodingIntoABoxIsDecodingAndScaling(box: String) throws {
    let box = try size(box)
    let jpeg = try PixelBuffer.gradient(.vga).jpegData(quality: 1)
    let fitted = try PixelBuffer(decoding: jpeg, fitting: box)
    #expect(fitted.dimensions == Dimensions.vga.fitted(into: box))
    let expected = try lumaGrid(PixelBuffer(decoding: jpeg).scaled(toFit: box))
    for (a, b) in zip(try lumaGrid(fitted), expected) { #expect(abs(a - b) < 2) }
  }

  @Test func pngFilesAreDecodedIntoABoxToo() throws {
    let png = try PixelBuffer.gradient(.vga).pngData()
    let fitted = try PixelBuffer(decoding: png, fitting: size("100x100"))
    #expect(try fitted.dimensions == size("100x75"))
  }

  @Test func damageIsAnErrorAndNoTrap() {
    for data in [Data([0xff, 0xd8, 0xff]), Data()] {
      #expect { try PixelBuffer(decoding: data, fitting: .vga) } throws: { error in
        if case CaptureError.badImageData("the picture", _) = error { true } else { false }
      }
    }
  }

  @Test func pictureCutShortTellsOfItsDamage() throws {
    let jpeg = try PixelBuffer.gradient(.vga).jpegData()
    #expect(try !PixelBuffer.decode(jpeg, fitting: .qvga).hadDamage)
    #expect(try PixelBuffer.decode(jpeg.prefix(jpeg.count / 2), fitting: .qvga).hadDamage)
  }

  @Test func squareIsTheMiddle() throws {
    // The left and right quarters are black.
    let whole = Dimensions(width: 400, height: 200)
    let row = (0..<400).map { UInt8((100..<300).contains($0) ? 200 : 0) }
    let bytes = Data((0..<200).flatMap { _ in row })
    let picture = try PixelBuffer(pixelFormat: .grey, dimensions: whole, data: bytes)
    for picture in [picture, try picture.converted(to: .rgb24)] {
      let square = try picture.squared(side: 64)
      #expect(square.dimensions == Dimensions(width: 64, height: 64))
      #expect(try lumaGrid(square).allSatisfy { abs($0 - 200) < 2 })
      let large = try picture.squared(side: 1000)
      #expect(large.dimensions == Dimensions(width: 200, height: 200))
    }
  }

  @Test func byteCountCoversEachPlaneAndCoverage() throws {
    let picture = try PixelBuffer.gradient(Dimensions(width: 64, height: 32))
    #expect(picture.byteCount >= 64 * 32 && picture.byteCount < 2 * 64 * 32)
    #expect(try picture.converted(to: .rgba32).byteCount == 4 * 64 * 32)
    let scaled = try picture.converted(to: .rgba32).scaled(toFit: Dimensions(width: 32, height: 32))
    #expect(scaled.hasAlpha && scaled.byteCount >= 4 * 32 * 16)
  }

  @Test(.enabled(if: TestData.isPresent, "needs ../shared/data"), arguments: 1...8)
  func photosInAllOrientationsComeUprightFromAnyScale(orientation: Int) throws {
    let data = try TestData.file("jpeg/images/exif_Landscape_\(orientation).jpg")
    let whole = try PixelBuffer(decoding: data)
    for side in [128, 300, 700, 1000, 1500, 4000] {
      let box = Dimensions(width: side, height: side)
      let fitted = try PixelBuffer(decoding: data, fitting: box)
      #expect(fitted.dimensions == whole.dimensions.fitted(into: box))
      let grids = zip(try lumaGrid(fitted), try lumaGrid(whole.scaled(toFit: box)))
      #expect(grids.allSatisfy { abs($0 - $1) < 6 })
    }
  }
}

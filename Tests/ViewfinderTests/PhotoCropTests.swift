import Foundation
import Testing

@testable import Viewfinder

@Suite struct PhotoCropTests {
  @Test(
    .enabled(if: TestData.isPresent, "needs the photos of shared/data"), arguments: TestData.cards)
  func aCardIsPulledStraightToTheSizeWanted(card: TestData.Card) throws {
    let crop = PhotoCrop(
      outline: .quadrilateral(try #require(Quadrilateral(card.corners))),
      rectifiedSize: Dimensions(width: 1011, height: 638))
    let photo = try crop.apply(to: try TestData.file("cards/\(card.file)"), name: card.file)
    #expect(photo.originalDimensions == card.size)
    #expect(photo.dimensions == Dimensions(width: 1011, height: 638))
    let upright = try PixelBuffer(decoding: photo.data)
    #expect(upright.dimensions == photo.dimensions)
  }

  @Test(
    .enabled(if: TestData.isPresent, "needs the photos of shared/data"),
    arguments: 2...8)
  func allOrientationsOfOnePhotoGiveTheSameCrop(orientation: Int) throws {
    let crop = PhotoCrop(outline: .rectangle(CGRect(x: 0.57, y: 0.07, width: 0.31, height: 0.37)))
    let first = try crop.apply(to: try TestData.file("jpeg/images/exif_Landscape_1.jpg"))
    let other = try crop.apply(
      to: try TestData.file("jpeg/images/exif_Landscape_\(orientation).jpg"))
    #expect(other.dimensions == first.dimensions)
    let (a, b) = try (
      lumaGrid(PixelBuffer(decoding: first.data)), lumaGrid(PixelBuffer(decoding: other.data))
    )
    #expect(zip(a, b).allSatisfy { abs($0 - $1) < 6 })
  }

  @Test func aReplayedPhotosOwnOrientationCountsForOutlines() async throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("turned.jpg")
    let original = try Rig()
    let output = CapturePhotoOutput()
    try await original.start(output)
    try #require(output.connections.first).videoRotationAngle = 90
    try await output.capturePhoto(with: .make { _ in }).write(to: url)
    let session = CaptureSession()
    let replayOutput = CapturePhotoOutput()
    try session.configure {
      try session.setSessionPreset(.photo)
      try session.addInput(
        CaptureDeviceInput(device: SimulatedCamera(replaying: url.path).device))
      try session.addOutput(replayOutput)
    }
    try await session.startRunning()
    let photo = try await replayOutput.capturePhoto(
      with: .make { $0.outline = .rectangle(CGRect(x: 0, y: 0, width: 1, height: 0.5)) })
    #expect(photo.dimensions == Dimensions(width: 480, height: 320))
    await session.stopRunning()
  }

  @Test func aWholeFileComesOutUprightWithItsTags() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    try #require(output.connections.first).videoRotationAngle = 90
    let original = try await output.capturePhoto(
      with: .make { $0.metadata.make = "A maker of cameras" })
    let copy = try PhotoCrop().apply(to: original.fileDataRepresentation())
    #expect(copy.dimensions == Dimensions.vga.swapped)
    #expect(copy.data.range(of: Data("A maker of cameras".utf8)) != nil)
    #expect(try PixelBuffer(decoding: copy.data).dimensions == copy.dimensions)
  }

  @Test(arguments: [Data(), Data([0xff, 0xd8]), Data("no picture".utf8), Data(count: 100_000)])
  func whatIsNoPictureIsAnErrorThatNamesTheFile(data: Data) {
    #expect {
      try PhotoCrop(outline: .card()).apply(to: data, name: "holiday.jpg")
    } throws: { error in
      if case CaptureError.badImageData("holiday.jpg", _) = error { true } else { false }
    }
  }

  @Test(arguments: [
    (0.1, 0.5, 5), (0.149, 0.5, 5), (0.151, 0.5, 5), (0.5, 0.001, 1), (0, 1, 10), (0.26, 0.48, 4),
  ])
  func aRectanglesEdgesMoveToTheNearestPixelsAndStaySharp(
    origin: Double, extent: Double, pixels: Int
  ) throws {
    let size = Dimensions(width: 10, height: 10)
    let black = try PixelBuffer(
      pixelFormat: .grey, dimensions: size, data: Data(count: size.area))
    let frame = CGRect(x: origin, y: origin, width: extent, height: extent)
    let crop = try PhotoCrop(outline: .rectangle(frame)).apply(to: black.jpegData())
    #expect(crop.dimensions == Dimensions(width: pixels, height: pixels))
    let picture = try PixelBuffer(decoding: crop.data)
    #expect(try pixel(picture, x: 0, y: 0)[0] < 8, "Nothing of the white around it.")
  }

  @Test func onlyFourCornersCanBeRectified() throws {
    let crop = PhotoCrop(
      outline: .polygon([CGPoint(x: 0, y: 0), CGPoint(x: 1, y: 0), CGPoint(x: 0.5, y: 1)]),
      rectifiedSize: .qvga)
    let picture = try PixelBuffer.gradient(.vga).jpegData()
    #expect {
      try crop.apply(to: picture)
    } throws: { error in
      guard case CaptureError.invalidSettings(let reason) = error else { return false }
      return reason.contains("four corners")
    }
  }

  @Test func aPNGKeepsItsTransparencyThroughACrop() throws {
    let picture = try PixelBuffer.gradient(.vga).pngData()
    let (whole, png) = (CGRect(x: 0, y: 0, width: 1, height: 1), PhotoEncoding(fileType: .png))
    let round = try PhotoCrop(outline: .ellipse(whole)).apply(to: picture, as: png)
    let again = try PhotoCrop(outline: .rectangle(whole)).apply(to: round.data, as: png)
    let buffer = try PixelBuffer(decoding: again.data)
    #expect(try pixel(buffer, x: 0, y: 0)[3] == 0)
    #expect(try pixel(buffer, x: 320, y: 240)[3] == 255)
  }

  @Test(
    "What of an outline lies outside the picture is missing, and the result tells",
    arguments: [
      (Outline.rectangle(CGRect(x: 0.5, y: 0.5, width: 0.6, height: 0.25)), true),
      (.ellipse(CGRect(x: -0.1, y: 0, width: 0.5, height: 0.5)), true),
      (.polygon([CGPoint(x: 0, y: 0), CGPoint(x: 1, y: 0), CGPoint(x: 0.5, y: 1.1)]), true),
      (.inPixels(.rectangle(CGRect(x: 600, y: 0, width: 41, height: 10))), true),
      (.inPixels(.rectangle(CGRect(x: 600, y: 0, width: 40.2, height: 10))), false),
      (.rectangle(CGRect(x: 0, y: 0, width: 1, height: 1)), false), (.card(), false),
      (.card(fraction: 1.2), true),
    ])
  func clipping(outline: Outline, isClipped: Bool) throws {
    let picture = try PixelBuffer.gradient(.vga).jpegData()
    let cropped = try PhotoCrop(outline: outline).apply(to: picture)
    #expect(cropped.isOutlineClipped == isClipped)
    #expect(cropped.dimensions.width <= 640 && cropped.dimensions.height <= 480)
    #expect(try PhotoCrop().apply(to: picture).isOutlineClipped == false)
  }

  @Test("A picture pulled straight has round corners where they are wanted")
  func roundCorners() throws {
    let picture = try PixelBuffer.gradient(.vga).pngData()
    let middle = Outline.rectangle(CGRect(x: 0.25, y: 0.25, width: 0.5, height: 0.5))
    var crop = PhotoCrop(outline: middle, rectifiedSize: .qvga, cornerRadius: 0.1)
    crop.backgroundColor = .black
    let round = try PixelBuffer(decoding: crop.apply(to: picture, as: .init(fileType: .png)).data)
    #expect(try pixel(round, x: 0, y: 0)[0] == 0)
    #expect(try pixel(round, x: 160, y: 0)[0] > 50)
    crop.cornerRadius = nil
    let square = try PixelBuffer(decoding: crop.apply(to: picture, as: .init(fileType: .png)).data)
    #expect(try pixel(square, x: 0, y: 0)[0] > 50)
  }

  @Test("Speed interpolates a picture pulled straight, the others average it")
  func prioritization() throws {
    // Stripes of single pixels, shrunk to two thirds.
    var bytes = Data(count: 640 * 480)
    for i in bytes.indices { bytes[i] = i % 2 == 0 ? 0 : 255 }
    let picture = try PixelBuffer(pixelFormat: .grey, dimensions: .vga, data: bytes).pngData()
    let middle = Outline.rectangle(CGRect(x: 0.25, y: 0.25, width: 0.75, height: 0.75))
    let crop = PhotoCrop(outline: middle, rectifiedSize: Dimensions(width: 320, height: 240))
    let encodings =
      CapturePhotoOutput.QualityPrioritization.allCases.map { priority in
        var encoding = PhotoEncoding(fileType: .png)
        encoding.qualityPrioritization = priority
        return encoding
      } + [PhotoEncoding(fileType: .png)]
    let isEven = try encodings.map { encoding in
      let buffer = try PixelBuffer(decoding: crop.apply(to: picture, as: encoding).data)
      let levels = try (100..<200).map { Int(try pixel(buffer, x: $0, y: 100)[0]) }
      return levels.max()! - levels.min()! < 100
    }
    #expect(isEven == [false, true, true, true])
  }

  @Test("A crop is read as it was written, and members that aren't known don't matter")
  func coding() throws {
    let crop = PhotoCrop(
      outline: .card(), rectifiedSize: .qvga, cornerRadius: 0.04, backgroundColor: .black)
    let data = try JSONEncoder().encode(crop)
    #expect(try JSONDecoder().decode(PhotoCrop.self, from: data) == crop)
    #expect(try JSONDecoder().decode(PhotoCrop.self, from: Data(#"{"a":1}"#.utf8)) == PhotoCrop())
    #expect {
      try JSONDecoder().decode(PhotoCrop.self, from: Data(#"{"background":"red"}"#.utf8))
    } throws: { error in
      guard case DecodingError.dataCorrupted(let context) = error else { return false }
      return context.debugDescription.contains("#RRGGBB")
    }
  }
}

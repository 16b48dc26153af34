import Foundation
import Testing

@testable import Viewfinder

@Suite struct ImageOrientationTests {
  @Test(arguments: ImageOrientation.allCases, ImageOrientation.allCases)
  func oneAfterTheOtherIsTheOrientationThatFollowedByNames(
    first: ImageOrientation, second: ImageOrientation
  ) throws {
    let picture = try PixelBuffer.gradient(Dimensions(width: 16, height: 8)).picture
    let twice = try picture.oriented(first).oriented(second)
    let once = try picture.oriented(first.followed(by: second))
    #expect(try lumaGrid(PixelBuffer(picture: twice)) == lumaGrid(PixelBuffer(picture: once)))
  }

  @Test(arguments: ImageOrientation.allCases)
  func rotationAndMirroringNameAnOrientation(orientation: ImageOrientation) {
    #expect(
      ImageOrientation(
        clockwiseRotation: orientation.clockwiseRotation, mirrored: orientation.isMirrored)
        == orientation)
    #expect(ImageOrientation(clockwiseRotation: 45) == nil)
  }
}

@Suite struct PreviewGeometryTests {
  static let geometries: [PreviewGeometry] = [
    VideoGravity.resizeAspect, .resizeAspectFill, .resize,
  ]
  .flatMap { gravity in
    [0, 90, 180, 270].flatMap { angle in
      [false, true].map { mirrored in
        PreviewGeometry(
          viewSize: CGSize(width: 390, height: 844),
          videoSize: Dimensions(width: 1920, height: 1080),
          videoGravity: gravity, videoRotationAngle: angle, isMirrored: mirrored)
      }
    }
  }

  @Test(arguments: geometries)
  func pointsComeBackFromPhotoAndDeviceCoordinates(geometry: PreviewGeometry) {
    let point = CGPoint(x: 123, y: 456)
    let photo = geometry.photoPoint(fromViewPoint: point)
    #expect(isNear(geometry.viewPoint(fromPhotoPoint: photo), point))
    let device = geometry.captureDevicePointConverted(fromViewPoint: point)
    #expect(isNear(geometry.viewPointConverted(fromCaptureDevicePoint: device), point))
  }

  @Test(arguments: geometries)
  func theMiddleOfTheViewIsTheMiddleOfThePicture(geometry: PreviewGeometry) {
    let middle = CGPoint(x: 195, y: 422)
    let half = CGPoint(x: 0.5, y: 0.5)
    #expect(isNear(geometry.photoPoint(fromViewPoint: middle), half))
    #expect(isNear(geometry.captureDevicePointConverted(fromViewPoint: middle), half))
  }

  @Test func aspectFitLeavesBarsAndAspectFillCutsOff() {
    var geometry = PreviewGeometry(
      viewSize: CGSize(width: 400, height: 400), videoSize: Dimensions(width: 200, height: 100))
    #expect(geometry.videoFrame == CGRect(x: 0, y: 100, width: 400, height: 200))
    geometry.videoGravity = .resizeAspectFill
    #expect(geometry.videoFrame == CGRect(x: -200, y: 0, width: 800, height: 400))
    geometry.videoGravity = .resize
    #expect(geometry.videoFrame == CGRect(x: 0, y: 0, width: 400, height: 400))
  }

  @Test func aMirroredPreviewPointsAtTheOtherSideOfThePhoto() {
    let geometry = PreviewGeometry(
      viewSize: CGSize(width: 100, height: 50), videoSize: Dimensions(width: 200, height: 100),
      isMirrored: true)
    #expect(
      isNear(
        geometry.photoPoint(fromViewPoint: CGPoint(x: 10, y: 10)), CGPoint(x: 0.9, y: 0.2)))
    guard
      case .quadrilateral(let corners) = geometry.outline(
        ofQuadrilateral: Quadrilateral(CGRect(x: 10, y: 10, width: 20, height: 10)))
    else { return }
    #expect(corners.topLeft.x < corners.topRight.x, "Still clockwise from the top left.")
  }

  @Test func aTurnedCamerasRightEdgeIsThePhotosBottom() {
    let geometry = PreviewGeometry(
      viewSize: CGSize(width: 1080, height: 1920), videoSize: Dimensions(width: 1920, height: 1080),
      videoRotationAngle: 90)
    let bottom = geometry.captureDevicePointConverted(fromViewPoint: CGPoint(x: 540, y: 1920))
    #expect(isNear(bottom, CGPoint(x: 1, y: 0.5)))
  }

  @Test(arguments: geometries.filter { $0.videoGravity != .resize })
  func theCardGuideBecomesAnOutlineOfACardsShape(geometry: PreviewGeometry) throws {
    let guide = geometry.cardGuide()
    #expect(abs(guide.frame.width / guide.frame.height - CardSize.id1.aspectRatio) < 1e-9)
    guard
      case .roundedRectangle(let frame, let radius) = geometry.outline(
        ofRoundedRect: guide.frame, cornerRadius: guide.cornerRadius)
    else { return }
    let size = geometry.uprightSize
    let width = frame.width * Double(size.width)
    #expect(abs(width / (frame.height * Double(size.height)) - CardSize.id1.aspectRatio) < 1e-9)
    #expect(abs(radius * Double(size.width) / width - 3.18 / 85.60) < 1e-9)
    #expect(frame.minX >= 0 && frame.maxX <= 1 && frame.minY >= 0 && frame.maxY <= 1)
  }

  private func isNear(_ a: CGPoint, _ b: CGPoint) -> Bool {
    abs(a.x - b.x) < 1e-9 && abs(a.y - b.y) < 1e-9
  }
}

@Suite struct OutlineTests {
  @Test func aQuadrilateralIsMadeOfItsOwnCornersAndOfNothingButFour() {
    let frame = Quadrilateral(CGRect(x: 1, y: 2, width: 3, height: 4))
    let outline: Outline? = Quadrilateral(frame.corners).map { .quadrilateral($0) }
    #expect(outline == .quadrilateral(frame))
    #expect(Quadrilateral(frame.corners.dropLast()) == nil)
    #expect(Quadrilateral(frame.corners + [.zero]) == nil)
  }

  @Test(arguments: [
    Dimensions(width: 1920, height: 1080), Dimensions(width: 1080, height: 1920),
    Dimensions(width: 500, height: 500), Dimensions(width: 3000, height: 200),
  ])
  func aCenteredCardFitsThePictureAndKeepsItsShape(size: Dimensions) throws {
    guard case .roundedRectangle(let frame, let radius) = Outline.card().resolved(for: size) else {
      Issue.record("no rounded rectangle")
      return
    }
    let width = frame.width * Double(size.width)
    let height = frame.height * Double(size.height)
    #expect(abs(width / height - CardSize.id1.aspectRatio) < 1e-9)
    #expect(abs(radius * Double(size.width) / width - 3.18 / 85.60) < 1e-9)
    #expect(frame.width <= 0.8 + 1e-9 && frame.height <= 0.8 + 1e-9)
    #expect(abs(frame.midX - 0.5) < 1e-9 && abs(frame.midY - 0.5) < 1e-9)
  }

  @Test(arguments: [
    Outline.rectangle(CGRect(x: 0, y: 0, width: 0, height: 0)),
    .rectangle(CGRect(x: CGFloat.nan, y: 0, width: 1, height: 1)),
    .ellipse(CGRect(x: 5, y: 5, width: 1, height: 1)),
    .polygon([CGPoint(x: 0, y: 0), CGPoint(x: 1, y: 1)]),
    .polygon([]),
  ])
  func anOutlineWithoutAnAreaInThePictureIsRefused(outline: Outline) {
    #expect { try outline.dimensions(in: .vga) } throws: { error in
      if case CaptureError.invalidSettings = error { true } else { false }
    }
  }
}

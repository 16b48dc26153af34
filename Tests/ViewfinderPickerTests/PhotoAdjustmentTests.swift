import Foundation
import Testing
import Viewfinder

@testable import ViewfinderPicker

@Suite struct PhotoAdjustmentTests {
  static let picture = Dimensions(width: 1200, height: 800)
  static let shapes: [PhotoAdjustment.Shape] = [
    .free, .square, .ratio(16 / 9), .ratio(0.4), .card(),
  ]

  @Test(
    "The frame begins in the middle, as large as the picture allows",
    arguments: [
      (PhotoAdjustment.Shape.free, 1200.0, 800.0), (.square, 800, 800), (.ratio(2), 1200, 600),
      (.ratio(0.5), 400, 800), (.ratio(.nan), 800, 800),
    ])
  func beginning(shape: PhotoAdjustment.Shape, width: Double, height: Double) {
    let adjustment = PhotoAdjustment(pictureSize: Self.picture, shape: shape)
    #expect(adjustment.center == CGPoint(x: 0.5, y: 0.5))
    #expect(adjustment.zoom == 1)
    #expect(abs(adjustment.frameSize.width - width) < 1e-9)
    #expect(abs(adjustment.frameSize.height - height) < 1e-9)
    #expect(abs(adjustment.cropRectangle.midX - 600) < 1e-9)
  }

  @Test("Whatever the person does, the picture covers the frame", arguments: shapes)
  func covers(shape: PhotoAdjustment.Shape) {
    var adjustment = PhotoAdjustment(pictureSize: Self.picture, shape: shape)
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let number = Double.random(in: -3...3, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: adjustment.pan(by: CGSize(width: number, height: -number / 2))
      case 1: adjustment.zoom(by: exp(number), around: CGPoint(x: number / 9, y: 0.2))
      case 2: adjustment.angle = number * 200
      case 3: adjustment.turnRight()
      case 4: adjustment.aspectRatio = exp(number)
      default: adjustment.zoom = [.nan, .infinity, 0, number, 1e9].randomElement()!
      }
      for corner in adjustment.quadrilateral.corners {
        #expect((-1e-9...1 + 1e-9).contains(corner.x), "\(adjustment)")
        #expect((-1e-9...1 + 1e-9).contains(corner.y), "\(adjustment)")
      }
      let shorter = min(adjustment.frameSize.width, adjustment.frameSize.height)
      #expect(adjustment.zoom == 1 || shorter >= 31.9)
    }
  }

  @Test("The proportions of a frame stay, except of a free one", arguments: shapes)
  func proportions(shape: PhotoAdjustment.Shape) {
    var adjustment = PhotoAdjustment(pictureSize: Self.picture, shape: shape)
    let before = adjustment.aspectRatio
    adjustment.aspectRatio = 3
    #expect(adjustment.aspectRatio == (shape == .free ? 3 : before))
    adjustment.angle = 33
    let size = adjustment.frameSize
    #expect(abs(size.width / size.height - adjustment.aspectRatio) < 1e-9)
  }

  @Test(
    "What is under the fingers stays under them while they zoom", arguments: [0.0, 30, 90, 200])
  func zoomsAroundPoint(angle: Double) {
    var adjustment = PhotoAdjustment(pictureSize: Self.picture, shape: .square)
    adjustment.angle = angle
    adjustment.zoom = 3
    let point = CGPoint(x: 0.3, y: -0.2)
    let before = adjustment.picturePoint(under: point)
    adjustment.zoom(by: 2, around: point)
    let after = adjustment.picturePoint(under: point)
    #expect(abs(before.x - after.x) < 1e-9 && abs(before.y - after.y) < 1e-9)
    #expect(adjustment.zoom == 6)
  }

  @Test(
    "A picture that is moved to the right shows more of its left", arguments: [0.0, 90, 180, 270])
  func pans(angle: Double) {
    var adjustment = PhotoAdjustment(pictureSize: Self.picture, shape: .square)
    adjustment.angle = angle
    adjustment.zoom = 4
    let before = adjustment.picturePoint(under: CGPoint(x: -0.1, y: 0))
    adjustment.pan(by: CGSize(width: 0.1, height: 0))
    let after = adjustment.center
    #expect(abs(before.x - after.x) < 1e-9 && abs(before.y - after.y) < 1e-9)
  }

  @Test("Four quarters are a whole turn", arguments: shapes)
  func turns(shape: PhotoAdjustment.Shape) {
    let before = PhotoAdjustment(pictureSize: Self.picture, shape: shape)
    var adjustment = before
    adjustment.turnRight()
    #expect(adjustment.angle == 90)
    for _ in 0..<3 { adjustment.turnRight() }
    #expect(adjustment.angle == 0)
    #expect(abs(adjustment.aspectRatio - before.aspectRatio) < 1e-9)
    #expect(adjustment.cropRectangle.width == before.cropRectangle.width)
  }

  @Test("A view that lays the picture as it is told shows the crop in the frame")
  func placement() {
    var adjustment = PhotoAdjustment(pictureSize: Self.picture, shape: .square)
    adjustment.angle = 25
    adjustment.zoom = 2.5
    adjustment.pan(by: CGSize(width: 0.2, height: -0.15))
    let (size, offset) = adjustment.placement(frameWidth: 300)
    // The frame's top left corner, seen from the turned picture's middle, turned back.
    let (x, y) = (-150 - offset.x, -150 - offset.y)
    let radians = 25 * Double.pi / 180
    let unturned = CGPoint(
      x: x * cos(radians) + y * sin(radians), y: y * cos(radians) - x * sin(radians))
    let point = CGPoint(x: unturned.x / size.width + 0.5, y: unturned.y / size.height + 0.5)
    let corner = adjustment.quadrilateral.topLeft
    #expect(abs(point.x - corner.x) < 1e-9 && abs(point.y - corner.y) < 1e-9)
  }

  static let turned: [(Double, [String])] = [
    (0, ["red", "green", "blue", "white"]), (90, ["white", "red", "green", "blue"]),
    (180, ["blue", "white", "red", "green"]), (270, ["green", "blue", "white", "red"]),
  ]

  @Test("The crop is turned clockwise, as the person turned it", arguments: turned)
  func cropIsTurned(angle: Double, colors: [String]) throws {
    var adjustment = PhotoAdjustment(
      pictureSize: Dimensions(width: 300, height: 200), shape: .square)
    adjustment.angle = angle
    let photo = try quarters(300, 200).pngData()
    let cropped = try adjustment.crop.apply(
      to: photo, name: "quarters", as: PhotoEncoding(fileType: .png))
    #expect(cropped.dimensions == Dimensions(width: 200, height: 200))
    let picture = try PixelBuffer(decoding: cropped.data)
    let places = [(0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8)]
    #expect(try places.map { try picture.quarter($0.0, $0.1) } == colors)
  }

  @Test(
    "A frame that shows the whole picture crops nothing",
    arguments: [
      (PhotoAdjustment.Shape.free, true), (.ratio(1.5), true), (.square, false), (.card(), false),
    ])
  func whole(shape: PhotoAdjustment.Shape, isWhole: Bool) {
    var adjustment = PhotoAdjustment(pictureSize: Self.picture, shape: shape)
    #expect(adjustment.isWhole == isWhole)
    for _ in 0..<4 { adjustment.turnRight() }
    #expect(adjustment.isWhole == isWhole)
    adjustment.turnRight()
    #expect(!adjustment.isWhole)
    adjustment.angle = 0
    adjustment.zoom = 1.1
    #expect(!adjustment.isWhole)
  }

  @Test("A card has round corners, straight or turned", arguments: [0.0, 90, 7])
  func cardCorners(angle: Double) throws {
    var adjustment = PhotoAdjustment(
      pictureSize: Dimensions(width: 400, height: 400), shape: .card())
    adjustment.angle = angle
    let grey = try PixelBuffer(
      pixelFormat: .grey, dimensions: adjustment.pictureSize,
      data: Data(repeating: 90, count: 160_000))
    let cropped = try adjustment.crop.apply(to: grey.jpegData(), name: "grey")
    let picture = try PixelBuffer(decoding: cropped.data)
    #expect(try picture.color(0, 0).allSatisfy { $0 > 200 })
    #expect(try picture.color(0.5, 0.5).allSatisfy { abs($0 - 90) < 8 })
    #expect(try picture.color(0.5, 0.02).allSatisfy { abs($0 - 90) < 8 })
    let ratio = Double(cropped.dimensions.width) / Double(cropped.dimensions.height)
    #expect(abs(ratio - CardSize.id1.aspectRatio) < 0.02)
  }
}

import Foundation
import Testing
import Viewfinder

@Suite("Outline detector") struct OutlineDetectorTests {
  private static let size = Dimensions(width: 800, height: 600)

  /// A light card with dark print on dark ground, turned by an angle, with the corners that it has in units.
  private static func card(turned degrees: Double) throws -> (picture: PixelBuffer, Quadrilateral) {
    let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
    let (halfWidth, halfHeight) = (85.6 * 2.4, 53.98 * 2.4)
    var pixels = Data(capacity: size.area)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let (dx, dy) = (Double(x) + 0.5 - 400, Double(y) + 0.5 - 300)
        let (u, v) = (dx * cosine + dy * sine, dy * cosine - dx * sine)
        let noise = (x &* 7919 &+ y &* 104_729) % 7
        let isInside = abs(u) < halfWidth && abs(v) < halfHeight
        let isPrint = abs(v) < 12 && abs(u) < 120 && Int(u + 200) / 9 % 2 == 0
        pixels.append(UInt8((isInside ? (isPrint ? 90 : 205) : 60) + noise))
      }
    }
    let corners = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { a, b in
      let (u, v) = (a * halfWidth, b * halfHeight)
      return CGPoint(
        x: (400 + u * cosine - v * sine) / Double(size.width),
        y: (300 + u * sine + v * cosine) / Double(size.height))
    }
    let picture = try PixelBuffer(pixelFormat: .grey, dimensions: size, data: pixels)
    return (picture, try #require(Quadrilateral(corners)))
  }

  /// The largest distance of a corner, in pixels, whichever comes first.
  private static func distance(_ one: Quadrilateral, _ other: Quadrilateral) -> Double {
    let (a, b) = (one.corners, other.corners)
    return (0..<4).map { turn in
      (0..<4).map { i in
        let (p, q) = (a[i], b[(i + turn) % 4])
        return hypot((p.x - q.x) * Double(size.width), (p.y - q.y) * Double(size.height))
      }.max()!
    }.min()!
  }

  @Test("A card is found at any angle, its corners to about a pixel", arguments: [0, 7, 33, 90])
  func angles(degrees: Double) throws {
    let (picture, truth) = try Self.card(turned: degrees)
    let found = try OutlineDetector().outlines(in: picture)
    #expect(found.count == 1)
    let card = try #require(found.first)
    #expect(Self.distance(card.quadrilateral, truth) < 1.5)
    #expect(card.kind == .card)
    #expect(abs(card.aspectRatio - 85.6 / 53.98) < 0.02)
    #expect(card.confidence >= OutlineDetector.defaultConfidence)
    #expect(card.edgeSupport.count == 4 && card.edgeSupport.allSatisfy { $0 > 0.8 })
  }

  @Test("A file is found in as its picture is, PNG and JPEG")
  func files() throws {
    let (picture, truth) = try Self.card(turned: 20)
    let detector = try OutlineDetector()
    for data in [try picture.pngData(), try picture.jpegData()] {
      let card = try #require(try detector.outlines(inPhoto: data).first)
      #expect(Self.distance(card.quadrilateral, truth) < 1.5)
    }
    #expect(throws: CaptureError.self) { try detector.outlines(inPhoto: Data("no photo".utf8)) }
  }

  @Test("Where there is nothing, nothing is found; nor when none are asked for")
  func nothing() throws {
    let detector = try OutlineDetector()
    let flat = try PixelBuffer(
      pixelFormat: .grey, dimensions: Self.size, data: Data(repeating: 90, count: Self.size.area))
    #expect(try detector.outlines(in: flat).isEmpty)
    let card = try Self.card(turned: 5).picture
    #expect(try detector.outlines(in: card, maximumCount: 0).isEmpty)
    #expect(try detector.outlines(in: card, minimumConfidence: 1).isEmpty)
    #expect(try detector.outlines(in: card, minimumConfidence: 0, maximumCount: 99).count >= 1)
  }

  @Test("The outline that was found crops the photo straight, to the card's edge")
  func cropping() throws {
    let (picture, _) = try Self.card(turned: 33)
    let photo = try picture.jpegData()
    let card = try #require(try OutlineDetector().outlines(inPhoto: photo).first)
    #expect(card.pictureDimensions == Self.size)
    let straight = try PixelBuffer(decoding: card.crop.apply(to: photo).data)
    // 85.6 × 53.98 mm at 4.8 pixels each.
    #expect(abs(straight.dimensions.width - 411) <= 4 && abs(straight.dimensions.height - 259) <= 3)
    #expect(abs((card.crop.cornerRadius ?? 0) - 3.48 / 85.6) < 0.002)
    let small = try straight.luminance(fitting: Dimensions(width: 40, height: 25))
    // No ground is left but at the very edge.
    for y in 1..<small.dimensions.height - 1 {
      #expect(small[1, y] > 180 && small[small.dimensions.width - 2, y] > 180)
    }
  }

  @Test("An outline that is to be found is found, in files and pictures, and told with the crop")
  func detected() throws {
    let (picture, truth) = try Self.card(turned: 20)
    let photo = try picture.jpegData()
    let cropped = try PhotoCrop(outline: .detected()).apply(to: photo)
    let found = try #require(cropped.detectedOutline)
    #expect(Self.distance(found.quadrilateral, truth) < 2)
    #expect(cropped.crop == found.crop && cropped.dimensions == found.crop.rectifiedSize)
    #expect(try PhotoCrop(outline: .detected()).apply(to: picture).detectedOutline != nil)
    let inPixels = Outline.inPixels(
      .detected(within: CGRect(x: 300, y: 200, width: 200, height: 200)))
    #expect(try PhotoCrop(outline: inPixels).apply(to: photo).detectedOutline != nil)
  }

  @Test("Where nothing is found, the fallback is cropped to, or the picture stays whole")
  func fallback() throws {
    let (picture, _) = try Self.card(turned: 20)
    let corner = CGRect(x: 0, y: 0, width: 0.2, height: 0.2)
    let whole = try PhotoCrop(
      outline: .detected(within: corner), rectifiedSize: Dimensions(width: 1011, height: 638)
    ).apply(to: picture)
    #expect(whole.detectedOutline == nil && whole.dimensions == Self.size)
    #expect(whole.crop == PhotoCrop())
    let fallback = Outline.rectangle(CGRect(x: 0, y: 0, width: 0.5, height: 0.5))
    let half = try PhotoCrop(outline: .detected(within: corner, fallback: fallback))
      .apply(to: picture)
    #expect(half.detectedOutline == nil && half.dimensions == Dimensions(width: 400, height: 300))
    #expect(half.crop == PhotoCrop(outline: fallback))
  }

  @Test(
    "A card that stands upright is laid on its side for a size that lies, without being squeezed")
  func turned() throws {
    let (picture, _) = try Self.card(turned: 90)
    let size = Dimensions(width: 1011, height: 638)
    let cropped = try PhotoCrop(outline: .detected(), rectifiedSize: size).apply(to: picture)
    #expect(cropped.dimensions == size)
    let found = try #require(cropped.detectedOutline)
    let corners = found.quadrilateral.corners
    let turned = try #require(Quadrilateral([corners[3], corners[0], corners[1], corners[2]]))
    #expect(cropped.crop.outline == .quadrilateral(turned))
    #expect(found.crop(to: size.swapped).outline == .quadrilateral(found.quadrilateral))
  }

  @Test(
    "An outline that is to be found is the same after JSON",
    arguments: [
      Outline.detected(), .detected(within: CGRect(x: 0.1, y: 0.2, width: 0.3, height: 0.4)),
      .detected(fallback: .card()), .inPixels(.detected(fallback: .ellipse(.zero))),
    ])
  func coding(outline: Outline) throws {
    let data = try JSONEncoder().encode(outline)
    #expect(try JSONDecoder().decode(Outline.self, from: data) == outline)
  }
}

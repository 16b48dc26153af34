import CViewfinder
import Foundation
import Testing

@Suite("Outline masks") struct OutlineMaskTests {
  /// The sum of a mask, in pixels.
  static func area(_ mask: Picture) -> Double {
    Double(mask.bytes(ofPlane: 0).reduce(0) { $0 + Int($1) }) / 255
  }

  /// The points of a five-pointed star around (100, 100), in the order one draws it.
  static let star = Outline.polygon(
    [0, 2, 4, 1, 3].map { i in
      let angle = Double(i) * 0.4 * .pi - .pi / 2
      return (100.3 + 90 * cos(angle), 100.7 + 90 * sin(angle))
    })

  /// By the even-odd rule: five points without the pentagon between them.
  static let starArea: Double = {
    let inner = 90 * cos(0.4 * Double.pi) / cos(0.2 * Double.pi)
    let whole = 5 * 90 * inner * sin(0.2 * Double.pi)
    return whole - 2.5 * inner * inner * sin(0.4 * Double.pi)
  }()

  static let shapes: [(Outline, Double)] = [
    (.rectangle(10.25, 20.5, 100.5, 50.125), 100.5 * 50.125),
    (.ellipse(50, 50, 100, 100), .pi * 50 * 50),
    (.ellipse(50.37, 50.81, 60, 120), .pi * 30 * 60),
    (.ellipse(90.1, 90.2, 20, 20), .pi * 100),
    (.rounded(10.4, 20.3, 160, 101, radius: 6), 160 * 101 - (4 - .pi) * 36),
    (.rounded(20, 20, 60, 40, radius: 1000), .pi * 400 + 20 * 40),
    (.rounded(20, 20, 60, 40, radius: 0), 2400),
    (.polygon([(10, 10), (190, 40.5), (60.25, 170)]), 13_633.6875),
    (.polygon([(10, 10), (60.25, 170), (190, 40.5)]), 13_633.6875),
    (.polygon([(20, 20), (180, 20), (180, 180), (100, 60), (20, 180)]), 25600 - 9600),
    (.polygon([(20, 20), (180, 180), (180, 20), (20, 180)]), 12800),
    (star, starArea),
  ]

  @Test("The sum of a mask is the outline's area", arguments: shapes)
  func areas(outline: Outline, area: Double) throws {
    let mask = try outline.mask(200, 200)
    #expect(abs(Self.area(mask) - area) <= area / 1000)
  }

  @Test("Each pixel takes the share that the outline covers")
  func shares() throws {
    let mask = try Outline.rectangle(0.25, 0.5, 2.25, 2).mask(4, 3)
    let (a, b, c) = (UInt8(0.75 * 0.5 * 255 + 0.5), UInt8(128), UInt8(0.25 * 255 + 0.5))
    let full = UInt8(0.75 * 255 + 0.5)
    #expect(mask.bytes(ofPlane: 0) == [a, b, c, 0, full, 255, 128, 0, a, b, c, 0])
  }

  @Test("A slanted edge covers its pixels by area")
  func slantedEdge() throws {
    let mask = try Outline.polygon([(0, 0), (4, 0), (0, 2)]).mask(4, 2)
    #expect(mask.bytes(ofPlane: 0) == [255, 255, 191, 64, 191, 64, 0, 0])
  }

  @Test("The middle of a star that is drawn in one stroke stays empty")
  func evenOdd() throws {
    let mask = try Self.star.mask(200, 200)
    #expect(mask[0, 100, 100] == 0)
    #expect(mask[0, 100, 30] == 255)
    #expect(mask[0, 5, 5] == 0)
  }

  @Test("A part of a mask is the mask of the part", arguments: shapes.map(\.0))
  func parts(outline: Outline) throws {
    let whole = try outline.mask(200, 200)
    for (x, y, width, height) in [(0, 0, 50, 200), (45, 45, 57, 61), (130, 7, 70, 30)] {
      let part = try outline.mask(width, height, x: x, y: y)
      #expect(
        distance(part.bytes(ofPlane: 0), try whole.cropped(x, y, width, height).bytes(ofPlane: 0))
          <= 1)
    }
  }

  @Test("A circle is the same from all sides")
  func symmetry() throws {
    let mask = try Outline.ellipse(0, 0, 41, 41).mask(41, 41)
    for orientation in 2...8 {
      #expect(
        distance(try mask.oriented(orientation).bytes(ofPlane: 0), mask.bytes(ofPlane: 0)) <= 1)
    }
  }

  @Test(
    "Bounds hold the part of the outline inside the picture",
    arguments: [
      (.rectangle(10, 20, 30, 40), [10, 20, 30, 40]),
      (.rectangle(10.0005, 19.9995, 30, 40.0008), [10, 20, 30, 40]),
      (.rectangle(10.01, 20, 30, 40), [10, 20, 31, 40]),
      (.rectangle(-5, -5, 1000, 1000), [0, 0, 200, 100]),
      (.rectangle(199.5, 99.5, 9, 9), [199, 99, 1, 1]),
      (.rounded(10, 20, 30, 40, radius: 5), [10, 20, 30, 40]),
      (.ellipse(10, 20, 30, 40), [10, 20, 30, 40]),
      (.ellipse(-30, 20, 60, 40), [0, 20, 30, 40]),
      (.polygon([(50, 10), (90, 60), (20, 80)]), [20, 10, 70, 70]),
      // Of a diamond around the corner only its inner edge shows.
      (.polygon([(0, -40), (40, 0), (0, 40), (-40, 0)]), [0, 0, 40, 40]),
      (.polygon([(-100, 50), (50, -100), (-100, -100)]), [0, 0, 0, 0]),
      (.polygon([(100, -100), (150, 50), (50, 50)]), [50, 0, 100, 50]),
      // It surrounds the picture, no edge is in sight.
      (.polygon([(-500, -500), (900, -500), (900, 900), (-500, 900)]), [0, 0, 200, 100]),
    ] as [(Outline, [Int])])
  func bounds(outline: Outline, expected: [Int]) throws {
    if expected == [0, 0, 0, 0] {
      #expect(code { _ = try outline.bounds(200, 100) } == EINVAL)
    } else {
      #expect(try outline.bounds(200, 100) == expected)
    }
  }

  static let malformed: [Outline] = [
    .rectangle(0, 0, 0, 10), .rectangle(0, 0, 10, -1), .rectangle(.nan, 0, 10, 10),
    .rectangle(0, .infinity, 10, 10), .rectangle(0, 0, 1e300, 10), .rectangle(0, 0, 10, .nan),
    .ellipse(0, 0, 0, 0), .ellipse(-.infinity, 0, 10, 10),
    .rounded(0, 0, 10, 10, radius: .nan), .rounded(0, 0, 10, 10, radius: -1),
    .polygon([]), .polygon([(0, 0), (10, 10)]), .polygon([(0, 0), (10, 10), (20, 20)]),
    .polygon([(5, 5), (5, 5), (5, 5)]), .polygon([(0, 0), (10, 0), (.nan, 10)]),
    .polygon([(0, 0), (10, 0), (0, -1e30)]),
    .polygon(Array(repeating: (0, 0), count: 4096) + [(10, 0), (0, 10)]),
    .polygon([(0, 0), (10, 0), (0, 10)], kind: VF_OUTLINE_QUADRILATERAL),
    .polygon([(0, 0), (10, 0), (0, 10)], kind: 99),
  ]

  @Test("A malformed outline is refused", arguments: malformed)
  func refused(outline: Outline) throws {
    let picture = try Picture(VF_GREY, 20, 20)
    #expect(code { _ = try outline.bounds(20, 20) } == EINVAL)
    #expect(code { _ = try outline.mask(20, 20) } == EINVAL)
    #expect(code { _ = try outline.crop(picture) } == EINVAL)
  }

  @Test("An outline outside the picture is refused", arguments: [(-11.0, 0.0), (20, 0), (0, 20)])
  func outside(x: Double, y: Double) {
    #expect(code { _ = try Outline.rectangle(x, y, 10, 10).bounds(20, 20) } == EINVAL)
  }

  @Test("A region or a mask without pixels is refused")
  func emptyRegion() throws {
    let picture = try Picture(VF_GREY, 4, 4)
    for (width, height, stride) in [(0, 4, 64), (4, 0, 64), (4, 4, 3)] as [(UInt32, UInt32, Int)] {
      var region = vf_rectangle(x: 0, y: 0, width: width, height: height)
      var mask = vf_plane(data: picture.image.planes.0.data, stride: stride)
      var failure = vf_failure()
      let code = Outline.rectangle(-1, -1, 9, 9).withC {
        vf_outline_mask($0, &region, &mask, &failure)
      }
      #expect(code == -EINVAL)
    }
  }

  @Test("Thousands of edges that all cross are still filled by the even-odd rule")
  func manyEdges() throws {
    var noise = Noise()
    let points = (0..<4096).map { _ in
      (Double.random(in: -20...60, using: &noise), Double.random(in: -20...60, using: &noise))
    }
    let mask = try Outline.polygon(points).mask(8, 8)
    // Half of the plane, more or less, lies inside of such a tangle.
    #expect((16.0...48).contains(Self.area(mask)))
  }
}

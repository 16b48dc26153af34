import CViewfinder
import Foundation
import Testing

@Suite("Rectifying quadrilaterals") struct RectifyTests {
  static func corners(_ points: (Double, Double)...) -> [vf_point] {
    points.map { vf_point(x: $0.0, y: $0.1) }
  }

  static func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> [vf_point] {
    corners((x, y), (x + width, y), (x + width, y + height), (x, y + height))
  }

  /// Where the corners' homography takes (u, v) of a `width` × `height` result: eight equations,
  /// solved by elimination.
  static func map(_ corners: [vf_point], _ width: Double, _ height: Double) -> (Double, Double) -> (
    Double, Double
  ) {
    let places = [(0, 0), (width, 0), (width, height), (0, height)]
    var rows: [[Double]] = []
    for ((u, v), corner) in zip(places, corners) {
      rows.append([u, v, 1, 0, 0, 0, -u * corner.x, -v * corner.x, corner.x])
      rows.append([0, 0, 0, u, v, 1, -u * corner.y, -v * corner.y, corner.y])
    }
    for i in 0..<8 {
      let pivot = (i..<8).max { abs(rows[$0][i]) < abs(rows[$1][i]) }!
      rows.swapAt(i, pivot)
      for j in 0..<8 where j != i {
        let factor = rows[j][i] / rows[i][i]
        for k in i..<9 { rows[j][k] -= factor * rows[i][k] }
      }
    }
    let h = (0..<8).map { rows[$0][8] / rows[$0][$0] }
    return { u, v in
      let w = h[6] * u + h[7] * v + 1
      return ((h[0] * u + h[1] * v + h[2]) / w, (h[3] * u + h[4] * v + h[5]) / w)
    }
  }

  /// A smooth chart, as a function of the place in pixels.
  static func chart(_ x: Double, _ y: Double) -> Double {
    128 + 60 * sin(x / 9) + 50 * cos(y / 7 + x / 31)
  }

  /// The peak signal-to-noise ratio of two rows of bytes, in decibels.
  static func psnr(_ a: [UInt8], _ b: [UInt8]) -> Double {
    let squares = zip(a, b).map { pow(Double($0) - Double($1), 2) }
    return 10 * log10(255 * 255 / max(squares.reduce(0, +) / Double(squares.count), 1e-9))
  }

  @Test("The picture's own corners give the picture back", arguments: Layout.all, filters)
  func identity(layout: Layout, filter: UInt32) throws {
    let source = try ImageConversionTests.gradient(50, 40).converted(to: layout.fourcc)
    let result = try source.rectified(Self.rectangle(0, 0, 50, 40), 50, 40, filter: filter)
    for (a, b) in zip(result.samples, try source.planar().samples) { #expect(distance(a, b) <= 1) }
  }

  @Test("Noise within whole pixels is copied", arguments: [(0, 0), (3, 5), (8, 2)])
  func wholePixels(x: Int, y: Int) throws {
    let source = try Picture(viewing: Noise.bytes(40 * 30), VF_GREY, 40, 30)
    let result = try source.rectified(Self.rectangle(Double(x), Double(y), 32, 25), 32, 25)
    #expect(
      distance(result.bytes(ofPlane: 0), try source.cropped(x, y, 32, 25).bytes(ofPlane: 0)) <= 1)
  }

  @Test(
    "A quadrilateral that starts at another corner turns the picture",
    arguments: [(1, 8), (2, 3), (3, 6)])
  func turned(start: Int, orientation: Int) throws {
    let source = try Picture(viewing: Noise.bytes(24 * 24), VF_GREY, 24, 24)
    let corners = Self.rectangle(0, 0, 24, 24)
    let result = try source.rectified(Array(corners[start...] + corners[..<start]), 24, 24)
    let expected = try source.oriented(orientation)
    #expect(distance(result.bytes(ofPlane: 0), expected.bytes(ofPlane: 0)) <= 1)
  }

  static let quadrilaterals: [([vf_point], Int, Int)] = [
    (corners((30, 40), (270, 20), (280, 190), (20, 170)), 240, 150),
    (corners((60, 30), (200, 50), (280, 190), (10, 150)), 300, 200),
    (corners((150, 10), (290, 100), (150, 190), (10, 100)), 170, 170),
    (corners((120, 20), (180, 20), (290, 190), (10, 190)), 200, 120),
    (corners((30, 40), (270, 20), (280, 190), (20, 170)), 600, 380),
    (corners((-20, -30), (310, 20), (280, 230), (20, 170)), 240, 150),
  ]

  @Test("A known warp of a chart is undone", arguments: quadrilaterals)
  func knownWarp(corners: [vf_point], width: Int, height: Int) throws {
    let source = try Picture(VF_GREY, 300, 200) { _, x, y in
      Int(Self.chart(Double(x) + 0.5, Double(y) + 0.5).rounded())
    }
    let place = Self.map(corners, Double(width), Double(height))
    let expected = (0..<width * height).map { i -> UInt8 in
      let (x, y) = place(Double(i % width) + 0.5, Double(i / width) + 0.5)
      // Outside the source its edge repeats.
      let value = Self.chart(min(max(x, 0.5), 299.5), min(max(y, 0.5), 199.5))
      return UInt8(clamping: Int(value.rounded()))
    }
    let result = try source.rectified(corners, width, height)
    #expect(Self.psnr(result.bytes(ofPlane: 0), expected) > 42)
  }

  static let filters = [VF_FILTER_FAST, VF_FILTER_BEST]

  @Test("The fast filter undoes a known warp, too", arguments: quadrilaterals)
  func knownFastWarp(corners: [vf_point], width: Int, height: Int) throws {
    let source = try Picture(VF_GREY, 300, 200) { _, x, y in
      Int(Self.chart(Double(x) + 0.5, Double(y) + 0.5).rounded())
    }
    let fast = try source.rectified(corners, width, height, filter: VF_FILTER_FAST)
    let best = try source.rectified(corners, width, height)
    #expect(Self.psnr(fast.bytes(ofPlane: 0), best.bytes(ofPlane: 0)) > 38)
  }

  @Test("The fast filter interpolates as long as no sample is skipped")
  func fastInterpolates() throws {
    let source = try Picture(viewing: Noise.bytes(90 * 60), VF_GREY, 90, 60)
    let result = try source.rectified(
      Self.rectangle(3, 2, 75, 50), 50, 40, filter: VF_FILTER_FAST)
    // Steps of 1.5 across and 1.25 down, from the middles of pixels to those of others.
    let expected = (0..<40 * 50).map { i -> UInt8 in
      let (x, y) = (2.5 + 1.5 * (Double(i % 50) + 0.5), 1.5 + 1.25 * (Double(i / 50) + 0.5))
      let (column, row, right, low) = (Int(x), Int(y), x - x.rounded(.down), y - y.rounded(.down))
      func across(_ row: Int) -> Double {
        Double(source[0, column, row]) * (1 - right) + Double(source[0, column + 1, row]) * right
      }
      return UInt8((across(row) * (1 - low) + across(row + 1) * low).rounded())
    }
    #expect(distance(result.bytes(ofPlane: 0), expected) <= 1)
  }

  @Test("The fast filter doesn't skip samples where much shrinks", arguments: [2.1, 2.4, 3.4, 5.5])
  func fastStripes(ratio: Double) throws {
    let source = try Picture(VF_GREY, 640, 640) { _, x, y in (x + y) % 2 * 255 }
    let size = Int(600 / ratio)
    let result = try source.rectified(
      Self.rectangle(20.3, 20.3, 600, 600), size, size, filter: VF_FILTER_FAST)
    #expect(result.bytes(ofPlane: 0).allSatisfy { abs(Int($0) - 128) < 40 })
  }

  @Test(
    "A result that reaches outside the source is what a source with more of its edge around gives",
    arguments: [0.7, 1.0, 1.6, 2.3, 3.1], filters)
  func edges(ratio: Double, filter: UInt32) throws {
    let noise = Noise.bytes(70 * 50)
    let source = try Picture(viewing: noise, VF_GREY, 70, 50)
    let margin = 30
    let larger = try Picture(VF_GREY, 70 + 2 * margin, 50 + 2 * margin) { _, x, y in
      Int(noise[min(max(y - margin, 0), 49) * 70 + min(max(x - margin, 0), 69)])
    }
    let corners = Self.corners((-9, 3), (72, -6), (77, 54), (4, 58))
    let inside = corners.map { vf_point(x: $0.x + Double(margin), y: $0.y + Double(margin)) }
    let (width, height) = (Int(80 / ratio), Int(56 / ratio))
    let result = try source.rectified(corners, width, height, filter: filter)
    let expected = try larger.rectified(inside, width, height, filter: filter)
    // Places are rounded to 1/128 of a sample, and may fall on either side.
    #expect(distance(result.bytes(ofPlane: 0), expected.bytes(ofPlane: 0)) <= 4)
    #expect(Self.psnr(result.bytes(ofPlane: 0), expected.bytes(ofPlane: 0)) > 55)
  }

  @Test("What lies aslant and is squeezed along one side only stays sharp along the other")
  func aslant() throws {
    // Lines at 45°, 4 source pixels apart, in a strip that is squeezed along them to a sixth.
    let source = try Picture(VF_GREY, 500, 500) { _, x, y in
      Int(127.5 + 120 * sin(Double(x - y) * 2 * .pi / 8))
    }
    let corners = Self.corners((240, 60), (440, 260), (260, 440), (60, 240))
    let (along, across) = (Self.corners((240, 60), (440, 260), (340, 360), (140, 160)), corners)
    let squeezed = try source.rectified(along, 47, 141)
    let whole = try source.rectified(across, 283, 255)
    for result in [squeezed, whole] {
      let samples = result.bytes(ofPlane: 0)
      #expect(samples.max()! > 215 && samples.min()! < 40)
    }
  }

  @Test("A filter that there isn't is refused")
  func refusedFilter() throws {
    let source = try Picture(VF_I420, 60, 60)
    #expect(
      code { _ = try source.rectified(Self.rectangle(0, 0, 60, 60), 9, 9, filter: 2) } == EINVAL)
  }

  @Test("Subsampled chroma stays with its luma", arguments: [VF_I420, VF_I422, VF_I440, VF_I411])
  func chroma(fourcc: UInt32) throws {
    // Chroma repeats luma, so that both must come out alike.
    let full = try Picture(VF_I444, 304, 200) { _, x, y in
      Int(128 + 50 * sin(Double(x) / 29) + 40 * cos(Double(y) / 23))
    }
    let source = try full.converted(to: fourcc)
    let result = try source.rectified(Self.quadrilaterals[0].0, 240, 150)
    #expect(result.image.fourcc == fourcc)
    let chroma = try result.converted(to: VF_I444).bytes(ofPlane: 1)
    #expect(Self.psnr(chroma, result.bytes(ofPlane: 0)) > 38)
  }

  @Test(
    "Stripes too fine for the result turn grey", arguments: [2.24, 3.0, 3.7, 5.5, 11.0],
    [false, true])
  func fineStripes(ratio: Double, acrossRows: Bool) throws {
    let source = try Picture(VF_GREY, 640, 640) { _, x, y in (acrossRows ? y : x) % 2 * 255 }
    let size = Int(600 / ratio)
    let result = try source.rectified(Self.rectangle(20.3, 20.3, 600, 600), size, size)
    let samples = result.bytes(ofPlane: 0).map(Double.init)
    #expect(samples.allSatisfy { abs($0 - 127.5) < 24 })
    let deviation = samples.map { pow($0 - 127.5, 2) }.reduce(0, +) / Double(samples.count)
    #expect(deviation.squareRoot() < 8)
  }

  @Test("A zone plate shrinks without new rings")
  func zonePlate() throws {
    // Its frequency grows to the finest that there is at the edges.
    let source = try Picture(VF_GREY, 512, 512) { _, x, y in
      let (dx, dy) = (Double(x) - 255.5, Double(y) - 255.5)
      return Int((127.5 + 127 * cos(.pi * (dx * dx + dy * dy) / 512)).rounded())
    }
    let result = try source.rectified(Self.rectangle(0, 0, 512, 512), 128, 128)
    // A quarter of the size shows a quarter of the frequencies; the rest must be nearly even.
    var worst = 0.0
    for y in 0..<128 {
      for x in 0..<128 {
        let distance = hypot(Double(x) - 63.5, Double(y) - 63.5)
        if distance > 36 && distance < 62 {
          worst = max(worst, abs(Double(result[0, x, y]) - 127.5))
        }
      }
    }
    #expect(worst < 127 * 0.3)
  }

  @Test("Under strong perspective the far end is averaged and the near end is sharp")
  func strongPerspective() throws {
    let source = try Picture(VF_GREY, 600, 600) { _, x, y in (x + y) % 2 * 255 }
    let corners = Self.corners((10, 10), (590, 10), (320, 590), (280, 590))
    let result = try source.rectified(corners, 200, 200)
    // At the top three source pixels meet in one, at the bottom each is five.
    let top = (0..<200).map { Int(result[0, $0, 2]) }
    #expect(top.allSatisfy { abs($0 - 128) < 24 })
    let bottom = (0..<200).map { Int(result[0, $0, 198]) }
    #expect(bottom.max()! > 200 && bottom.min()! < 55)
  }

  @Test("Sharpness doesn't jump where the scale varies")
  func seamless() throws {
    // An edge of 180 levels along the result, magnified on the left, and at a quarter of its size
    // on the right.
    let source = try Picture(VF_GREY, 700, 400) { _, _, y in y < 200 ? 40 : 220 }
    let corners = Self.corners((10, 180), (690, 0), (690, 400), (10, 220))
    let result = try source.rectified(corners, 300, 100)
    var before: [Int] = []
    for x in 0..<300 {
      let column = (46..<54).map { Int(result[0, x, $0]) }
      if !before.isEmpty { #expect(zip(before, column).allSatisfy { abs($0 - $1) <= 18 }) }
      before = column
    }
  }

  @Test("An edge that grows doesn't overshoot", arguments: [2, 3, 8, 13])
  func noRinging(factor: Int) throws {
    let source = try Picture(VF_GREY, 24, 24) { _, x, _ in x < 12 ? 50 : 200 }
    let result = try source.rectified(Self.rectangle(2, 2, 20, 20), 20 * factor, 20 * factor)
    for y in 0..<result.height {
      let row = (0..<result.width).map { result[0, $0, y] }
      #expect(row.allSatisfy { (50...200).contains($0) })
      #expect(zip(row, row.dropFirst()).allSatisfy { $0 <= $1 })
    }
  }

  @Test("Outside the source its edge repeats")
  func outside() throws {
    let source = try Picture(VF_I420, 40, 40) { plane, x, _ in plane == 0 ? (x < 20 ? 30 : 90) : 70
    }
    let result = try source.rectified(Self.rectangle(-30, -30, 100, 100), 100, 100)
    #expect(result[0, 0, 0] == 30 && result[0, 99, 99] == 90)
    #expect(result.bytes(ofPlane: 1).allSatisfy { $0 == 70 })
  }

  @Test("The smallest pictures can be rectified", arguments: Layout.planar)
  func smallest(layout: Layout) throws {
    for (width, height) in [(1, 1), (2, 1), (1, 3), (5, 5)] {
      let source = try Picture(layout.fourcc, width, height) { plane, _, _ in 60 + plane }
      let result = try source.rectified(
        Self.rectangle(0, 0, Double(width), Double(height)), 9, 7)
      for (plane, samples) in result.samples.enumerated() {
        #expect(samples.allSatisfy { Int($0) == 60 + plane })
      }
    }
  }

  @Test("Alpha is straightened too")
  func alpha() throws {
    let source = try Picture(VF_I420, 40, 40, alpha: true) { plane, x, _ in
      plane == 3 ? (x < 20 ? 0 : 255) : 100
    }
    let result = try source.rectified(Self.rectangle(10, 10, 20, 20), 10, 10)
    #expect(result[3, 0, 5] == 0 && result[3, 9, 5] == 255)
  }

  static let malformed: [[vf_point]] = [
    corners((10, 10), (50, 10), (20, 20), (10, 50)),  // Dented.
    corners((10, 10), (50, 50), (50, 10), (10, 50)),  // Crossed.
    corners((10, 10), (10, 50), (50, 50), (50, 10)),  // Counter-clockwise.
    corners((10, 10), (30, 10), (50, 10), (10, 50)),  // A triangle.
    corners((10, 10), (10, 10), (50, 50), (10, 50)),
    corners((10, 10), (10.5, 10), (10.5, 10.5), (10, 10.5)),
    corners((.nan, 10), (50, 10), (50, 50), (10, 50)),
    corners((10, 10), (50, .infinity), (50, 50), (10, 50)),
    corners((10, 10), (1e300, 10), (50, 50), (10, 50)),
    corners((-1e6, -1e6), (1e6, -1e6), (1e6, 1e6), (-1e6, 1e6)),
  ]

  @Test("Corners that span no picture are refused", arguments: malformed)
  func refused(corners: [vf_point]) throws {
    let source = try Picture(VF_I420, 60, 60)
    #expect(code { _ = try source.rectified(corners, 20, 20) } == EINVAL)
  }

  @Test("A size out of range is refused", arguments: [(0, 9), (9, 0), (65501, 9)])
  func refusedSizes(width: Int, height: Int) throws {
    let source = try Picture(VF_I420, 60, 60)
    #expect(
      code { _ = try source.rectified(Self.rectangle(0, 0, 60, 60), width, height) } == EINVAL)
  }

  @Test(
    "A quadrilateral's own size is the longer of its opposite sides",
    arguments: [
      (corners((0, 0), (30, 40), (0, 80), (-30, 40)), 50, 50),
      (corners((0, 0), (100, 0), (110, 60), (0, 50)), 110, 61),
      (corners((0, 0), (0, 0), (0, 0), (0, 0)), 1, 1),
      (corners((0, 0), (1e9, 0), (1e9, 1e9), (0, 1e9)), 65500, 65500),
      (corners((0, 0), (.nan, 0), (10, 10), (0, 10)), 0, 0),
    ] as [([vf_point], UInt32, UInt32)])
  func size(corners: [vf_point], width: UInt32, height: UInt32) {
    var size = (UInt32(7), UInt32(7))
    vf_quadrilateral_size(corners, &size.0, &size.1)
    #expect(size == (width, height))
  }
}

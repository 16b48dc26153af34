import CViewfinder
import Foundation
import Testing

@Suite("Cropping and scaling images") struct ImageCropTests {
  static let offsets = [0, 1, 2, 3, 4, 5, 6, 7]

  /// A picture whose every sample tells where its centre lies.
  static func ramp(_ layout: Layout, _ width: Int, _ height: Int, x left: Int = 0, y top: Int = 0)
    throws -> Picture
  {
    let shifts = vf_layout_find(layout.fourcc)!.pointee
    return try Picture(layout.fourcc, width, height) { plane, x, y in
      let isChroma = plane == 1 || plane == 2
      let (sx, sy) = isChroma ? (shifts.chroma_shift_x, shifts.chroma_shift_y) : (0, 0)
      // Twice the centre, so that it is whole; then twice that, for weight.
      let centreX = 2 * left + (2 * x + 1) << sx, centreY = 2 * top + (2 * y + 1) << sy
      return plane == 2 ? 255 - 2 * centreX : centreX + 2 * centreY
    }
  }

  @Test("A crop at any offset holds the same picture", arguments: Layout.planar, offsets)
  func anyOffset(layout: Layout, x: Int) throws {
    let picture = try Self.ramp(layout, 40, 32)
    for y in Self.offsets {
      for (width, height) in [(12, 12), (13, 11)] {
        let cropped = try picture.cropped(4 + x, 4 + y, width, height)
        let expected = try Self.ramp(layout, width, height, x: 4 + x, y: 4 + y)
        #expect(cropped.image.fourcc == layout.fourcc)
        #expect(cropped.bytes(ofPlane: 0) == expected.bytes(ofPlane: 0))
        for (a, b) in zip(cropped.samples, expected.samples) { #expect(distance(a, b) <= 1) }
      }
    }
  }

  @Test("A crop of any layout is the crop of its planes", arguments: Layout.all)
  func anyLayout(layout: Layout) throws {
    let picture = try ImageConversionTests.gradient(19, 13).converted(to: layout.fourcc)
    let planes = try picture.planar()
    for (x, y, width, height) in [(0, 0, 19, 13), (3, 2, 5, 7), (18, 12, 1, 1), (7, 5, 12, 8)] {
      let (a, b) = (
        try picture.cropped(x, y, width, height), try planes.cropped(x, y, width, height)
      )
      #expect(a.samples == b.samples)
    }
  }

  @Test(
    "A rectangle outside the picture is refused",
    arguments: [
      (0, 0, 9, 8), (0, 0, 8, 9), (8, 0, 1, 1), (1, 0, 8, 8), (0, 0, 0, 1), (0, 0, 1, 0),
      (4_294_967_295, 0, 2, 2), (1, 1, 4_294_967_295, 4_294_967_295),
    ])
  func outside(x: Int, y: Int, width: Int, height: Int) throws {
    let picture = try Picture(VF_I420, 8, 8)
    #expect(code { _ = try picture.cropped(x, y, width, height) } == EINVAL)
  }

  @Test("Shrinking averages areas exactly")
  func areaAverage() throws {
    let picture = try Picture(VF_GREY, 6, 4) { _, x, y in [10, 20, 30, 40, 50, 60][x] + 2 * y }
    #expect(try picture.scaled(3, 2).bytes(ofPlane: 0) == [16, 36, 56, 20, 40, 60])
    #expect(try picture.scaled(1, 1).bytes(ofPlane: 0) == [38])
    // 6 over 4: each result takes one sample and a half.
    let row = try Picture(VF_GREY, 6, 1) { _, x, _ in [0, 90, 30, 60, 0, 240][x] }
    #expect(try row.scaled(4, 1).bytes(ofPlane: 0) == [30, 50, 40, 160])
  }

  @Test(
    "A fine checker shrinks to plain grey", arguments: [(100, 75), (64, 48), (200, 150), (7, 5)])
  func noMoire(width: Int, height: Int) throws {
    let checker = try Picture(VF_GREY, 400, 300) { _, x, y in (x + y) % 2 * 255 }
    let result = try checker.scaled(width, height)
    #expect((result.width, result.height) == (width, height))
    #expect(distance(result.bytes(ofPlane: 0), Array(repeating: 128, count: width * height)) <= 8)
  }

  @Test("A plain picture stays as it is at any size", arguments: Layout.planar)
  func plainPicture(layout: Layout) throws {
    let picture = try Picture(layout.fourcc, 31, 17) { plane, _, _ in [200, 90, 255, 7][plane] }
    for (width, height) in [(1, 1), (7, 40), (31, 17), (100, 3), (333, 222)] {
      let result = try picture.scaled(width, height)
      for (plane, samples) in result.samples.enumerated() {
        #expect(samples.allSatisfy { Int($0) == [200, 90, 255][plane] })
      }
    }
  }

  @Test("Growing keeps a ramp in place", arguments: [VF_I444, VF_I420].map(Layout.init))
  func growing(layout: Layout) throws {
    let picture = try Self.ramp(layout, 32, 24)
    let result = try picture.scaled(64, 48)
    for plane in 0..<3 {
      let (columns, rows) = result.size(ofPlane: plane)
      for y in 8..<rows - 8 {
        for x in 8..<columns - 8 {
          // Twice as large: a sample lies a quarter of the way between two of the source's.
          let near = Int(picture[plane, x / 2, y / 2])
          #expect(abs(Int(result[plane, x, y]) - near) <= (plane == 0 ? 2 : 4))
        }
      }
    }
    #expect(distance(try result.scaled(32, 24).bytes(ofPlane: 0), picture.bytes(ofPlane: 0)) <= 2)
  }

  @Test("A size out of range is refused", arguments: [(0, 4), (4, 0), (65501, 4)])
  func refusedSizes(width: Int, height: Int) throws {
    let picture = try Picture(VF_I420, 8, 8)
    #expect(code { _ = try picture.scaled(width, height) } == EINVAL)
  }
}

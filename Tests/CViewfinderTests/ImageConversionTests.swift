import CViewfinder
import Foundation
import Testing

@Suite("Image conversions") struct ImageConversionTests {
  /// A smooth picture with colour that every layout can hold.
  static func gradient(_ width: Int, _ height: Int) throws -> Picture {
    try Picture(VF_I444, width, height) { plane, x, y in
      [40 + 2 * x + y, 90 + x + y, 160 - x - y][plane]
    }
  }

  @Test(
    "RGB turns into the YCbCr of BT.601",
    arguments: [
      ([255, 255, 255], [255, 128, 128]), ([0, 0, 0], [0, 128, 128]),
      ([255, 0, 0], [76, 85, 255]),
      ([0, 255, 0], [150, 44, 21]), ([0, 0, 255], [29, 255, 107]),
      ([128, 128, 128], [128, 128, 128]),
    ] as [([UInt8], [UInt8])])
  func knownColours(rgb: [UInt8], ycc: [UInt8]) throws {
    let picture = try Picture(viewing: rgb, VF_RGB24, 1, 1)
    let planar = try picture.planar()
    #expect(planar.image.fourcc == VF_I444)
    #expect(planar.samples == ycc.map { [$0] })
    #expect(distance(try planar.rgb().bytes(ofPlane: 0), rgb) <= 1)
  }

  @Test("Every colour survives the way to planes and back within 2")
  func coloursRoundTrip() throws {
    let levels: [UInt8] = [0, 1, 17, 64, 100, 128, 200, 254, 255]
    let pixels = levels.flatMap { r in levels.flatMap { g in levels.flatMap { b in [r, g, b] } } }
    let picture = try Picture(viewing: pixels, VF_RGB24, 27, 27)
    #expect(distance(try picture.planar().rgb().bytes(ofPlane: 0), pixels) <= 2)
  }

  @Test("RGB layouts turn into one another without loss", arguments: Layout.rgb, Layout.rgb)
  func rgbIsExact(from: Layout, to: Layout) throws {
    let picture = try Picture(viewing: Noise.bytes(7 * 5 * 3), VF_RGB24, 7, 5)
    let there = try picture.converted(to: from.fourcc).converted(to: to.fourcc)
    #expect(try there.converted(to: VF_RGB24).samples == picture.samples)
  }

  @Test("Limited range is stretched to the full one")
  func limitedRange() throws {
    let picture = try Picture(VF_I444, 5, 1) { plane, x, _ in
      plane == 0 ? [0, 16, 126, 235, 255][x] : [0, 16, 128, 184, 255][x]
    }
    picture.image.limited_range = 1
    let planar = try picture.planar()
    #expect(planar.image.limited_range == 0)
    #expect(planar.bytes(ofPlane: 0) == [0, 0, 128, 255, 255])
    #expect(distance(planar.bytes(ofPlane: 1), [0, 0, 128, 192, 255]) <= 1)
    // Cropping and turning give full range too.
    #expect(try picture.cropped(1, 0, 3, 1).bytes(ofPlane: 0) == [0, 128, 255])
    #expect(try picture.oriented(2).bytes(ofPlane: 0) == [255, 255, 128, 0, 0])
  }

  @Test("A picture's planes keep its samples exactly", arguments: Layout.all)
  func planesAreExact(layout: Layout) throws {
    for (width, height) in [(1, 1), (5, 3), (8, 6), (67, 9)] {
      let planar = try Self.gradient(width, height).converted(to: layout.fourcc).planar()
      let again = try planar.converted(to: layout.fourcc).planar()
      #expect(again.image.fourcc == planar.image.fourcc)
      // RGB rounds; everything else only moves samples.
      let isRGB = layout.testDescription.contains("RGB") || layout.testDescription.contains("BGR")
      for (a, b) in zip(again.samples, planar.samples) {
        #expect(distance(a, b) <= (isRGB ? 2 : 0))
      }
    }
  }

  @Test("A smooth picture survives any pair of layouts", arguments: Layout.all, Layout.all)
  func roundTrips(from: Layout, to: Layout) throws {
    let picture = try Self.gradient(21, 14)
    let result = try picture.converted(to: from.fourcc).converted(to: to.fourcc)
      .converted(to: VF_I444)
    #expect(distance(result.bytes(ofPlane: 0), picture.bytes(ofPlane: 0)) <= 4)
    guard from.fourcc != VF_GREY, to.fourcc != VF_GREY else {
      #expect(result.bytes(ofPlane: 1).allSatisfy { (127...129).contains($0) })
      return
    }
    // Chroma gets lost only at the edges, where coarse samples reach beyond the picture.
    for y in 4..<10 {
      for x in 4..<16 {
        #expect(abs(Int(result[1, x, y]) - Int(picture[1, x, y])) <= 4)
      }
    }
  }

  @Test("Chroma is interpolated with weights of 3 to 1")
  func fancyUpsampling() throws {
    let picture = try Picture(VF_I422, 6, 1) { plane, x, _ in plane == 1 ? [0, 80, 160][x] : 128 }
    let result = try picture.converted(to: VF_I444)
    #expect(result.bytes(ofPlane: 1) == [0, 20, 60, 100, 140, 160])
  }

  @Test("Chroma is averaged where it gets coarser")
  func averaging() throws {
    let picture = try Picture(VF_I444, 4, 2) { plane, x, y in
      plane == 1 ? [[0, 10, 100, 100], [20, 30, 100, 101]][y][x] : 0
    }
    #expect(try picture.converted(to: VF_I420).bytes(ofPlane: 1) == [15, 100])
  }

  @Test("Alpha comes along", arguments: [VF_I420, VF_YUYV, VF_NV12, VF_RGBA32, VF_BGRA32])
  func alpha(fourcc: UInt32) throws {
    let bytes = Noise.bytes(6 * 4 * 4)
    let alpha = fourth(bytes)
    let picture = try Picture(viewing: bytes, VF_RGBA32, 6, 4).converted(to: fourcc)
    #expect(try picture.planar().bytes(ofPlane: 3) == alpha)
    let rgb = try picture.rgb()
    #expect(rgb.image.fourcc == VF_RGBA32)
    #expect(fourth(rgb.bytes(ofPlane: 0)) == alpha)
  }

  /// Every fourth byte: the alpha of RGBA32.
  private func fourth(_ bytes: [UInt8]) -> [UInt8] {
    stride(from: 3, to: bytes.count, by: 4).map { bytes[$0] }
  }
}

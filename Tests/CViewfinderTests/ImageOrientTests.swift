import CViewfinder
import Foundation
import Testing

@Suite("Turning images upright") struct ImageOrientTests {
  /// Each orientation, and the one that undoes it.
  static let inverses = [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 8), (7, 7), (8, 6)]

  @Test(
    "Each EXIF orientation turns a marked picture as the standard says",
    arguments: [
      (1, [1, 2, 3, 4, 5, 6]), (2, [3, 2, 1, 6, 5, 4]), (3, [6, 5, 4, 3, 2, 1]),
      (4, [4, 5, 6, 1, 2, 3]), (5, [1, 4, 2, 5, 3, 6]), (6, [4, 1, 5, 2, 6, 3]),
      (7, [6, 3, 5, 2, 4, 1]), (8, [3, 6, 2, 5, 1, 4]),
    ] as [(Int, [UInt8])])
  func markedPicture(orientation: Int, expected: [UInt8]) throws {
    let picture = try Picture(VF_GREY, 3, 2) { _, x, y in 1 + x + 3 * y }
    let upright = try picture.oriented(orientation)
    #expect((upright.width, upright.height) == (orientation < 5 ? (3, 2) : (2, 3)))
    #expect(upright.bytes(ofPlane: 0) == expected)
  }

  @Test(
    "Points go where pixels go", arguments: 1...8, [VF_I444, VF_I420, VF_I422].map(Layout.init))
  func points(orientation: Int, layout: Layout) throws {
    let picture = try Picture(layout.fourcc, 16, 12, alpha: true) { plane, x, y in
      (x * 11 + y * 37 + plane * 5) % 256
    }
    let upright = try picture.oriented(orientation)
    for plane in 0..<4 {
      let (columns, rows) = picture.size(ofPlane: plane)
      let (uprightColumns, uprightRows) = upright.size(ofPlane: plane)
      for y in 0..<rows {
        for x in 0..<columns {
          let centre = vf_point(
            x: (Double(x) + 0.5) * 16 / Double(columns), y: (Double(y) + 0.5) * 12 / Double(rows))
          let point = vf_orient_point(centre, 16, 12, UInt32(orientation))
          let there = (
            Int(point.x * Double(uprightColumns) / Double(upright.width)),
            Int(point.y * Double(uprightRows) / Double(upright.height))
          )
          #expect(upright[plane, there.0, there.1] == picture[plane, x, y])
        }
      }
    }
  }

  @Test("A part of the upright picture is a part of the stored one", arguments: 1...8)
  func rectangles(orientation: Int) throws {
    let picture = try Picture(VF_I444, 17, 11) { plane, x, y in (x * 11 + y * 37 + plane) % 256 }
    let upright = try picture.oriented(orientation)
    let part = vf_rectangle(x: 2, y: 3, width: 5, height: 7)
    let stored = vf_stored_rectangle(part, 17, 11, UInt32(orientation))
    let turned = try picture.cropped(
      Int(stored.x), Int(stored.y), Int(stored.width), Int(stored.height)
    ).oriented(orientation)
    #expect(try upright.cropped(2, 3, 5, 7).samples == turned.samples)
  }

  @Test("The inverse turns back exactly", arguments: inverses, Layout.planar)
  func inverse(orientations: (Int, Int), layout: Layout) throws {
    let picture = try Picture(layout.fourcc, 48, 32) { plane, x, y in (x * 5 + y * 3 + plane) % 256
    }
    let back = try picture.oriented(orientations.0).oriented(orientations.1)
    if layout.fourcc == VF_I411 && orientations.0 > 4 {
      #expect(back.image.fourcc == VF_I444)
      #expect(back.bytes(ofPlane: 0) == picture.bytes(ofPlane: 0))
    } else {
      #expect(back.image.fourcc == layout.fourcc)
      #expect(back.samples == picture.samples)
    }
  }

  @Test("Turning by a quarter exchanges the subsampling", arguments: 5...8)
  func subsampling(orientation: Int) throws {
    for (from, to) in [
      (VF_I422, VF_I440), (VF_I440, VF_I422), (VF_I420, VF_I420), (VF_YUYV, VF_I440),
    ] {
      #expect(try Picture(from, 8, 6).oriented(orientation).image.fourcc == to)
    }
  }

  @Test("Chroma stays in place when odd sizes are turned", arguments: 1...8)
  func oddSizes(orientation: Int) throws {
    let layout = Layout(VF_I420)
    let upright = try ImageCropTests.ramp(layout, 15, 13).oriented(orientation)
    let reference = try ImageCropTests.ramp(Layout(VF_I444), 15, 13).oriented(orientation)
    let full = try upright.converted(to: VF_I444)
    #expect(full.bytes(ofPlane: 0) == reference.bytes(ofPlane: 0))
    for y in 3..<full.height - 3 {
      for x in 3..<full.width - 3 {
        #expect(abs(Int(full[2, x, y]) - Int(reference[2, x, y])) <= 2)
      }
    }
  }

  @Test("Other orientations are refused", arguments: [0, 9, 65535])
  func refused(orientation: Int) throws {
    let picture = try Picture(VF_I420, 8, 8)
    #expect(code { _ = try picture.oriented(orientation) } == EINVAL)
  }
}

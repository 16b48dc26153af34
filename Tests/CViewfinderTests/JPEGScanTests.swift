import CViewfinder
import Foundation
import Testing

/// The encoder writes scans by itself; libjpeg, of which it takes nothing but the tables, says what is
/// right.
@Suite("JPEG scans") struct JPEGScanTests {
  private static let planar = [VF_GREY, VF_I420, VF_I422, VF_I440, VF_I411, VF_I444]

  /// From the first table on.
  private func tail(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    let start = bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDB } ?? 0
    return bytes[start...]
  }

  /// Whether the encoder makes libjpeg's bytes of a planar picture.
  private func isSame(
    _ picture: CodecPicture, quality: UInt8, restartsPerRow: UInt8 = 0
  ) throws -> Bool {
    let ours = try JPEGEncoder().encode(picture, quality: quality, restartsPerRow: restartsPerRow)
    let interval = JPEG.inspect(ours).info.restart_interval
    let theirs = LibJPEG(quality: Int32(quality), restartInterval: UInt32(interval))
      .encode(picture)
    return tail(ours) == tail(theirs)
  }

  @Test(
    "A scan is libjpeg's, byte for byte, of every size around a block", arguments: planar)
  func sizes(fourcc: UInt32) throws {
    let lengths: [UInt32] = [1, 2, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 65]
    let scene = try CodecPicture.scene(VF_I444, 65, 65)
    for width in lengths {
      for height in lengths {
        let picture = try scene.cropped(x: 0, y: 0, width: width, height: height)
          .converted(to: fourcc)
        let isSame = try isSame(picture, quality: 85)
        #expect(isSame, "\(width) x \(height)")
      }
    }
  }

  @Test(
    "A scan is libjpeg's at every quality, of noise, of flat pictures and with restart markers",
    arguments: planar)
  func contents(fourcc: UInt32) throws {
    var generator = SplitMix(state: 11)
    for (round, quality) in [1, 10, 33, 50, 75, 80, 90, 95, 99, 100].enumerated() {
      let picture = try CodecPicture(fourcc, 203, 121)
      let kinds: [(inout SplitMix) -> UInt8] = [
        { UInt8.random(in: 0...255, using: &$0) },
        { UInt8.random(in: 0...1, using: &$0) * 255 },
        { UInt8.random(in: 100...103, using: &$0) },
        { _ in 255 },
      ]
      for (kind, sample) in kinds.enumerated() {
        picture.fill { sample(&generator) }
        for restarts in [0, UInt8(1 + round)] {
          let isSame = try isSame(
            picture, quality: UInt8(quality), restartsPerRow: restarts)
          #expect(isSame, "quality \(quality), kind \(kind), \(restarts) restarts")
        }
      }
    }
  }

  @Test("A scan with long runs of zeros is libjpeg's")
  func runs() throws {
    // A single cosine of each frequency: all coefficients but one are 0.
    let picture = try CodecPicture(VF_GREY, 64, 64)
    let plane = picture.image.planes.0
    for y in 0..<64 {
      for x in 0..<64 {
        let (u, v) = (Double(x / 8), Double(y / 8))
        let wave =
          cos((2 * Double(x % 8) + 1) * u * .pi / 16) * cos((2 * Double(y % 8) + 1) * v * .pi / 16)
        plane.data![y * plane.stride + x] = UInt8(128 + 100 * wave)
      }
    }
    for quality in [20, 50, 70, 90, 97] as [UInt8] {
      let isSame = try isSame(picture, quality: quality)
      #expect(isSame, "quality \(quality)")
    }
  }

  @Test(
    "Cameras' layouts become the bytes of the planes that they hold",
    arguments: [
      (VF_YUYV, VF_I422), (VF_UYVY, VF_I422), (VF_NV12, VF_I420), (VF_NV21, VF_I420),
    ])
  func packed(fourcc: UInt32, planes: UInt32) throws {
    for (width, height) in [(16, 8), (33, 17), (130, 100)] as [(UInt32, UInt32)] {
      let scene = try CodecPicture.scene(fourcc, width, height)
      let ours = try JPEGEncoder().encode(scene, quality: 80)
      let theirs = try LibJPEG(quality: 80).encode(scene.converted(to: planes))
      let isSame = tail(ours) == tail(theirs)
      #expect(isSame, "\(width) x \(height)")
    }
  }
}

extension CodecPicture {
  /// Sets each sample of a planar picture.
  fileprivate func fill(_ sample: () -> UInt8) {
    guard let layout = vf_layout_find(fourcc)?.pointee else { return }
    for (index, plane) in [image.planes.0, image.planes.1, image.planes.2].enumerated() {
      guard let data = plane.data else { continue }
      let (shiftX, shiftY) = index > 0 ? (layout.chroma_shift_x, layout.chroma_shift_y) : (0, 0)
      for y in 0..<Int((height + (1 << shiftY) - 1) >> shiftY) {
        for x in 0..<Int((width + (1 << shiftX) - 1) >> shiftX) {
          data[y * plane.stride + x] = sample()
        }
      }
    }
  }
}

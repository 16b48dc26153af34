import CViewfinder
import Foundation
import Testing

@Suite("Thumbnails of images") struct ImageThumbnailTests {
  private func thumbnail(
    _ picture: CodecPicture, _ width: UInt32, _ height: UInt32
  ) throws -> CodecPicture {
    var result = vf_image()
    try attempt { vf_image_thumbnail(&result, &picture.image, width, height, &$0) }
    return CodecPicture(result)
  }

  private func scaled(
    _ picture: CodecPicture, _ width: UInt32, _ height: UInt32
  ) throws -> CodecPicture {
    var result = vf_image()
    try attempt { vf_image_scale(&result, &picture.image, width, height, &$0) }
    return CodecPicture(result)
  }

  @Test(
    "A thumbnail of any layout is the picture made small", arguments: codecLayouts,
    [(320, 240, 40, 30), (333, 251, 44, 33), (643, 485, 63, 48)]
      as [(
        UInt32, UInt32, UInt32, UInt32
      )])
  func small(fourcc: UInt32, sizes: (UInt32, UInt32, UInt32, UInt32)) throws {
    let scene = try CodecPicture.scene(fourcc, sizes.0, sizes.1)
    for limitedRange in [0, 1] as [UInt8] {
      scene.image.limited_range = limitedRange
      let small = try thumbnail(scene, sizes.2, sizes.3)
      #expect(small.width == sizes.2 && small.height == sizes.3)
      #expect(small.image.limited_range == 0)
      // Coarse chroma must not become coarser on its way to the comparison.
      let whole = try scene.converted(to: fourcc == VF_GREY ? VF_GREY : VF_I444)
      let expected = try scaled(whole, sizes.2, sizes.3).converted(to: small.fourcc)
      for plane in 0..<3 where plane == 0 || small.fourcc != VF_GREY {
        let ratio = JPEG.psnr(small.samples(plane: plane), expected.samples(plane: plane))
        #expect(ratio > 30, "plane \(plane), range \(limitedRange)")
      }
    }
  }

  @Test(
    "Where a whole number of pixels makes one, it is their mean",
    arguments: [VF_YUYV, VF_UYVY, VF_NV12, VF_NV21, VF_I420, VF_I422, VF_I444, VF_GREY])
  func means(fourcc: UInt32) throws {
    let scene = try CodecPicture.scene(fourcc, 256, 192)
    let small = try thumbnail(scene, 32, 24)
    let expected = try scene.converted(to: fourcc == VF_GREY ? VF_GREY : VF_I444)
    let luma = expected.samples(plane: 0)
    let made = small.samples(plane: 0)
    for (x, y) in [(0, 0), (31, 0), (0, 23), (31, 23), (13, 7)] {
      var sum = 0
      for row in 0..<8 {
        for column in 0..<8 { sum += Int(luma[(8 * y + row) * 256 + 8 * x + column]) }
      }
      #expect(Int(made[y * 32 + x]) == (sum + 32) / 64, "pixel \(x), \(y)")
    }
    #expect(small.fourcc == (fourcc == VF_GREY ? VF_GREY : VF_I420))
  }

  @Test("White stays white however much of it there is", arguments: [VF_YUYV, VF_I444, VF_GREY])
  func white(fourcc: UInt32) throws {
    let scene = try CodecPicture(fourcc, 12_700, 254)
    for plane in [scene.image.planes.0, scene.image.planes.1, scene.image.planes.2] {
      guard let data = plane.data else { continue }
      memset(data, 255, 254 * plane.stride)
    }
    let small = try thumbnail(scene, 100, 2)
    let isWhite = small.samples.allSatisfy { $0 == 255 }
    #expect(isWhite)
  }

  @Test("What isn't much smaller is scaled, and nonsense refused")
  func others() throws {
    let scene = try CodecPicture.scene(VF_YUYV, 64, 48)
    let isScaled = try thumbnail(scene, 40, 30).samples == scaled(scene, 40, 30).samples
    #expect(isScaled)
    #expect(failureCode { _ = try thumbnail(CodecPicture(vf_image()), 4, 3) } == ENOTSUP)
    #expect(failureCode { _ = try thumbnail(scene, 0, 3) } != 0)
  }
}

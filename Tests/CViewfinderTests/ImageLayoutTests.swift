import CViewfinder
import Foundation
import Testing

@Suite("Image layouts and views") struct ImageLayoutTests {
  @Test(
    "A buffer is as large as V4L2 makes it",
    arguments: [
      (VF_YUYV, 4, 2, 0, 16), (VF_YUYV, 3, 1, 0, 8), (VF_UYVY, 4, 2, 16, 32),
      (VF_RGB24, 3, 2, 0, 18), (VF_BGRA32, 3, 2, 0, 24), (VF_GREY, 3, 2, 0, 6),
      (VF_NV12, 4, 4, 0, 24), (VF_NV12, 3, 3, 0, 17), (VF_NV21, 4, 2, 8, 24),
      (VF_I420, 3, 3, 0, 17), (VF_YV12, 4, 2, 8, 24), (VF_I422, 4, 2, 0, 16),
      (VF_I440, 4, 3, 0, 28), (VF_I411, 5, 1, 0, 9), (VF_I444, 3, 3, 0, 27),
    ] as [(UInt32, Int, Int, Int, Int)])
  func sizes(fourcc: UInt32, width: Int, height: Int, stride: Int, size: Int) {
    #expect(vf_image_size(fourcc, UInt32(width), UInt32(height), stride) == size)
  }

  @Test(
    "No size stands for what can't be",
    arguments: [
      (VF_MJPEG, 4, 4, 0), (0, 4, 4, 0), (VF_YUYV, 0, 4, 0), (VF_YUYV, 4, 0, 0),
      (VF_YUYV, 65501, 1, 0), (VF_YUYV, 4, 2, 7), (VF_GREY, 4, 65500, Int.max),
    ] as [(UInt32, UInt32, UInt32, Int)])
  func noSize(fourcc: UInt32, width: UInt32, height: UInt32, stride: Int) {
    #expect(vf_image_size(fourcc, width, height, stride) == 0)
  }

  @Test("A view takes a whole buffer and refuses one that is a byte short", arguments: Layout.all)
  func shortBuffers(layout: Layout) throws {
    for (width, height) in [(1, 1), (2, 2), (3, 5), (16, 8), (33, 17)] {
      let size = vf_image_size(layout.fourcc, UInt32(width), UInt32(height), 0)
      let bytes = [UInt8](repeating: 1, count: size)
      _ = try Picture(viewing: bytes, layout.fourcc, width, height)
      #expect(
        code { _ = try Picture(viewing: bytes.dropLast(), layout.fourcc, width, height) } == EBADMSG
      )
    }
  }

  @Test("A view names an unknown layout, an impossible size and a stride that is too small")
  func refusedViews() {
    let bytes = [UInt8](repeating: 0, count: 64)
    #expect(code { _ = try Picture(viewing: bytes, VF_JPEG, 4, 4) } == ENOTSUP)
    #expect(code { _ = try Picture(viewing: bytes, VF_GREY, 0, 4) } == EINVAL)
    #expect(code { _ = try Picture(viewing: bytes, VF_GREY, 8, 4, stride: 7) } == EINVAL)
    #expect(code { _ = try Picture(viewing: bytes, VF_GREY, 8, 4, stride: .max) } == EINVAL)
  }

  @Test("Planes follow one another, Cr first in YV12")
  func placement() throws {
    let bytes = (0..<24).map(UInt8.init)  // 4 × 2 at a stride of 8.
    let picture = try Picture(viewing: bytes, VF_YV12, 4, 2, stride: 8)
    #expect(picture.bytes(ofPlane: 0) == [0, 1, 2, 3, 8, 9, 10, 11])
    #expect(picture.bytes(ofPlane: 2) == [16, 17])
    #expect(picture.bytes(ofPlane: 1) == [20, 21])
    let semiplanar = try Picture(viewing: bytes, VF_NV12, 4, 2, stride: 8)
    #expect(semiplanar.bytes(ofPlane: 1) == [16, 17, 18, 19])
  }

  @Test("A new image has aligned rows that don't overlap", arguments: Layout.all)
  func creation(layout: Layout) throws {
    let picture = try Picture(layout.fourcc, 33, 17, alpha: true) { plane, x, y in
      (plane * 59 + x * 7 + y * 13) % 256
    }
    for plane in 0..<4 where picture.plane(plane).data != nil {
      #expect(UInt(bitPattern: picture.plane(plane).data) % 64 == 0)
      #expect(picture.plane(plane).stride % 64 == 0)
      let (columns, rows) = picture.size(ofPlane: plane)
      let written = (0..<rows).flatMap { y in
        (0..<columns).map { x in UInt8((plane * 59 + x * 7 + y * 13) % 256) }
      }
      #expect(picture.bytes(ofPlane: plane) == written)
    }
  }

  @Test("Freeing twice is harmless")
  func freeing() throws {
    let picture = try Picture(VF_I420, 4, 4)
    vf_image_free(&picture.image)
    #expect(picture.image.storage == nil && picture.image.planes.0.data == nil)
    vf_image_free(&picture.image)
  }

  @Test("An image without its planes is refused")
  func missingPlanes() throws {
    let picture = try Picture(VF_I420, 4, 4)
    picture.image.planes.2.data = nil
    #expect(code { _ = try picture.planar() } == EINVAL)
    picture.image.planes.0.stride = 3
    #expect(code { _ = try picture.rgb() } == EINVAL)
  }

  @Test("The mean luma is that of a plain picture, whatever its layout", arguments: Layout.all)
  func luminance(layout: Layout) throws {
    let grey = try Picture(VF_GREY, 70, 3) { _, _, _ in 77 }
    let picture = try grey.converted(to: layout.fourcc)
    #expect(try abs(meanLuma(&picture.image) - 77) <= 1)
  }

  @Test("The mean luma weighs all parts of the picture alike, and knows limited range")
  func luminanceOfParts() throws {
    let picture = try Picture(VF_GREY, 400, 300) { _, x, _ in x < 100 ? 235 : 16 }
    picture.image.limited_range = 1
    #expect(try abs(meanLuma(&picture.image) - 255.0 / 4) < 0.5)
  }
}

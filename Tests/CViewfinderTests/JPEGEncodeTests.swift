import CViewfinder
import Foundation
import Testing

@Suite("JPEG encoder") struct JPEGEncodeTests {
  /// The layout that the decoder gives back for each one encoded as it is.
  static func stored(_ fourcc: UInt32) -> UInt32 {
    switch fourcc {
    case VF_YUYV, VF_UYVY, VF_I422: VF_I422
    case VF_I440, VF_I411, VF_I444, VF_GREY: fourcc
    default: VF_I420
    }
  }

  @Test("Every layout comes back as it is stored, and much like it was", arguments: codecLayouts)
  func roundTrip(fourcc: UInt32) throws {
    let scene = try CodecPicture.scene(fourcc, 176, 144)
    let bytes = try JPEGEncoder().encode(scene, quality: 95)
    let (picture, warnings) = try JPEG.decode(bytes)
    #expect(warnings == 0)
    #expect(JPEG.inspect(bytes).damage == nil)
    #expect(picture.fourcc == Self.stored(fourcc))
    let expected = try scene.converted(to: picture.fourcc)
    for plane in 0..<3 where plane == 0 || fourcc != VF_GREY {
      let ratio = JPEG.psnr(picture.samples(plane: plane), expected.samples(plane: plane))
      #expect(ratio > 38, "plane \(plane)")
    }
  }

  @Test(
    "A wanted subsampling is what is stored", arguments: codecLayouts, [444, 422, 420] as [UInt16])
  func subsampling(fourcc: UInt32, subsampling: UInt16) throws {
    let scene = try CodecPicture.scene(fourcc, 100, 76)
    let bytes = try JPEGEncoder().encode(scene, quality: 95, subsampling: subsampling)
    let picture = try JPEG.decode(bytes).picture
    let wanted =
      fourcc == VF_GREY ? VF_GREY : [444: VF_I444, 422: VF_I422, 420: VF_I420][subsampling]
    #expect(picture.fourcc == wanted)
    let expected = try scene.converted(to: picture.fourcc)
    for plane in 0..<3 where plane == 0 || fourcc != VF_GREY {
      #expect(
        JPEG.psnr(picture.samples(plane: plane), expected.samples(plane: plane)) > 33,
        "plane \(plane)")
    }
  }

  @Test("Sizes that fill no block are right up to the last pixel", arguments: codecLayouts)
  func oddSizes(fourcc: UInt32) throws {
    let encoder = try JPEGEncoder()
    for size in [
      (1, 1), (2, 1), (1, 2), (3, 3), (7, 5), (8, 8), (9, 17), (15, 16), (17, 17), (33, 31),
    ]
      as [(UInt32, UInt32)]
    {
      let scene = try CodecPicture.scene(fourcc, size.0, size.1)
      let picture = try JPEG.decode(encoder.encode(scene, quality: 100)).picture
      #expect(picture.width == size.0 && picture.height == size.1)
      let expected = try scene.converted(to: picture.fourcc)
      for plane in 0..<3 where plane == 0 || fourcc != VF_GREY {
        let ratio = JPEG.psnr(picture.samples(plane: plane), expected.samples(plane: plane))
        #expect(ratio > 40, "plane \(plane) of \(size)")
      }
    }
  }

  @Test("A width of 1366 pixels is encoded up to its edge", arguments: [VF_YUYV, VF_NV12, VF_I420])
  func widthThatIsNoMultiple(fourcc: UInt32) throws {
    let scene = try CodecPicture.scene(fourcc, 1366, 768)
    let picture = try JPEG.decode(JPEGEncoder().encode(scene, quality: 95)).picture
    let edge = try picture.cropped(x: 1350, y: 752, width: 16, height: 16)
    let expected = try scene.cropped(x: 1350, y: 752, width: 16, height: 16)
    for plane in 0..<3 {
      #expect(JPEG.psnr(edge.samples(plane: plane), expected.samples(plane: plane)) > 36)
    }
  }

  @Test("What lies past a row's end never shows", arguments: [VF_YUYV, VF_I422, VF_NV12, VF_GREY])
  func strideIsIgnored(fourcc: UInt32) throws {
    let scene = try CodecPicture.scene(fourcc, 37, 21)
    let first = try JPEGEncoder().encode(scene)
    // The rows are padded to 64 bytes; fill the padding with something else.
    for (plane, bytes) in zip(
      [scene.image.planes.0, scene.image.planes.1, scene.image.planes.2],
      fourcc == VF_YUYV ? [76, 0, 0] : fourcc == VF_NV12 ? [37, 38, 0] : [37, 19, 19])
    {
      guard let data = plane.data else { continue }
      let rows = fourcc == VF_NV12 && bytes == 38 ? 11 : 21
      for y in 0..<rows {
        for x in bytes..<plane.stride { data[y * plane.stride + x] = 255 }
      }
    }
    #expect(try JPEGEncoder().encode(scene) == first)
  }

  @Test(
    "Limited range is widened to the full one", arguments: [VF_YUYV, VF_NV12, VF_I420, VF_I444])
  func limitedRange(fourcc: UInt32) throws {
    let scene = try CodecPicture(fourcc, 64, 64)
    let white: UInt8 = 235, blue: UInt8 = 240
    for plane in [scene.image.planes.0, scene.image.planes.1, scene.image.planes.2] {
      guard let data = plane.data else { continue }
      let rows = data == scene.image.planes.0.data || fourcc == VF_I444 ? 64 : 32
      for i in 0..<(rows * plane.stride) {
        let isLuma = fourcc == VF_YUYV ? i % 2 == 0 : data == scene.image.planes.0.data
        data[i] = isLuma ? white : blue
      }
    }
    scene.image.limited_range = 1
    let picture = try JPEG.decode(JPEGEncoder().encode(scene, quality: 100)).picture
    #expect(picture.samples(plane: 0).allSatisfy { $0 >= 254 })
    #expect(picture.samples(plane: 1).allSatisfy { $0 >= 254 })
    #expect(picture.image.limited_range == 0)
  }

  @Test("An encoder that is used again gives what a new one gives")
  func reuse() throws {
    let encoder = try JPEGEncoder()
    for (fourcc, width, height, quality) in [
      (VF_YUYV, 64, 48, 80), (VF_YUYV, 64, 48, 80), (VF_YUYV, 64, 48, 30), (VF_RGB24, 64, 48, 30),
      (VF_GREY, 200, 100, 90), (VF_NV12, 16, 16, 90), (VF_I444, 320, 240, 100),
      (VF_YUYV, 64, 48, 80),
    ] as [(UInt32, UInt32, UInt32, UInt8)] {
      let scene = try CodecPicture.scene(fourcc, width, height)
      let again = try encoder.encode(scene, quality: quality)
      #expect(try JPEGEncoder().encode(scene, quality: quality) == again)
    }
  }

  @Test("An encoder works on after a call that failed")
  func reuseAfterFailure() throws {
    let encoder = try JPEGEncoder()
    let scene = try CodecPicture.scene(VF_YUYV, 64, 48)
    let first = try encoder.encode(scene)
    #expect(failureCode { _ = try encoder.encode(scene, quality: 0) } == EINVAL)
    #expect(try encoder.encode(scene) == first)
  }

  @Test("Noise at quality 100 is more than the first buffer holds, and still whole")
  func largeOutput() throws {
    let noise = try CodecPicture(VF_I444, 256, 256)
    var generator = SplitMix(state: 7)
    for plane in [noise.image.planes.0, noise.image.planes.1, noise.image.planes.2] {
      for i in 0..<(256 * plane.stride) {
        plane.data![i] = .random(in: 0...255, using: &generator)
      }
    }
    let bytes = try JPEGEncoder().encode(noise, quality: 100)
    #expect(bytes.count > 2 * (256 * 256 / 2 + 4096))
    #expect(JPEG.psnr(try JPEG.decode(bytes).picture.samples, noise.samples) > 40)
  }

  @Test(
    "Restart markers stand at the nearest number that divides a row's MCUs",
    arguments: [
      (1920, 12, 10), (1280, 12, 8), (640, 12, 4), (2032, 12, 127), (64, 12, 1), (1920, 0, 0),
      (1920, 1, 120), (8, 12, 1),
    ] as [(UInt32, UInt8, UInt16)])
  func restartGrid(width: UInt32, restarts: UInt8, interval: UInt16) throws {
    let scene = try CodecPicture.scene(VF_YUYV, width, 24)
    let encoder = try JPEGEncoder()
    let bytes = try encoder.encode(scene, restartsPerRow: restarts)
    let (damage, info) = JPEG.inspect(bytes)
    #expect(damage == nil)
    #expect(info.restart_interval == interval)
    #expect(
      try JPEG.decode(bytes).picture.samples == JPEG.decode(encoder.encode(scene)).picture.samples)
  }

  @Test("The resolution is in the JFIF header")
  func density() throws {
    let scene = try CodecPicture.scene(VF_GREY, 8, 8)
    let jfif = JPEG.segments(try JPEGEncoder().encode(scene, dotsPerInch: 300))[0]
    #expect(jfif.marker == 0xE0)
    #expect(Array(jfif.payload[7..<12]) == [1, 1, 44, 1, 44])
    let plain = JPEG.segments(try JPEGEncoder().encode(scene))[0]
    #expect(Array(plain.payload[7..<12]) == [0, 0, 1, 0, 1])
  }

  @Test("Metadata stand where rewriting the picture would put them", arguments: codecLayouts)
  func segments(fourcc: UInt32) throws {
    let scene = try CodecPicture.scene(fourcc, 64, 48)
    let segments: [JPEG.Segment] = [
      (0xE1, Array("Exif\0\0II*\0".utf8)), (0xFE, Array("a comment".utf8)), (0xEF, []),
    ]
    let encoder = try JPEGEncoder()
    let plain = try encoder.encode(scene, restartsPerRow: 4, dotsPerInch: 300)
    let told = try encoder.encode(
      scene, restartsPerRow: 4, dotsPerInch: 300, segments: segments)
    #expect(JPEG.segments(told).prefix(4).map(\.marker) == [0xE1, 0xFE, 0xEF, 0xE0])
    #expect(try told == JPEG.rewrite(plain, segments: segments))
    #expect(failureCode { _ = try encoder.encode(scene, segments: [(0xDB, [1])]) } == EINVAL)
    let long = Array(repeating: UInt8(0), count: 65_534)
    #expect(failureCode { _ = try encoder.encode(scene, segments: [(0xFE, long)]) } == EINVAL)
  }

  @Test("A result that is taken out holds while the encoder works on")
  func taken() throws {
    let scenes = try [64, 320].map { try CodecPicture.scene(VF_YUYV, $0, 48) }
    let encoder = try JPEGEncoder()
    #expect(encoder.take().bytes == nil, "nothing was made")
    let first = try encoder.encode(scenes[0])
    var taken = encoder.take()
    #expect(encoder.take().bytes == nil, "once")
    let second = try encoder.encode(scenes[1])
    #expect(collect(&taken) == first)
    #expect(try second == JPEGEncoder().encode(scenes[1]))
    _ = try? encoder.encode(scenes[0], quality: 0)
    #expect(encoder.take().bytes == nil, "a call that failed has no result")
  }

  @Test("Arguments out of range are refused")
  func invalidArguments() throws {
    let encoder = try JPEGEncoder()
    let scene = try CodecPicture.scene(VF_YUYV, 16, 16)
    #expect(failureCode { _ = try encoder.encode(scene, quality: 101) } == EINVAL)
    #expect(failureCode { _ = try encoder.encode(scene, subsampling: 411) } == EINVAL)
    #expect(failureCode { _ = try encoder.encode(CodecPicture(vf_image())) } == ENOTSUP)
    let view = CodecPicture(scene.image)
    view.image.storage = nil
    view.image.planes.0.stride = 31
    #expect(failureCode { _ = try encoder.encode(view) } == EINVAL)
    view.image.planes.0 = vf_plane()
    #expect(failureCode { _ = try encoder.encode(view) } == EINVAL)
  }
}

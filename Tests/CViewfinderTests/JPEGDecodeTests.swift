import CViewfinder
import Foundation
import Testing

@Suite("JPEG decoder") struct JPEGDecodeTests {
  static let planar = [VF_GREY, VF_I420, VF_I422, VF_I440, VF_I411, VF_I444]

  @Test(
    "A scaled picture has the size rounded up and looks the same", arguments: planar,
    [1, 2, 4] as [UInt8])
  func scaled(fourcc: UInt32, scale: UInt8) throws {
    let scene = try CodecPicture.scene(fourcc, 203, 157)
    let picture = try JPEG.decode(JPEGEncoder().encode(scene, quality: 95), scale: scale).picture
    #expect(picture.width == (203 * UInt32(scale) + 7) / 8)
    #expect(picture.height == (157 * UInt32(scale) + 7) / 8)
    var expected = vf_image()
    try attempt { vf_image_scale(&expected, &scene.image, picture.width, picture.height, &$0) }
    let small = try CodecPicture(expected).converted(to: picture.fourcc)
    for plane in 0..<3 where plane == 0 || fourcc != VF_GREY {
      #expect(
        JPEG.psnr(picture.samples(plane: plane), small.samples(plane: plane)) > 24, "\(plane)")
    }
  }

  @Test("A part is exactly what a crop of the whole is", arguments: planar)
  func parts(fourcc: UInt32) throws {
    let bytes = try JPEGEncoder().encode(CodecPicture.scene(fourcc, 149, 131), quality: 90)
    let whole = try JPEG.decode(bytes).picture
    for part in [
      (0, 0, 149, 131), (0, 0, 1, 1), (148, 130, 1, 1), (16, 32, 48, 16), (17, 33, 47, 15),
      (1, 0, 100, 100), (0, 1, 100, 100), (63, 64, 65, 66), (3, 90, 146, 41), (40, 50, 21, 1),
    ] as [(x: UInt32, y: UInt32, width: UInt32, height: UInt32)] {
      let picture = try JPEG.decode(bytes, part: part).picture
      let expected = try whole.cropped(x: part.x, y: part.y, width: part.width, height: part.height)
      #expect(picture.fourcc == expected.fourcc)
      #expect(picture.samples == expected.samples, "\(part)")
    }
  }

  @Test(
    "A part that isn't inside the picture is refused",
    arguments: [
      (100, 0, 1, 1), (0, 50, 1, 1), (99, 0, 2, 1), (0, 49, 1, 2), (0, 0, 1, 0),
      (.max, .max, .max, .max), (1, 1, .max, .max),
    ] as [(UInt32, UInt32, UInt32, UInt32)])
  func partOutside(x: UInt32, y: UInt32, width: UInt32, height: UInt32) throws {
    let bytes = try JPEGEncoder().encode(CodecPicture.scene(VF_I420, 100, 50))
    #expect(failureCode { _ = try JPEG.decode(bytes, part: (x, y, width, height)) } == EINVAL)
  }

  @Test("Scales that aren't eighths are refused")
  func invalidScale() throws {
    let bytes = try JPEGEncoder().encode(CodecPicture.scene(VF_I420, 100, 50))
    #expect(failureCode { _ = try JPEG.decode(bytes, scale: 3) } == EINVAL)
  }

  @Test(
    "A part of a scaled picture is exactly what a crop of the scaled whole is", arguments: planar,
    [1, 2, 4] as [UInt8])
  func scaledParts(fourcc: UInt32, scale: UInt8) throws {
    for restarts in [0, 12] as [UInt8] {
      let bytes = try JPEGEncoder().encode(
        CodecPicture.scene(fourcc, 349, 331), quality: 90, restartsPerRow: restarts)
      let whole = try JPEG.decode(bytes, scale: scale).picture
      for (x, y, width, height) in [(0, 0, 9, 7), (5, 3, 20, 17), (11, 8, 30, 33)]
        as [(
          UInt32, UInt32, UInt32, UInt32
        )]
      {
        let part = try JPEG.decode(bytes, scale: scale, part: (x, y, width, height)).picture
        let crop = try whole.cropped(x: x, y: y, width: width, height: height)
        let isSame = part.samples == crop.samples
        #expect(part.fourcc == crop.fourcc && isSame)
      }
    }
  }

  @Test(
    "A scaled picture can keep its chroma as coarse as it is stored, in one scan or several",
    arguments: [false, true], [1, 2, 4] as [UInt8])
  func keepsSubsampling(isProgressive: Bool, scale: UInt8) throws {
    let bytes = LibJPEG(isProgressive: isProgressive).encode(LibJPEG.noise(333, 201), 333, 201)
    let finer = try JPEG.decode(bytes, scale: scale).picture
    let kept = try JPEG.decode(bytes, scale: scale, keepsSubsampling: true).picture
    let isSameLuma = kept.samples(plane: 0) == finer.samples(plane: 0)
    #expect(finer.fourcc == VF_I444 && kept.fourcc == VF_I420 && isSameLuma)
    let averaged = try finer.converted(to: VF_I420)
    #expect(JPEG.psnr(kept.samples(plane: 1), averaged.samples(plane: 1)) > 25)
  }

  @Test("Pictures past the pixel limit fail before memory is taken")
  func pixelLimit() throws {
    let bytes = try JPEGEncoder().encode(CodecPicture.scene(VF_I420, 100, 50))
    #expect(failureCode { _ = try JPEG.decode(bytes, pixelLimit: 4999) } == EFBIG)
    #expect(failureCode { _ = try JPEG.decode(bytes, pixelLimit: 5000) } == 0)
    // A frame header that claims 65 500 pixels each way.
    var huge = bytes
    let frame = try #require(huge.indices.first { huge[$0] == 0xFF && huge[$0 + 1] == 0xC0 })
    huge.replaceSubrange((frame + 5)..<(frame + 9), with: [0xFF, 0xDC, 0xFF, 0xDC])
    #expect(failureCode { _ = try JPEG.decode(huge) } == EFBIG)
  }

  @Test("Missing Huffman tables are no obstacle")
  func missingTables() throws {
    let bytes = try JPEGEncoder().encode(CodecPicture.scene(VF_YUYV, 64, 48))
    let bare = JPEG.removing(0xC4, from: bytes)
    #expect(bare.count < bytes.count)
    let (picture, warnings) = try JPEG.decode(bare)
    #expect(warnings == 0)
    #expect(try picture.samples == JPEG.decode(bytes).picture.samples)
  }

  @Test("Of data cut short, what is there is decoded and a warning is counted")
  func cutShort() throws {
    let bytes = try JPEGEncoder().encode(CodecPicture.scene(VF_I420, 160, 160), quality: 90)
    let whole = try JPEG.decode(bytes).picture
    let (picture, warnings) = try JPEG.decode(Array(bytes[..<(bytes.count * 3 / 4)]))
    #expect(warnings > 0)
    let top = 160 * 80
    #expect(picture.samples(plane: 0)[..<top] == whole.samples(plane: 0)[..<top])
    #expect(picture.samples(plane: 0) != whole.samples(plane: 0))
  }

  @Test(
    "Data that is no picture fails, with words",
    arguments: [
      [], [0xFF], [0xFF, 0xD8], [1, 2, 3, 4],
      [0xFF, 0xD8, 0xFF, 0xD9],
    ] as [[UInt8]])
  func noPicture(bytes: [UInt8]) {
    do {
      _ = try JPEG.decode(bytes)
      Issue.record("decoded")
    } catch let failure as CodecFailure {
      #expect(failure.code == EBADMSG)
      #expect(failure.description.hasPrefix("JPEG decoder: "))
    } catch { Issue.record(error) }
  }

  @Test("A progressive file with thousands of scans is given up")
  func manyScans() throws {
    // One grey 8 × 8 block, whose DC coefficient is refined over and over.
    var bytes = try JPEGEncoder().encode(CodecPicture.scene(VF_GREY, 8, 8))
    let frame = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
    bytes[frame + 1] = 0xC2
    bytes.removeLast(JPEG.scan(bytes).count)
    let first: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0, 0x0D, 0x00]
    let refinement: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0, 0x10, 0x80]
    let few = bytes + first + Array(repeating: refinement, count: 10).joined() + [0xFF, 0xD9]
    let many = bytes + first + Array(repeating: refinement, count: 5000).joined() + [0xFF, 0xD9]
    #expect(failureCode { _ = try JPEG.decode(few) } == 0)
    #expect(failureCode { _ = try JPEG.decode(many) } == EBADMSG)
  }

  @Test("Cut at every byte, a picture is decoded or refused, and never crashes")
  func cutAnywhere() throws {
    let bytes = try JPEGEncoder().encode(
      CodecPicture.scene(VF_YUYV, 40, 24), quality: 50, restartsPerRow: 12)
    for count in 0..<bytes.count {
      let part = Array(bytes[..<count])
      _ = JPEG.inspect(part)
      let decoded = try? JPEG.decode(part)
      #expect(decoded == nil || (decoded!.picture.width == 40 && decoded!.picture.height == 24))
      if let rewritten = try? JPEG.rewrite(part) {
        #expect(rewritten.suffix(2) == [0xFF, 0xD9])
        #expect(decoded != nil, "a picture that can be rewritten can be decoded")
      }
    }
  }

  @Test("Damaged bytes never crash it", arguments: planar)
  func damagedBytes(fourcc: UInt32) throws {
    var generator = SplitMix(state: UInt64(fourcc))
    let bytes = try JPEGEncoder().encode(
      CodecPicture.scene(fourcc, 48, 40), quality: 60, restartsPerRow: 3)
    var failures = 0
    for round in 0..<600 {
      let copy = damaged(bytes, using: &generator)
      let (_, info) = JPEG.inspect(copy)
      #expect(info.length <= copy.count && info.exif_offset + info.exif_length <= copy.count)
      _ = try? JPEG.rewrite(copy)
      let scale = [8, 4, 2, 1][round % 4] as UInt8
      do { _ = try JPEG.decode(copy, scale: scale, pixelLimit: 1_000_000) } catch { failures += 1 }
    }
    #expect(failures > 0 && failures < 600)
  }
}

import CViewfinder
import Foundation
import Testing

/// Parts of pictures without loss.
@Suite("Lossless crop") struct JPEGCropTests {
  /// Rectangles in a picture of 349 × 331 pixels.
  static let parts = [
    (0, 0, 349, 331), (0, 0, 1, 1), (348, 330, 1, 1), (17, 33, 100, 50), (100, 8, 249, 323),
    (64, 64, 64, 64), (3, 200, 340, 17),
  ].map { vf_rectangle(x: $0, y: $1, width: $2, height: $3) }

  /// Whether a part shows what was asked for, and more by less than a unit of these sizes on a side.
  private static func covers(
    _ part: vf_rectangle, _ wanted: vf_rectangle, width: UInt32, height: UInt32
  ) -> Bool {
    part.x <= wanted.x && wanted.x - part.x < width && part.y <= wanted.y
      && wanted.y - part.y < height && part.x + part.width >= wanted.x + wanted.width
      && part.x + part.width < wanted.x + wanted.width + width
      && part.y + part.height >= wanted.y + wanted.height
      && part.y + part.height < wanted.y + wanted.height + height
  }

  /// Whether a crop has the very samples of the original where it was cut.
  private static func isExact(_ crop: [UInt8], _ part: vf_rectangle, of original: CodecPicture)
    throws -> Bool
  {
    let (picture, warnings) = try JPEG.decode(crop)
    let expected = try original.cropped(
      x: part.x, y: part.y, width: part.width, height: part.height)
    return warnings == 0 && picture.fourcc == expected.fourcc
      && picture.samples == expected.samples
  }

  @Test(
    "To the MCU or to the grid, a crop has the very samples of the original",
    arguments: [VF_GREY, VF_I420, VF_I422, VF_I444], [0, 1, 12] as [UInt8])
  func exact(fourcc: UInt32, restarts: UInt8) throws {
    let bytes = try JPEGEncoder().encode(
      CodecPicture.scene(fourcc, 349, 331), quality: 90, restartsPerRow: restarts)
    let whole = try JPEG.decode(bytes).picture
    let mcuWidth: UInt32 = [VF_I420, VF_I422].contains(fourcc) ? 16 : 8
    let mcuHeight: UInt32 = fourcc == VF_I420 ? 16 : 8
    let interval = UInt32(JPEG.inspect(bytes).info.restart_interval)
    for wanted in Self.parts {
      let mcu = try JPEG.crop(bytes, to: wanted, alignment: VF_ALIGNED_TO_MCU)
      #expect(mcu.alignment == VF_ALIGNED_TO_MCU)
      #expect(Self.covers(mcu.part, wanted, width: mcuWidth, height: mcuHeight))
      #expect(mcu.part.x + mcu.part.width == wanted.x + wanted.width)
      #expect(mcu.part.y + mcu.part.height == wanted.y + wanted.height)
      #expect(try Self.isExact(mcu.bytes, mcu.part, of: whole))
      #expect(JPEG.inspect(mcu.bytes, readingCodes: true).damage == nil)

      let grid = try JPEG.crop(bytes, to: wanted, alignment: VF_ALIGNED_TO_RESTARTS)
      #expect(grid.alignment == (restarts == 0 ? VF_ALIGNED_TO_MCU : VF_ALIGNED_TO_RESTARTS))
      let across = restarts == 0 ? mcuWidth : mcuWidth * interval
      #expect(Self.covers(grid.part, wanted, width: across, height: mcuHeight))
      #expect(try Self.isExact(grid.bytes, grid.part, of: whole))
      #expect(JPEG.inspect(grid.bytes, readingCodes: true).damage == nil)
    }
  }

  @Test("Restart intervals of several rows are a grid of rows, and odd ones are none")
  func otherIntervals() throws {
    // 349 pixels are 22 MCUs.
    for (interval, alignment, height) in [
      (22, VF_ALIGNED_TO_RESTARTS, 16), (66, VF_ALIGNED_TO_RESTARTS, 48),
      (7, VF_ALIGNED_TO_MCU, 16), (33, VF_ALIGNED_TO_MCU, 16),
    ] as [(UInt32, UInt32, UInt32)] {
      let bytes = LibJPEG(restartInterval: interval).encode(LibJPEG.noise(349, 331), 349, 331)
      let whole = try JPEG.decode(bytes).picture
      for wanted in Self.parts {
        let crop = try JPEG.crop(bytes, to: wanted, alignment: VF_ALIGNED_TO_RESTARTS)
        #expect(crop.alignment == alignment)
        #expect(Self.covers(crop.part, wanted, width: 349, height: height))
        #expect(try Self.isExact(crop.bytes, crop.part, of: whole))
      }
    }
  }

  @Test("The crop of a crop is one, too: restart markers stay")
  func again() throws {
    let bytes = try JPEGEncoder().encode(
      CodecPicture.scene(VF_I420, 1024, 256), restartsPerRow: 12)
    let middle = vf_rectangle(x: 200, y: 32, width: 600, height: 192)
    for alignment in [VF_ALIGNED_TO_MCU, VF_ALIGNED_TO_RESTARTS] {
      let first = try JPEG.crop(bytes, to: middle, alignment: alignment)
      let whole = try JPEG.decode(first.bytes).picture
      let second = try JPEG.crop(
        first.bytes, to: vf_rectangle(x: 100, y: 50, width: 200, height: 60),
        alignment: VF_ALIGNED_TO_RESTARTS)
      #expect(second.alignment == VF_ALIGNED_TO_RESTARTS && second.part.width < 500)
      #expect(try Self.isExact(second.bytes, second.part, of: whole))
    }
  }

  @Test(
    "Pictures in several scans, arithmetic ones and those with few codes are cropped exactly",
    arguments: [
      LibJPEG(isProgressive: true), LibJPEG(sampling: (1, 1), isArithmetic: true),
      LibJPEG(isOptimized: true), LibJPEG(sampling: (1, 2), quality: 20, isOptimized: true),
    ])
  func otherKinds(writer: LibJPEG) throws {
    let bytes = writer.encode(LibJPEG.noise(349, 331), 349, 331)
    let whole = try JPEG.decode(bytes).picture
    for wanted in Self.parts {
      let crop = try JPEG.crop(bytes, to: wanted, alignment: VF_ALIGNED_TO_RESTARTS)
      #expect(crop.alignment == VF_ALIGNED_TO_MCU)
      #expect(Self.covers(crop.part, wanted, width: 16, height: 16))
      #expect(try Self.isExact(crop.bytes, crop.part, of: whole))
      #expect(JPEG.inspect(crop.bytes).info.process == 0xC0)
    }
  }

  @Test("Metadata stay or are replaced, and missing tables are added")
  func metadata() throws {
    let bytes = try JPEGEncoder().encode(
      CodecPicture.scene(VF_I422, 128, 64), restartsPerRow: 12,
      segments: [(0xE1, Array("Exif\0\0old".utf8)), (0xFE, Array("kept".utf8))])
    let bare = JPEG.removing(0xC4, from: bytes)
    for alignment in [VF_ALIGNED_TO_MCU, VF_ALIGNED_TO_RESTARTS] {
      let crop = try JPEG.crop(
        bare, to: vf_rectangle(x: 16, y: 16, width: 32, height: 16), alignment: alignment,
        segments: [(0xE1, Array("Exif\0\0new".utf8))])
      let segments = JPEG.segments(crop.bytes)
      #expect(segments.first?.payload == Array("Exif\0\0new".utf8))
      #expect(segments.filter { $0.marker == 0xE1 }.count == 1)
      #expect(segments.contains { $0.marker == 0xFE && $0.payload == Array("kept".utf8) })
      #expect(segments.contains { $0.marker == 0xC4 })
      #expect(segments.filter { $0.marker == 0xDD }.count == 1)
    }
  }

  @Test(
    "A part that isn't inside the picture is refused",
    arguments: [(100, 0, 1, 1), (0, 50, 1, 1), (99, 0, 2, 1), (0, 49, 1, 2), (0, 0, 1, 0)])
  func outside(x: UInt32, y: UInt32, width: UInt32, height: UInt32) throws {
    let bytes = try JPEGEncoder().encode(CodecPicture.scene(VF_I420, 100, 50))
    let part = vf_rectangle(x: x, y: y, width: width, height: height)
    #expect(
      failureCode { _ = try JPEG.crop(bytes, to: part, alignment: VF_ALIGNED_TO_MCU) } == EINVAL)
  }

  @Test("A damaged picture is refused where the damage must be read")
  func damage() throws {
    let part = vf_rectangle(x: 0, y: 0, width: 100, height: 100)
    for writer in [LibJPEG(), LibJPEG(isProgressive: true), LibJPEG(isArithmetic: true)] {
      let bytes = writer.encode(LibJPEG.noise(100, 100), 100, 100)
      let short = Array(bytes[..<(bytes.count * 2 / 3)])
      #expect(
        failureCode { _ = try JPEG.crop(short, to: part, alignment: VF_ALIGNED_TO_MCU) }
          == EBADMSG)
    }
    var stuck = try JPEGEncoder().encode(CodecPicture.scene(VF_I420, 100, 100))
    let data = stuck.count - JPEG.entropyData(stuck).count
    stuck.replaceSubrange((data + 20)..<(data + 60), with: [UInt8](repeating: 0xEE, count: 40))
    #expect(
      failureCode { _ = try JPEG.crop(stuck, to: part, alignment: VF_ALIGNED_TO_MCU) } == EBADMSG)
  }

  @Test("Damaged bytes never crash it", arguments: [VF_ALIGNED_TO_MCU, VF_ALIGNED_TO_RESTARTS])
  func damagedBytes(alignment: UInt32) throws {
    let own = try JPEGEncoder().encode(
      CodecPicture.scene(VF_I420, 120, 90), quality: 60, restartsPerRow: 12)
    let other = LibJPEG(isProgressive: true).encode(LibJPEG.noise(60, 50), 60, 50)
    var generator = SplitMix(state: 5)
    let part = vf_rectangle(x: 9, y: 11, width: 30, height: 31)
    for _ in 0..<300 {
      for bytes in [own, other] {
        _ = try? JPEG.crop(damaged(bytes, using: &generator), to: part, alignment: alignment)
      }
    }
  }
}

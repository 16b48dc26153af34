import CViewfinder
import Foundation
import Testing

@Suite("JPEG bands") struct JPEGBandTests {
  /// A picture's bands in one image; `nil` where it is a single band.
  private func decodeInBands(
    _ bytes: [UInt8], _ options: vf_decode_options, most: UInt32
  ) throws -> (picture: CodecPicture, bands: UInt32)? {
    var (options, image, bands) = (options, vf_image(), UInt32(0))
    try attempt {
      vf_jpeg_decode_bands(&image, bytes, bytes.count, &options, most, &bands, &$0)
    }
    guard bands > 1 else {
      #expect(bands == 1 && image.storage == nil)
      return nil
    }
    let picture = CodecPicture(image)
    // The last one first: none needs another.
    for band in (0..<bands).reversed() {
      try attempt {
        vf_jpeg_decode_band(
          &picture.image, bytes, bytes.count, &options, band, bands, &$0)
      }
    }
    return (picture, bands)
  }

  /// 4 × 4 pixels up to the whole, at places of all kinds.
  private func parts(of width: UInt32, _ height: UInt32) -> [vf_rectangle] {
    [
      vf_rectangle(x: 0, y: 0, width: width, height: height),
      vf_rectangle(x: 16, y: height / 3 & ~15, width: width - 32, height: height / 2),
      vf_rectangle(x: 6, y: 10, width: width - 9, height: height - 13),
    ]
  }

  @Test(
    "Bands are the very samples of the whole, at each scale, of each part",
    arguments: [VF_GREY, VF_I420, VF_I422, VF_I440, VF_I444], [1, 2, 4, 8] as [UInt8])
  func sameSamples(fourcc: UInt32, scale: UInt8) throws {
    let scene = try CodecPicture.scene(fourcc, 301, 403)
    let file = try JPEGEncoder().encode(scene, quality: 90, restartsPerRow: 3)
    var seen: Set<UInt32> = []
    let (width, height) = ((301 * UInt32(scale) + 7) / 8, (403 * UInt32(scale) + 7) / 8)
    for part in parts(of: width, height) {
      for keeps in [false, true] {
        let expected = try JPEG.decode(
          file, scale: scale, part: (part.x, part.y, part.width, part.height),
          keepsSubsampling: keeps
        ).picture
        let options = vf_decode_options(
          scale: scale, x: part.x, y: part.y, width: part.width, height: part.height,
          keeps_subsampling: keeps ? 1 : 0, pixel_limit: 0)
        for most in [2, 3, 5] as [UInt32] {
          guard let (picture, bands) = try decodeInBands(file, options, most: most) else {
            continue
          }
          seen.insert(bands)
          let isSame = picture.samples == expected.samples
          #expect(isSame && picture.fourcc == expected.fourcc, "\(part), \(most), \(keeps)")
        }
      }
    }
    #expect(seen.contains(3))
  }

  @Test("A picture is one band where cores can't share it, or needn't")
  func oneBand() throws {
    let scene = try CodecPicture.scene(VF_I420, 320, 512)
    let encoder = try JPEGEncoder()
    let options = vf_decode_options()
    func bands(_ file: [UInt8], _ options: vf_decode_options, _ most: UInt32 = 4) throws -> UInt32 {
      try decodeInBands(file, options, most: most)?.bands ?? 1
    }
    let file = try encoder.encode(scene, restartsPerRow: 1)
    #expect(try bands(file, options) == 4)
    #expect(try bands(file, options, 1) == 1)
    #expect(try bands(encoder.encode(scene), options) == 1, "no restart markers")
    let low = try encoder.encode(CodecPicture.scene(VF_I420, 320, 240), restartsPerRow: 1)
    #expect(try bands(low, options) == 1, "fewer than 16 rows of MCUs")
    let progressive = LibJPEG(isProgressive: true).encode(LibJPEG.noise(333, 401), 333, 401)
    #expect(try bands(progressive, options) == 1)
    let odd = vf_decode_options(
      scale: 8, x: 1, y: 1, width: 300, height: 500, keeps_subsampling: 0, pixel_limit: 0)
    #expect(try bands(file, odd) == 1, "chroma falls between samples")
  }

  @Test("What vf_jpeg_decode refuses is refused here, too")
  func refused() throws {
    let file = try JPEGEncoder().encode(CodecPicture.scene(VF_I420, 320, 512), restartsPerRow: 1)
    func code(_ bytes: [UInt8], _ options: vf_decode_options) -> Int32 {
      failureCode { _ = try decodeInBands(bytes, options, most: 4) }
    }
    var options = vf_decode_options()
    #expect(code([], options) == EBADMSG)
    #expect(code(Array(file.prefix(100)), options) == EBADMSG)
    options.scale = 3
    #expect(code(file, options) == EINVAL)
    options.scale = 8
    (options.x, options.width, options.height) = (320, 1, 1)
    #expect(code(file, options) == EINVAL)
    options = vf_decode_options()
    options.pixel_limit = 320 * 512 - 1
    #expect(code(file, options) == EFBIG)
  }

  @Test("A band that is damaged fails, and the others don't")
  func damaged() throws {
    let file = try JPEGEncoder().encode(CodecPicture.scene(VF_I420, 320, 512), restartsPerRow: 1)
    // A marker in the third quarter that should come later.
    var wrong = file
    let at = try #require(
      (file.count * 5 / 8..<file.count - 1).first {
        file[$0] == 0xFF && (0xD0...0xD7).contains(file[$0 + 1])
      })
    wrong[at + 1] = (wrong[at + 1] + 3) & 7 | 0xD0
    var (options, image, bands) = (vf_decode_options(), vf_image(), UInt32(0))
    try attempt {
      vf_jpeg_decode_bands(&image, wrong, wrong.count, &options, 4, &bands, &$0)
    }
    let picture = CodecPicture(image)
    let codes = (0..<4).map { band in
      failureCode {
        try attempt {
          vf_jpeg_decode_band(
            &picture.image, wrong, wrong.count, &options, band, bands, &$0)
        }
      }
    }
    #expect(codes.contains(EBADMSG) && codes[0] == 0)
  }

  @Test("A band of another picture isn't written into an image")
  func otherPicture() throws {
    let encoder = try JPEGEncoder()
    let file = try encoder.encode(CodecPicture.scene(VF_I420, 320, 512), restartsPerRow: 1)
    var options = vf_decode_options()
    for (width, height) in [(320, 496), (304, 512)] as [(UInt32, UInt32)] {
      let picture = try CodecPicture(VF_I420, width, height)
      let code = failureCode {
        try attempt {
          vf_jpeg_decode_band(&picture.image, file, file.count, &options, 0, 4, &$0)
        }
      }
      #expect(code == EINVAL)
    }
  }
}

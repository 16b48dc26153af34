import CTurboJPEG
import CViewfinder
import Foundation
import Testing

/// Pictures in several scans, whose coefficients are held packed.
@Suite("Progressive JPEG") struct ProgressiveJPEGTests {
  /// Encodes the same coefficients in one scan or in several, with libjpeg.
  private static func encode(
    _ rgb: [UInt8], _ width: Int, _ height: Int, sampling: (Int32, Int32), quality: Int32,
    isProgressive: Bool
  ) -> [UInt8] {
    var (codec, error) = (jpeg_compress_struct(), jpeg_error_mgr())
    return withUnsafeMutablePointer(to: &error) { error in
      codec.err = jpeg_std_error(error)
      jpeg_CreateCompress(&codec, JPEG_LIB_VERSION, MemoryLayout<jpeg_compress_struct>.size)
      var (bytes, count): (UnsafeMutablePointer<UInt8>?, UInt) = (nil, 0)
      jpeg_mem_dest(&codec, &bytes, &count)
      (codec.image_width, codec.image_height) = (UInt32(width), UInt32(height))
      (codec.input_components, codec.in_color_space) = (3, JCS_RGB)
      jpeg_set_defaults(&codec)
      jpeg_set_quality(&codec, quality, 1)
      (codec.comp_info[0].h_samp_factor, codec.comp_info[0].v_samp_factor) = sampling
      if isProgressive { jpeg_simple_progression(&codec) }
      jpeg_start_compress(&codec, 1)
      var rows = rgb
      rows.withUnsafeMutableBufferPointer { rows in
        for y in 0..<height {
          var row: JSAMPROW? = rows.baseAddress! + 3 * width * y
          jpeg_write_scanlines(&codec, &row, 1)
        }
      }
      jpeg_finish_compress(&codec)
      jpeg_destroy_compress(&codec)
      defer { free(bytes) }
      return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
  }

  /// Noise over a slope: coefficients of all sizes, and blocks without any.
  private static func noise(_ width: Int, _ height: Int) -> [UInt8] {
    var generator = SplitMix(state: 3)
    return (0..<3 * width * height).map { place in
      let (x, y) = (place / 3 % width, place / 3 / width)
      guard (x / 40 + y / 40) % 2 == 0 else { return UInt8(x * 255 / width) }
      return UInt8(truncatingIfNeeded: generator.next())
    }
  }

  @Test(
    "Several scans give the picture that one scan gives: whole, in part and scaled",
    arguments: [(1, 1), (2, 1), (2, 2), (1, 2)] as [(Int32, Int32)], [40, 100] as [Int32])
  func sameAsOneScan(sampling: (Int32, Int32), quality: Int32) throws {
    let (width, height) = (333, 201)
    let rgb = Self.noise(width, height)
    let (one, several) = (
      Self.encode(rgb, width, height, sampling: sampling, quality: quality, isProgressive: false),
      Self.encode(rgb, width, height, sampling: sampling, quality: quality, isProgressive: true)
    )
    for scale in [1, 2, 4, 8] as [UInt8] {
      let (expected, made) = try (
        JPEG.decode(one, scale: scale), JPEG.decode(several, scale: scale)
      )
      #expect(made.warnings == 0)
      #expect(made.picture.samples == expected.picture.samples)
    }
    let part: (UInt32, UInt32, UInt32, UInt32) = (101, 53, 120, 99)
    #expect(
      try JPEG.decode(several, part: part).picture.samples
        == JPEG.decode(one, part: part).picture.samples)
  }

  @Test("Cut short anywhere, what is there is decoded")
  func cutShort() throws {
    let bytes = Self.encode(
      Self.noise(100, 80), 100, 80, sampling: (2, 2), quality: 80, isProgressive: true)
    for count in stride(from: 0, to: bytes.count, by: 37) {
      guard let (picture, warnings) = try? JPEG.decode(Array(bytes[..<count])) else { continue }
      #expect(picture.width == 100 && warnings > 0)
    }
    #expect(failureCode { _ = try JPEG.decode(Array(bytes[..<(bytes.count / 2)])) } == 0)
  }

  @Test("Damaged bytes never crash it")
  func damagedBytes() throws {
    let bytes = Self.encode(
      Self.noise(60, 50), 60, 50, sampling: (2, 1), quality: 60, isProgressive: true)
    var generator = SplitMix(state: 8)
    for _ in 0..<500 {
      _ = try? JPEG.decode(damaged(bytes, using: &generator), pixelLimit: 1_000_000)
    }
  }
}

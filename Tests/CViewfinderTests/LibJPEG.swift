import CTurboJPEG
import Foundation

/// Pictures that libjpeg writes by itself: of kinds that the core only reads.
struct LibJPEG {
  var sampling: (Int32, Int32) = (2, 2)
  var quality: Int32 = 80
  var isProgressive = false
  var isArithmetic = false
  /// Whether the Huffman tables have just the codes that the picture needs.
  var isOptimized = false
  var restartInterval: UInt32 = 0

  /// Encodes RGB pixels.
  func encode(_ rgb: [UInt8], _ width: Int, _ height: Int) -> [UInt8] {
    // libjpeg keeps the addresses of all of these from one call to the next.
    let codec = UnsafeMutablePointer<jpeg_compress_struct>.allocate(capacity: 1)
    let error = UnsafeMutablePointer<jpeg_error_mgr>.allocate(capacity: 1)
    let bytes = UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>.allocate(capacity: 1)
    let count = UnsafeMutablePointer<UInt>.allocate(capacity: 1)
    codec.initialize(to: jpeg_compress_struct())
    error.initialize(to: jpeg_error_mgr())
    bytes.initialize(to: nil)
    count.initialize(to: 0)
    defer {
      free(bytes.pointee)
      codec.deallocate()
      error.deallocate()
      bytes.deallocate()
      count.deallocate()
    }
    codec.pointee.err = jpeg_std_error(error)
    jpeg_CreateCompress(codec, JPEG_LIB_VERSION, MemoryLayout<jpeg_compress_struct>.size)
    jpeg_mem_dest(codec, bytes, count)
    codec.pointee.image_width = UInt32(width)
    codec.pointee.image_height = UInt32(height)
    codec.pointee.input_components = 3
    codec.pointee.in_color_space = JCS_RGB
    jpeg_set_defaults(codec)
    jpeg_set_quality(codec, quality, 1)
    codec.pointee.comp_info[0].h_samp_factor = sampling.0
    codec.pointee.comp_info[0].v_samp_factor = sampling.1
    if isProgressive { jpeg_simple_progression(codec) }
    codec.pointee.arith_code = isArithmetic ? 1 : 0
    codec.pointee.optimize_coding = isOptimized ? 1 : 0
    codec.pointee.restart_interval = restartInterval
    jpeg_start_compress(codec, 1)
    var rows = rgb
    rows.withUnsafeMutableBufferPointer { rows in
      for y in 0..<height {
        var row: JSAMPROW? = rows.baseAddress! + 3 * width * y
        jpeg_write_scanlines(codec, &row, 1)
      }
    }
    jpeg_finish_compress(codec)
    jpeg_destroy_compress(codec)
    return Array(UnsafeBufferPointer(start: bytes.pointee, count: Int(count.pointee)))
  }

  /// Noise over a slope: coefficients of all sizes, and blocks without any.
  static func noise(_ width: Int, _ height: Int) -> [UInt8] {
    var generator = SplitMix(state: 3)
    return (0..<3 * width * height).map { place in
      let (x, y) = (place / 3 % width, place / 3 / width)
      guard (x / 40 + y / 40) % 2 == 0 else { return UInt8(x * 255 / width) }
      return UInt8(truncatingIfNeeded: generator.next())
    }
  }
}

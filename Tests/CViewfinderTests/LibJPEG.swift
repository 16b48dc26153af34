import CTurboJPEG
import CViewfinder
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
    write { codec in
      begin(codec, width, height, components: 3, JCS_RGB, sampling)
      if isProgressive { jpeg_simple_progression(codec) }
      codec.pointee.arith_code = isArithmetic ? 1 : 0
      codec.pointee.optimize_coding = isOptimized ? 1 : 0
      jpeg_start_compress(codec, 1)
      var rows = rgb
      rows.withUnsafeMutableBufferPointer { rows in
        for y in 0..<height {
          var row: JSAMPROW? = rows.baseAddress! + 3 * width * y
          jpeg_write_scanlines(codec, &row, 1)
        }
      }
    }
  }

  /// Encodes the planes of a picture as they are.
  func encode(_ picture: CodecPicture) -> [UInt8] {
    let layout = vf_layout_find(picture.fourcc)!.pointee
    let (width, height) = (Int(picture.width), Int(picture.height))
    let count = picture.fourcc == VF_GREY ? 1 : 3
    let (across, down) =
      count == 1 ? (1, 1) : (1 << Int(layout.chroma_shift_x), 1 << Int(layout.chroma_shift_y))
    let planes = (0..<count).map { index in
      PaddedPlane(
        picture.samples(plane: index), width: index == 0 ? width : (width + across - 1) / across)
    }
    return write { codec in
      begin(
        codec, width, height, components: count, count == 1 ? JCS_GRAYSCALE : JCS_YCbCr,
        (Int32(across), Int32(down)))
      codec.pointee.dct_method = JDCT_ISLOW
      codec.pointee.raw_data_in = 1
      jpeg_start_compress(codec, 1)
      for row in 0..<(height + 8 * down - 1) / (8 * down) {
        var rows: [JSAMPARRAY?] = planes.enumerated().map { index, plane in
          plane.rows + row * (index == 0 ? 8 * down : 8)
        }
        jpeg_write_raw_data(codec, &rows, UInt32(8 * down))
      }
    }
  }

  private func begin(
    _ codec: j_compress_ptr, _ width: Int, _ height: Int, components: Int,
    _ space: J_COLOR_SPACE, _ sampling: (Int32, Int32)
  ) {
    codec.pointee.image_width = UInt32(width)
    codec.pointee.image_height = UInt32(height)
    codec.pointee.input_components = Int32(components)
    codec.pointee.in_color_space = space
    jpeg_set_defaults(codec)
    jpeg_set_quality(codec, quality, 1)
    codec.pointee.comp_info[0].h_samp_factor = sampling.0
    codec.pointee.comp_info[0].v_samp_factor = sampling.1
    codec.pointee.restart_interval = restartInterval
  }

  /// Lends a compressor, and returns the picture that it makes.
  private func write(_ body: (j_compress_ptr) -> Void) -> [UInt8] {
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
    body(codec)
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

/// A plane whose last samples repeat up to whole blocks and past them, with pointers to its rows.
private final class PaddedPlane {
  let rows: UnsafeMutablePointer<JSAMPROW?>
  private let memory: UnsafeMutablePointer<UInt8>

  init(_ samples: [UInt8], width: Int) {
    let (height, padding) = (samples.count / width, 16)
    let stride = width + padding
    memory = .allocate(capacity: stride * height)
    rows = .allocate(capacity: height + padding)
    for y in 0..<height {
      for x in 0..<stride { memory[y * stride + x] = samples[y * width + min(x, width - 1)] }
    }
    for y in 0..<height + padding { rows[y] = memory + min(y, height - 1) * stride }
  }

  deinit {
    memory.deallocate()
    rows.deallocate()
  }
}

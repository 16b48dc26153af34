import CTurboJPEGBenchmark
import CViewfinder
import Foundation

/// Viewfinder's encoder, used again and again as a session does.
final class Encoder {
  private let encoder: OpaquePointer
  private var options = vf_encode_options()

  init(quality: Int, subsampling: Int = 0, restartsPerRow: Int) throws {
    var failure = vf_failure()
    guard let encoder = vf_encoder_create(&failure) else { throw CoreFailure(failure) }
    self.encoder = encoder
    options.quality = UInt8(quality)
    options.subsampling = UInt16(subsampling)
    options.restarts_per_row = UInt8(restartsPerRow)
  }

  deinit { vf_encoder_destroy(encoder) }

  /// The size of the JPEG, in bytes.
  func encode(_ image: inout vf_image) throws -> Int { try lend(&image).count }

  /// A copy of the JPEG.
  func encoded(_ image: inout vf_image) throws -> Data { try Data(buffer: lend(&image)) }

  /// The JPEG, which belongs to the encoder.
  private func lend(_ image: inout vf_image) throws -> UnsafeBufferPointer<UInt8> {
    var bytes: UnsafePointer<UInt8>?
    var count = 0
    try call { vf_encoder_encode(encoder, &image, &options, &bytes, &count, &$0) }
    return UnsafeBufferPointer(start: bytes, count: count)
  }
}

/// libjpeg-turbo by its own API, with handles and buffers that stay, as a careful program uses it.
final class TurboJPEG {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let compressor: tjhandle
  private let decompressor: tjhandle
  private let transformer: tjhandle
  private var output: UnsafeMutablePointer<UInt8>?
  private let pixels: UnsafeMutablePointer<UInt8>

  /// For pictures of up to `width` × `height` pixels.
  init(width: Int, height: Int) {
    compressor = tjInitCompress()
    decompressor = tjInitDecompress()
    transformer = tjInitTransform()
    output = .allocate(capacity: Int(tjBufSize(Int32(width), Int32(height), 0)))
    pixels = .allocate(capacity: 3 * width * height)
  }

  deinit {
    tjDestroy(compressor)
    tjDestroy(decompressor)
    tjDestroy(transformer)
    output?.deallocate()
    pixels.deallocate()
  }

  private func check(_ status: Int32, _ handle: tjhandle) throws {
    if status != 0 { throw Failure(description: String(cString: tjGetErrorStr2(handle))) }
  }

  /// Compresses planes that lie ready; returns the JPEG's size, in bytes.
  ///
  /// The accurate transform, which Viewfinder takes as well, is also the faster one with AVX2.
  func compress(
    planes image: vf_image, quality: Int, subsampling: TJSAMP, flags: Int32 = TJFLAG_ACCURATEDCT
  ) throws -> Int {
    var planes: [UnsafePointer<UInt8>?] = [
      .init(image.planes.0.data), .init(image.planes.1.data), .init(image.planes.2.data),
    ]
    let strides = [
      Int32(image.planes.0.stride), Int32(image.planes.1.stride), Int32(image.planes.2.stride),
    ]
    var count: UInt = 0
    try check(
      tjCompressFromYUVPlanes(
        compressor, &planes, Int32(image.width), strides, Int32(image.height),
        Int32(subsampling.rawValue), &output, &count, Int32(quality), TJFLAG_NOREALLOC | flags),
      compressor)
    return Int(count)
  }

  /// A copy of the JPEG that the last call made.
  func result(count: Int) -> Data { Data(bytes: output!, count: count) }

  /// Decodes the whole JPEG to RGB, and compresses a part of it; returns the JPEG's size, in bytes.
  func crop(_ jpeg: Data, to part: vf_rectangle, quality: Int, subsampling: TJSAMP) throws -> Int {
    var width: Int32 = 0
    var height: Int32 = 0
    var sampling: Int32 = 0
    var colours: Int32 = 0
    let format = Int32(TJPF_RGB.rawValue)
    try jpeg.withUnsafeBytes { bytes in
      let start = bytes.bindMemory(to: UInt8.self).baseAddress
      try check(
        tjDecompressHeader3(
          decompressor, start, UInt(bytes.count), &width, &height, &sampling, &colours),
        decompressor)
      try check(
        tjDecompress2(
          decompressor, start, UInt(bytes.count), pixels, width, 0, height, format, 0),
        decompressor)
    }
    var count: UInt = 0
    let corner = pixels + 3 * (Int(part.y) * Int(width) + Int(part.x))
    try check(
      tjCompress2(
        compressor, corner, Int32(part.width), 3 * width, Int32(part.height), format, &output,
        &count, Int32(subsampling.rawValue), Int32(quality), TJFLAG_NOREALLOC), compressor)
    return Int(count)
  }

  /// Crops without loss, as `jpegtran -crop` does; returns the JPEG's size, in bytes.
  ///
  /// The part begins at an MCU.
  func cropLosslessly(_ jpeg: Data, to part: vf_rectangle) throws -> Int {
    var transform = tjtransform()
    transform.r = tjregion(
      x: Int32(part.x), y: Int32(part.y), w: Int32(part.width), h: Int32(part.height))
    transform.op = Int32(TJXOP_NONE.rawValue)
    transform.options = TJXOPT_CROP | TJXOPT_COPYNONE
    var count: UInt = 0
    try jpeg.withUnsafeBytes { bytes in
      try check(
        tjTransform(
          transformer, bytes.bindMemory(to: UInt8.self).baseAddress, UInt(bytes.count), 1, &output,
          &count, &transform, TJFLAG_NOREALLOC), transformer)
    }
    return Int(count)
  }
}

/// A part of a JPEG without loss; returns the size of the JPEG, in bytes.
func cropLosslessly(_ jpeg: Data, to part: vf_rectangle, alignment: UInt32) throws -> Int {
  try jpeg.withUnsafeBytes { bytes in
    var (part, result) = (part, vf_jpeg_crop())
    let start = bytes.bindMemory(to: UInt8.self).baseAddress!
    try call {
      vf_jpeg_crop_losslessly(&result, start, bytes.count, &part, alignment, nil, 0, &$0)
    }
    defer { vf_buffer_free(&result.picture) }
    return result.picture.count
  }
}

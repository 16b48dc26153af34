import CViewfinder
import Foundation
import Testing

/// A call of the core that failed.
struct CodecFailure: Error, CustomStringConvertible {
  var code: Int32
  var description: String

  init(_ failure: vf_failure) {
    code = failure.code
    description = words(failure)
  }
}

/// Runs a call that reports failure, and throws what it reports.
func attempt(_ body: (inout vf_failure) -> Int32) throws(CodecFailure) {
  var failure = vf_failure()
  if body(&failure) < 0 { throw CodecFailure(failure) }
}

/// The code that a call of the core fails with, or 0.
func failureCode(of body: () throws -> Void) -> Int32 {
  do { try body() } catch let failure as CodecFailure { return failure.code } catch { return -1 }
  return 0
}

/// A picture of the core's that frees itself.
final class CodecPicture {
  var image: vf_image

  init(_ image: vf_image) { self.image = image }

  init(_ fourcc: UInt32, _ width: UInt32, _ height: UInt32, alpha: Bool = false) throws {
    var image = vf_image()
    try attempt { vf_image_create(&image, fourcc, width, height, alpha ? 1 : 0, &$0) }
    self.image = image
  }

  deinit { vf_image_free(&image) }

  /// A picture with some of everything: slopes, edges, colours.
  static func scene(_ fourcc: UInt32, _ width: UInt32, _ height: UInt32) throws -> CodecPicture {
    let rgb = try CodecPicture(VF_RGB24, width, height)
    let plane = rgb.image.planes.0
    for y in 0..<Int(height) {
      let row = plane.data! + y * plane.stride
      for x in 0..<Int(width) {
        let (u, v) = (Double(x) / 40, Double(y) / 40)
        let inside = (x / 24 + y / 24) % 5 == 0
        row[3 * x] = UInt8(128 + 80 * sin(u + 0.3 * v) + (inside ? 40 : 0))
        row[3 * x + 1] = UInt8(128 + 80 * sin(0.4 * u - v) + (inside ? -40 : 0))
        row[3 * x + 2] = UInt8(128 + 80 * cos(0.7 * u + 0.5 * v))
      }
    }
    return try rgb.converted(to: fourcc)
  }

  var width: UInt32 { image.width }
  var height: UInt32 { image.height }
  var fourcc: UInt32 { image.fourcc }

  func converted(to fourcc: UInt32) throws -> CodecPicture {
    var result = vf_image()
    try attempt { vf_image_convert(&result, fourcc, &image, &$0) }
    return CodecPicture(result)
  }

  func cropped(x: UInt32, y: UInt32, width: UInt32, height: UInt32) throws -> CodecPicture {
    var result = vf_image()
    try attempt { vf_image_crop(&result, &image, x, y, width, height, &$0) }
    return CodecPicture(result)
  }

  func oriented(_ orientation: UInt32) throws -> CodecPicture {
    var result = vf_image()
    try attempt { vf_image_orient(&result, &image, orientation, &$0) }
    return CodecPicture(result)
  }

  /// The samples of a planar or packed picture's plane, row after row.
  func samples(plane index: Int) -> [UInt8] {
    let plane = [image.planes.0, image.planes.1, image.planes.2][index]
    guard let data = plane.data, let layout = vf_layout_find(image.fourcc)?.pointee else {
      return []
    }
    let shiftX = index > 0 ? layout.chroma_shift_x : 0,
      shiftY = index > 0 ? layout.chroma_shift_y : 0
    let width = Int((image.width + (1 << shiftX) - 1) >> shiftX)
    let bytes = index == 0 ? width * Int(layout.bytes_per_pixel) : width
    let height = Int((image.height + (1 << shiftY) - 1) >> shiftY)
    return (0..<height).flatMap {
      UnsafeBufferPointer(start: data + $0 * plane.stride, count: bytes)
    }
  }

  /// All samples of all planes.
  var samples: [UInt8] { (0..<3).flatMap { samples(plane: $0) } }
}

/// An encoder that destroys itself.
final class JPEGEncoder {
  private let encoder: OpaquePointer

  init() throws {
    var failure = vf_failure()
    guard let encoder = vf_encoder_create(&failure) else { throw CodecFailure(failure) }
    self.encoder = encoder
  }

  deinit { vf_encoder_destroy(encoder) }

  func encode(
    _ picture: CodecPicture, quality: UInt8 = 90, subsampling: UInt16 = 0,
    restartsPerRow: UInt8 = 0, dotsPerInch: UInt16 = 0, segments: [JPEG.Segment] = []
  ) throws -> [UInt8] {
    try JPEG.withSegments(segments) { segments in
      var options = vf_encode_options(
        quality: quality, subsampling: subsampling, restarts_per_row: restartsPerRow,
        dots_per_inch: dotsPerInch, segments: segments.baseAddress, segment_count: segments.count)
      return try encode(&picture.image, &options)
    }
  }

  func encode(_ image: inout vf_image, _ options: inout vf_encode_options) throws -> [UInt8] {
    var bytes: UnsafePointer<UInt8>?
    var count = 0
    try attempt { vf_encoder_encode(encoder, &image, &options, &bytes, &count, &$0) }
    return Array(UnsafeBufferPointer(start: bytes, count: count))
  }

  /// Takes the last result out; the caller frees it.
  func take() -> vf_buffer { vf_encoder_take(encoder) }
}

/// The core's calls on JPEG bytes, with Swift's types.
enum JPEG {
  typealias Segment = (marker: UInt8, payload: [UInt8])

  /// Calls with segments that live as long as the call.
  static func withSegments<Result>(
    _ segments: [Segment], _ body: (UnsafeBufferPointer<vf_jpeg_segment>) throws -> Result
  ) rethrows -> Result {
    let payloads = segments.map { segment in
      let memory = UnsafeMutableBufferPointer<UInt8>.allocate(
        capacity: max(1, segment.payload.count))
      _ = memory.initialize(fromContentsOf: segment.payload)
      return UnsafePointer(memory.baseAddress!)
    }
    defer { for payload in payloads { payload.deallocate() } }
    let list = zip(segments, payloads).map {
      vf_jpeg_segment(marker: $0.marker, bytes: $1, count: $0.payload.count)
    }
    return try list.withUnsafeBufferPointer(body)
  }

  /// The peak signal-to-noise ratio, in dB; infinite for equal samples.
  static func psnr(_ a: [UInt8], _ b: [UInt8]) -> Double {
    guard a.count == b.count, !a.isEmpty else { return 0 }
    let error = zip(a, b).reduce(0) { $0 + pow(Double($1.0) - Double($1.1), 2) } / Double(a.count)
    return error == 0 ? .infinity : 10 * log10(255 * 255 / error)
  }

  static func decode(
    _ bytes: [UInt8], scale: UInt8 = 0,
    part: (x: UInt32, y: UInt32, width: UInt32, height: UInt32)? = nil,
    keepsSubsampling: Bool = false, pixelLimit: UInt64 = 0
  ) throws -> (picture: CodecPicture, warnings: UInt32) {
    var options = vf_decode_options(
      scale: scale, x: part?.x ?? 0, y: part?.y ?? 0, width: part?.width ?? 0,
      height: part?.height ?? 0, keeps_subsampling: keepsSubsampling ? 1 : 0,
      pixel_limit: pixelLimit)
    var result = vf_image()
    var warnings: UInt32 = 0
    try attempt { vf_jpeg_decode(&result, bytes, bytes.count, &options, &warnings, &$0) }
    return (CodecPicture(result), warnings)
  }

  /// The verdict (`nil`: whole) and what is known.
  static func inspect(
    _ bytes: [UInt8], readingCodes: Bool = false
  ) -> (damage: String?, info: vf_jpeg_info) {
    var info = vf_jpeg_info()
    var failure = vf_failure()
    let look = readingCodes ? vf_jpeg_verify : vf_jpeg_inspect
    let result = look(bytes, bytes.count, &info, &failure)
    return (result < 0 ? words(failure) : nil, info)
  }

  /// The result, which must be the same whether or not the picture is known already.
  static func rewrite(_ bytes: [UInt8], segments: [Segment] = []) throws -> [UInt8] {
    try withSegments(segments) { list in
      let start = list.baseAddress
      var buffer = vf_buffer()
      try attempt { vf_jpeg_rewrite(bytes, bytes.count, nil, start, list.count, &buffer, &$0) }
      let result = collect(&buffer)
      var info = inspect(bytes).info
      try attempt { vf_jpeg_rewrite(bytes, bytes.count, &info, start, list.count, &buffer, &$0) }
      #expect(collect(&buffer) == result)
      var parts = vf_jpeg_parts()
      try attempt {
        vf_jpeg_rewrite_in_parts(bytes, bytes.count, &info, start, list.count, &parts, &$0)
      }
      let scan = bytes[parts.scan_offset..<parts.scan_offset + parts.scan_count]
      let end = [parts.end.0, parts.end.1].prefix(parts.end_count)
      #expect(collect(&parts.header) + scan + end == result)
      return result
    }
  }

  /// A part without loss, and what it shows indeed.
  static func crop(
    _ bytes: [UInt8], to part: vf_rectangle, alignment: UInt32, segments: [Segment] = []
  ) throws -> (bytes: [UInt8], part: vf_rectangle, alignment: UInt32) {
    try withSegments(segments) { list in
      var (part, result) = (part, vf_jpeg_crop())
      try attempt {
        vf_jpeg_crop_losslessly(
          &result, bytes, bytes.count, &part, alignment, list.baseAddress, list.count, &$0)
      }
      return (collect(&result.picture), result.rectangle, result.alignment)
    }
  }

  /// The marker segments up to the first scan: marker and payload.
  static func segments(_ bytes: [UInt8]) -> [(marker: UInt8, payload: [UInt8])] {
    var result: [(marker: UInt8, payload: [UInt8])] = []
    var at = 2
    while at + 4 <= bytes.count, bytes[at] == 0xFF {
      let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
      result.append((bytes[at + 1], Array(bytes[(at + 4)..<(at + 2 + length)])))
      if bytes[at + 1] == 0xDA { break }
      at += 2 + length
    }
    return result
  }

  /// The bytes without the segments of one marker.
  static func removing(_ marker: UInt8, from bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0xFF, 0xD8]
    var at = 2
    for segment in segments(bytes) {
      let next = at + 4 + segment.payload.count
      if segment.marker != marker { result += bytes[at..<next] }
      at = next
    }
    return result + bytes[at...]
  }

  /// What follows the header of the only scan.
  static func entropyData(_ bytes: [UInt8]) -> [UInt8] {
    Array(scan(bytes).dropFirst(4 + (segments(bytes).last?.payload.count ?? 0)))
  }

  /// From the first SOS marker on.
  static func scan(_ bytes: [UInt8]) -> [UInt8] {
    let start = 2 + segments(bytes).dropLast().reduce(0) { $0 + 4 + $1.payload.count }
    return Array(bytes[start...])
  }
}

/// The buffer's bytes; the buffer is freed.
func collect(_ buffer: inout vf_buffer) -> [UInt8] {
  defer { vf_buffer_free(&buffer) }
  return Array(UnsafeBufferPointer(start: buffer.bytes, count: buffer.count))
}

/// Random numbers that are the same in each run.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    // SplitMix64.
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// Damages a copy of the bytes: up to eight of them change.
func damaged(_ bytes: [UInt8], using generator: inout SplitMix) -> [UInt8] {
  var result = bytes
  for _ in 0..<Int.random(in: 1...8, using: &generator) {
    result[Int.random(in: result.indices, using: &generator)] =
      Bool.random(using: &generator) ? 0xFF : UInt8.random(in: 0...255, using: &generator)
  }
  return result
}

/// Every uncompressed layout.
let codecLayouts: [UInt32] = [
  VF_YUYV, VF_UYVY, VF_RGB24, VF_BGR24, VF_RGBX32,
  VF_RGBA32, VF_BGRX32, VF_BGRA32, VF_GREY, VF_NV12,
  VF_NV21, VF_I420, VF_YV12, VF_I422, VF_I440,
  VF_I411, VF_I444,
]

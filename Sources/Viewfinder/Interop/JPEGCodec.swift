import CViewfinder
import Foundation

/// The JPEG functions of the C core, over Swift's own bytes.
enum JPEGCodec {
  /// What a JPEG's markers say.
  struct Info: Sendable {
    var dimensions: Dimensions
    var orientation: ImageOrientation
    /// The TIFF data of the Exif segment, within the bytes.
    var exif: Range<Int>
    /// The IJG quality, 1 to 100, that the luma table comes nearest to.
    var quality: Int
    /// What is wrong with the picture, if anything.
    var damage: String?
  }

  /// Reads a picture's markers.
  ///
  /// Fails only when they don't even tell its size.
  static func inspect(_ bytes: UnsafeRawBufferPointer, _ what: String) throws(CaptureError) -> Info
  {
    guard let base = bytes.baseAddress else {
      throw .badImageData(what: what, reason: "it is empty")
    }
    var info = vf_jpeg_info()
    var failure = unsafe vf_failure()
    let start = unsafe base.assumingMemoryBound(to: UInt8.self)
    let result = unsafe vf_jpeg_inspect(start, bytes.count, &info, &failure)
    guard result == 0 || (info.width > 0 && info.height > 0) else {
      throw unsafe failure.imageError(what)
    }
    let exif = Int(info.exif_offset)..<Int(info.exif_offset + info.exif_length)
    let orientation =
      exif.isEmpty ? 1 : unsafe vf_exif_orientation(start + exif.lowerBound, exif.count)
    return Info(
      dimensions: Dimensions(width: Int(info.width), height: Int(info.height)),
      orientation: ImageOrientation(rawValue: Int(orientation)) ?? .up, exif: exif,
      quality: Int(info.quality), damage: result == 0 ? nil : unsafe failure.detailText)
  }

  /// Fails when a picture's markers or the codes of its scans are wrong.
  static func verify(_ bytes: UnsafeRawBufferPointer, _ what: String) throws(CaptureError) {
    guard let base = bytes.baseAddress else {
      throw .badImageData(what: what, reason: "it is empty")
    }
    var info = vf_jpeg_info()
    var failure = unsafe vf_failure()
    let start = unsafe base.assumingMemoryBound(to: UInt8.self)
    guard unsafe vf_jpeg_verify(start, bytes.count, &info, &failure) == 0 else {
      throw unsafe failure.imageError(what)
    }
  }

  /// Decodes a picture, or the part of it that `region` holds, or at a `scale` of 1, 2, 4 or 8
  /// eighths.
  ///
  /// The picture comes as it is stored, with the number of libjpeg's warnings that told of damage.
  static func decode(
    _ bytes: UnsafeRawBufferPointer, _ what: String, region: vf_rectangle? = nil, scale: UInt8 = 8
  ) throws(CaptureError) -> (picture: Picture, warnings: Int) {
    guard let base = bytes.baseAddress else {
      throw .badImageData(what: what, reason: "it is empty")
    }
    var options = vf_decode_options()
    options.scale = scale
    if let region {
      (options.x, options.y) = (region.x, region.y)
      (options.width, options.height) = (region.width, region.height)
    }
    var warnings: UInt32 = 0
    let picture = try unsafe Picture.make(what) { result, failure in
      unsafe vf_jpeg_decode(
        result, base.assumingMemoryBound(to: UInt8.self), bytes.count, &options, &warnings, failure)
    }
    return (picture, Int(warnings))
  }

  /// A copy of a JPEG with an Exif segment in place of its own, its Huffman tables and its end
  /// where they lacked.
  static func rewrite(
    _ bytes: UnsafeRawBufferPointer, exif: Data, _ what: String
  ) throws(CaptureError) -> Data {
    guard let base = bytes.baseAddress else {
      throw .badImageData(what: what, reason: "it is empty")
    }
    var result = unsafe vf_buffer()
    var failure = unsafe vf_failure()
    let code = unsafe exif.withUnsafeBytes { exif in
      var segment = unsafe vf_jpeg_segment(
        marker: 0xe1, bytes: exif.baseAddress!.assumingMemoryBound(to: UInt8.self),
        count: exif.count)
      return unsafe vf_jpeg_rewrite(
        base.assumingMemoryBound(to: UInt8.self), bytes.count, &segment, 1, &result, &failure)
    }
    guard code == 0 else { throw unsafe failure.imageError(what) }
    return unsafe Data(taking: &result)
  }
}

/// A `vf_encoder`, which keeps its tables and buffers from one picture to the next.
final class JPEGEncoder: Sendable {
  @safe private struct Handle: ~Copyable, @unchecked Sendable {
    let encoder: OpaquePointer
    deinit { unsafe vf_encoder_destroy(encoder) }
  }

  /// Calls on one encoder must not overlap.
  private let handle: Mutex<Handle>

  init() throws(CaptureError) {
    var failure = unsafe vf_failure()
    guard let encoder = unsafe vf_encoder_create(&failure) else {
      throw unsafe failure.imageError("the JPEG encoder")
    }
    unsafe handle = Mutex(Handle(encoder: encoder))
  }

  /// How to encode.
  struct Options {
    /// IJG quality, 1 to 100.
    var quality: Int
    /// Restart markers per row of MCUs: an index for later crops.
    var restartsPerRow = 12
    var dotsPerInch = 0
  }

  /// Encodes a picture and hands the bytes, which hold only for the call, to `body`.
  func encode<R>(
    _ picture: Picture, _ options: Options, body: (UnsafeRawBufferPointer) throws(CaptureError) -> R
  ) throws(CaptureError) -> R {
    try handle.withLock { handle throws(CaptureError) in
      var encodeOptions = vf_encode_options()
      encodeOptions.quality = UInt8(min(max(options.quality, 1), 100))
      encodeOptions.restarts_per_row = UInt8(options.restartsPerRow)
      encodeOptions.dots_per_inch = UInt16(clamping: options.dotsPerInch)
      var bytes: UnsafePointer<UInt8>?
      var count = 0
      var failure = unsafe vf_failure()
      var image = unsafe picture.image
      let result = unsafe vf_encoder_encode(
        handle.encoder, &image, &encodeOptions, &bytes, &count, &failure)
      guard result == 0 else { throw unsafe failure.imageError("the picture") }
      return try unsafe body(UnsafeRawBufferPointer(start: bytes, count: count))
    }
  }

  /// Encodes a picture.
  func encode(_ picture: Picture, _ options: Options) throws(CaptureError) -> Data {
    try unsafe encode(picture, options) { bytes throws(CaptureError) in unsafe Data(bytes) }
  }
}

extension Data {
  /// Takes over the memory of a C buffer.
  init(taking buffer: inout vf_buffer) {
    guard let bytes = unsafe buffer.bytes, unsafe buffer.count > 0 else {
      self = Data()
      return
    }
    self = unsafe Data(bytesNoCopy: bytes, count: buffer.count, deallocator: .free)
    unsafe buffer = vf_buffer()
  }
}

extension JPEGCodec {
  /// A camera's JPEG frame as a file: Huffman tables and end marker added, padding left out.
  static func repaired(_ bytes: UnsafeRawBufferPointer) throws(CaptureError) -> Data {
    guard let base = bytes.baseAddress else {
      throw .badImageData(what: "the frame", reason: "it is empty")
    }
    var result = unsafe vf_buffer()
    var failure = unsafe vf_failure()
    let code = unsafe vf_jpeg_rewrite(
      base.assumingMemoryBound(to: UInt8.self), bytes.count, nil, 0, &result, &failure)
    guard code == 0 else { throw unsafe failure.imageError("the frame") }
    return unsafe Data(taking: &result)
  }
}

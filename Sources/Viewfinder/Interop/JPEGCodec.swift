import CViewfinder
import Foundation

/// The JPEG functions of the C core, over Swift's own bytes.
enum JPEGCodec {
  /// Reads a picture's markers.
  ///
  /// Fails only when they don't even tell its size.
  static func inspect(
    _ bytes: UnsafeRawBufferPointer, _ what: String
  ) throws(CaptureError) -> vf_jpeg_info {
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
    return info
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

  /// Decodes a picture at a `scale` of 1, 2, 4 or 8 eighths, or the part of it that `region` holds, in
  /// pixels at that scale.
  ///
  /// The picture comes as it is stored, with the number of libjpeg's warnings that told of damage. Chroma
  /// gets finer in a scaled picture where that costs nothing, unless it `keepsSubsampling`. Up to `cores`
  /// cores work on a picture with restart markers; the samples are the same.
  static func decode(
    _ bytes: UnsafeRawBufferPointer, _ what: String, region: vf_rectangle? = nil, scale: UInt8 = 8,
    keepsSubsampling: Bool = false, cores: Int = 1
  ) throws(CaptureError) -> (picture: Picture, warnings: Int) {
    guard let base = bytes.baseAddress else {
      throw .badImageData(what: what, reason: "it is empty")
    }
    var options = vf_decode_options()
    options.scale = scale
    options.keeps_subsampling = keepsSubsampling ? 1 : 0
    if let region {
      (options.x, options.y) = (region.x, region.y)
      (options.width, options.height) = (region.width, region.height)
    }
    let start = unsafe base.assumingMemoryBound(to: UInt8.self)
    let file = unsafe UnsafeBufferPointer(start: start, count: bytes.count)
    if cores > 1, vf_jpeg_is_optimized() != 0,
      let picture = try unsafe decodeInBands(file, what, options, cores: cores)
    {
      return (picture, 0)
    }
    var warnings: UInt32 = 0
    let picture = try unsafe Picture.make(what) { result, failure in
      unsafe vf_jpeg_decode(result, start, bytes.count, &options, &warnings, failure)
    }
    return (picture, Int(warnings))
  }

  /// A copy of a JPEG as a file: Huffman tables and end marker added where they lacked, padding left
  /// out, and where `exif` is given, that in place of its own Exif segment.
  ///
  /// `info` is what is known of the bytes; they are inspected where it is `nil`.
  static func rewrite(
    _ bytes: UnsafeRawBufferPointer, info: vf_jpeg_info?, exif: Data? = nil, _ what: String
  ) throws(CaptureError) -> Data {
    guard let base = bytes.baseAddress else {
      throw .badImageData(what: what, reason: "it is empty")
    }
    let bytesOfPicture = unsafe base.assumingMemoryBound(to: UInt8.self)
    var result = unsafe vf_buffer()
    var failure = unsafe vf_failure()
    let code = unsafe withSegments(exif: exif) { segments, segmentCount in
      guard var info else {
        return unsafe vf_jpeg_rewrite(
          bytesOfPicture, bytes.count, nil, segments, segmentCount, &result, &failure)
      }
      return unsafe vf_jpeg_rewrite(
        bytesOfPicture, bytes.count, &info, segments, segmentCount, &result, &failure)
    }
    guard code == 0 else { throw unsafe failure.imageError(what) }
    return unsafe Data(taking: &result)
  }

  /// The same of a camera's frame, without a copy of its scans.
  static func rewritten(
    _ lease: FrameLease, info: vf_jpeg_info, exif: Data, _ what: String
  ) throws(CaptureError) -> PhotoContent {
    guard let base = unsafe lease.bytes.baseAddress else {
      throw .badImageData(what: what, reason: "it is empty")
    }
    let start = unsafe base.assumingMemoryBound(to: UInt8.self)
    var (info, parts, failure) = unsafe (info, vf_jpeg_parts(), vf_failure())
    let code = unsafe withSegments(exif: exif) { segments, segmentCount in
      unsafe vf_jpeg_rewrite_in_parts(
        start, lease.bytes.count, &info, segments, segmentCount, &parts, &failure)
    }
    guard code == 0 else { throw unsafe failure.imageError(what) }
    let end = unsafe withUnsafeBytes(of: parts.end) { unsafe Data($0.prefix(parts.end_count)) }
    let scan = unsafe parts.scan_offset..<parts.scan_offset + parts.scan_count
    return unsafe PhotoContent(header: Data(taking: &parts.header), lease, scan: scan, end: end)
  }

  /// A part of a JPEG without any loss; the part that it shows indeed, and how its edges lie.
  static func crop(
    _ bytes: UnsafeRawBufferPointer, to part: vf_rectangle, alignment: LosslessCrop.Alignment,
    _ what: String
  ) throws(CaptureError) -> (data: Data, part: vf_rectangle, alignment: LosslessCrop.Alignment) {
    guard let base = bytes.baseAddress else {
      throw .badImageData(what: what, reason: "it is empty")
    }
    let start = unsafe base.assumingMemoryBound(to: UInt8.self)
    let wanted = alignment == .grid ? VF_ALIGNED_TO_RESTARTS : VF_ALIGNED_TO_MCU
    var result = unsafe vf_jpeg_crop()
    var failure = unsafe vf_failure()
    var part = part
    guard
      unsafe vf_jpeg_crop_losslessly(
        &result, start, bytes.count, &part, wanted, nil, 0, &failure) == 0
    else { throw unsafe failure.imageError(what) }
    let isGrid = unsafe result.alignment == VF_ALIGNED_TO_RESTARTS
    return unsafe (Data(taking: &result.picture), result.rectangle, isGrid ? .grid : .mcu)
  }

  /// Lends the Exif segment, where there is one, to `body`.
  static func withSegments<R>(
    exif: Data?, _ body: (UnsafePointer<vf_jpeg_segment>?, Int) -> R
  ) -> R {
    guard let exif else { return body(nil, 0) }
    return unsafe exif.withUnsafeBytes { exif in
      var segment = unsafe vf_jpeg_segment(
        marker: 0xe1, bytes: exif.baseAddress!.assumingMemoryBound(to: UInt8.self),
        count: exif.count)
      return unsafe body(&segment, 1)
    }
  }
}

extension vf_jpeg_info {
  var dimensions: Dimensions { Dimensions(width: Int(width), height: Int(height)) }

  /// The TIFF data of the Exif segment within the picture's `bytes`; `nil` where there are none.
  func tiff(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard exif_length > 0, exif_offset + exif_length <= bytes.count else { return nil }
    return unsafe UnsafeRawBufferPointer(rebasing: bytes[exif_offset..<exif_offset + exif_length])
  }

  /// How the picture in `bytes` is turned upright.
  func orientation(in bytes: UnsafeRawBufferPointer) -> ImageOrientation {
    unsafe tiff(in: bytes).map { unsafe ImageOrientation(tiff: $0) } ?? .up
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

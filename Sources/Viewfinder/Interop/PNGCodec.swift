import CViewfinder
import Foundation

/// The PNG functions of the C core, over Swift's own bytes.
enum PNGCodec {
  static func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let base = bytes.baseAddress else { return false }
    return unsafe vf_png_matches(base.assumingMemoryBound(to: UInt8.self), bytes.count) != 0
  }

  /// Reads a file's chunks.
  ///
  /// Fails only when they don't even tell its size.
  static func inspect(_ bytes: UnsafeRawBufferPointer, _ what: String)
    throws(CaptureError) -> vf_png_info
  {
    guard let base = bytes.baseAddress else {
      throw .badImageData(what: what, reason: "it is empty")
    }
    var info = vf_png_info()
    var failure = unsafe vf_failure()
    guard
      unsafe vf_png_inspect(
        base.assumingMemoryBound(to: UInt8.self), bytes.count, &info, &failure) == 0
    else { throw unsafe failure.imageError(what) }
    return info
  }

  /// Decodes a picture: scaled down to a size where one is given, or a region of it.
  static func decode(
    _ bytes: UnsafeRawBufferPointer, _ what: String, size: Dimensions? = nil,
    region: vf_rectangle? = nil
  ) throws(CaptureError) -> Picture {
    guard let base = bytes.baseAddress else {
      throw .badImageData(what: what, reason: "it is empty")
    }
    var options = vf_png_options()
    options.width = UInt32(clamping: size?.width ?? 0)
    options.height = UInt32(clamping: size?.height ?? 0)
    options.part = region ?? vf_rectangle()
    return try unsafe Picture.make(what) { result, failure in
      unsafe vf_png_decode(
        result, base.assumingMemoryBound(to: UInt8.self), bytes.count, &options, failure)
    }
  }

  /// Encodes a picture, with Exif data (TIFF) as its eXIf chunk.
  ///
  /// A quick one is a little larger.
  static func encode(_ picture: Picture, tiff: Data, dotsPerInch: Int, isQuick: Bool = false)
    throws(CaptureError) -> Data
  {
    var result = unsafe vf_buffer()
    var failure = unsafe vf_failure()
    let code = unsafe tiff.withUnsafeBytes { tiff in
      var image = unsafe picture.image
      return unsafe vf_png_encode(
        &image, tiff.baseAddress?.assumingMemoryBound(to: UInt8.self), tiff.count,
        UInt32(clamping: dotsPerInch), isQuick ? 1 : 0, &result, &failure)
    }
    guard code == 0 else { throw unsafe failure.imageError("the picture") }
    return unsafe Data(taking: &result)
  }
}

extension vf_png_info {
  var dimensions: Dimensions { Dimensions(width: Int(width), height: Int(height)) }

  /// The TIFF data of the eXIf chunk within the file's `bytes`; `nil` where there are none.
  func tiff(in bytes: UnsafeRawBufferPointer) -> Data? {
    guard exif_length > 0, exif_offset + exif_length <= bytes.count else { return nil }
    return unsafe Data(bytes[exif_offset..<exif_offset + exif_length])
  }
}

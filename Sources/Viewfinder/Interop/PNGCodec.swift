import CViewfinder
import Foundation

/// The PNG functions of the C core, over Swift's own bytes.
enum PNGCodec {
  static func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let base = bytes.baseAddress else { return false }
    return unsafe vf_png_matches(base.assumingMemoryBound(to: UInt8.self), bytes.count) != 0
  }

  /// Decodes a picture, and returns its Exif data (TIFF) where it has some.
  static func decode(_ bytes: UnsafeRawBufferPointer, _ what: String)
    throws(CaptureError) -> (picture: Picture, tiff: Data)
  {
    guard let base = bytes.baseAddress else {
      throw .badImageData(what: what, reason: "it is empty")
    }
    var tiff = unsafe vf_buffer()
    let picture = try unsafe Picture.make(what) { result, failure in
      unsafe vf_png_decode(
        result, base.assumingMemoryBound(to: UInt8.self), bytes.count, 0, &tiff, failure)
    }
    return unsafe (picture, Data(taking: &tiff))
  }

  /// Encodes a picture, with Exif data (TIFF) as its eXIf chunk.
  static func encode(_ picture: Picture, tiff: Data, dotsPerInch: Int)
    throws(CaptureError) -> Data
  {
    var result = unsafe vf_buffer()
    var failure = unsafe vf_failure()
    let code = unsafe tiff.withUnsafeBytes { tiff in
      var image = unsafe picture.image
      return unsafe vf_png_encode(
        &image, tiff.baseAddress?.assumingMemoryBound(to: UInt8.self), tiff.count,
        UInt32(clamping: dotsPerInch), &result, &failure)
    }
    guard code == 0 else { throw unsafe failure.imageError("the picture") }
    return unsafe Data(taking: &result)
  }
}

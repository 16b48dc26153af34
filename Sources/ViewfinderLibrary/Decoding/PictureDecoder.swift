import Foundation
import Viewfinder

/// The formats that this build decodes.
enum PictureDecoder {
  case jpeg
  case png
  #if WebP
    case webP
  #endif
  #if HEIF
    case heif
  #endif

  /// The decoder for a type, if there is one.
  init?(_ type: ContentType?) {
    switch type {
    case .jpeg: self = .jpeg
    case .png: self = .png
    #if WebP
      case .webP: self = .webP
    #endif
    #if HEIF
      case .heic, .heif, .avif: self = .heif
    #endif
    default: return nil
    }
  }

  /// Why a type has no decoder, and what can be done.
  static func reasonForNone(_ type: ContentType?) -> String {
    switch type {
    case nil: "its type is unknown"
    case .webP: "WebP is decoded by programs that are built with the trait WebP"
    case .heic, .heif, .avif:
      "HEIC and AVIF are decoded by programs that are built with the trait HEIF"
    case .some(let type): "files of type \(type.mimeType) aren't decoded"
    }
  }

  /// The most pixels of a picture, as only JPEG is scaled down before it takes memory.
  private static func pixelLimit(fitting box: Dimensions?) -> Int {
    box == nil ? 200_000_000 : 64_000_000
  }

  /// Why a picture of this size isn't decoded; `nil` when it is.
  func reasonAgainst(_ size: Dimensions?, fitting box: Dimensions?) -> String? {
    guard self != .jpeg, let size else { return nil }
    let (pixels, overflows) = size.width.multipliedReportingOverflow(by: size.height)
    guard overflows || pixels > Self.pixelLimit(fitting: box) else { return nil }
    return "\(size.width) x \(size.height) pixels take too much memory"
  }

  /// Decodes a file, upright, and scaled down to fit into a box where there is one.
  func picture(_ data: Data, _ info: MediaInfo, fitting box: Dimensions?) throws(CaptureError)
    -> PixelBuffer
  {
    switch self {
    case .jpeg, .png:
      guard let box else { return try PixelBuffer(decoding: data) }
      return try PixelBuffer(decoding: data, fitting: box)
    #if WebP
      case .webP: return try WebPDecoder.decode(data, orientation: info.orientation, fitting: box)
    #endif
    #if HEIF
      case .heif: return try HEIFDecoder.decode(data, fitting: box)
    #endif
    }
  }

  /// Decodes a file, and tells whether none of the picture can be wrong.
  func isWhole(_ data: Data, _ info: MediaInfo, fitting box: Dimensions) throws(CaptureError)
    -> Bool
  {
    // Only the JPEG decoder goes on after damage.
    if self == .jpeg { return try !PixelBuffer.decode(data, fitting: box).hadDamage }
    _ = try picture(data, info, fitting: box)
    return true
  }
}

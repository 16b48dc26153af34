import Foundation
import Viewfinder

/// The formats that this build decodes.
enum PictureDecoder {
  case jpeg
  case png
  case tiff
  case gif
  case bmp
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
    case .tiff: self = .tiff
    case .gif: self = .gif
    case .bmp: self = .bmp
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

  /// The most pixels each way, of what is decoded, and of what it is scaled down to.
  private static let (sideLimit, pixelLimit, fittedPixelLimit) = (65_500, 200_000_000, 64_000_000)

  /// Why a picture of this size isn't decoded; `nil` when it is.
  func reasonAgainst(_ size: Dimensions?, fitting box: Dimensions?) -> String? {
    guard self != .jpeg, let size else { return nil }
    let isTooLarge =
      size.width > Self.sideLimit || size.height > Self.sideLimit || size.area > Self.pixelLimit
    let fitted = box.map { size.fitted(into: $0).area } ?? 0
    guard isTooLarge || fitted > Self.fittedPixelLimit else { return nil }
    return "\(size.width) x \(size.height) pixels take too much memory"
  }

  /// Decodes a file, upright, and scaled down to fit into a box where there is one.
  func picture(_ file: FileReader, _ info: MediaInfo, fitting box: Dimensions?)
    throws(CaptureError) -> PixelBuffer
  {
    switch self {
    case .jpeg, .png:
      let data = try file.picture()
      guard let box else { return try PixelBuffer(decoding: data) }
      return try PixelBuffer(decoding: data, fitting: box)
    case .tiff: return try TIFFDecoder.decode(file, orientation: info.orientation, fitting: box)
    case .gif: return try GIFDecoder.decode(file, fitting: box)
    case .bmp: return try BMPDecoder.decode(file, fitting: box)
    #if WebP
      case .webP:
        return try WebPDecoder.decode(
          file.picture(), orientation: info.orientation, fitting: box)
    #endif
    #if HEIF
      case .heif: return try HEIFDecoder.decode(file.picture(), fitting: box)
    #endif
    }
  }

  /// Decodes a file, and tells whether none of the picture can be wrong.
  func isWhole(_ file: FileReader, _ info: MediaInfo, fitting box: Dimensions)
    throws(CaptureError) -> Bool
  {
    switch self {
    // Only the JPEG decoder goes on after damage.
    case .jpeg: return try !PixelBuffer.decode(file.picture(), fitting: box).hadDamage
    #if HEIF
      case .heif: _ = try HEIFDecoder.decode(file.picture(), fitting: box, usesThumbnails: false)
    #endif
    default: _ = try picture(file, info, fitting: box)
    }
    return true
  }
}

extension FileReader {
  /// Larger files are no pictures that somebody looks at, in bytes.
  static let pictureSizeLimit = 256 << 20

  /// The whole file, as decoders that need it take it.
  fileprivate func picture() throws(CaptureError) -> Data {
    do throws(PhotoLibraryError) {
      return try readAll(limit: Self.pictureSizeLimit)
    } catch {
      throw CaptureError(error)
    }
  }
}

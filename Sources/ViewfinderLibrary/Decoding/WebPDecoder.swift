#if WebP
  import CLibWebP
  import Foundation
  import Viewfinder

  /// WebP pictures, by libwebp; of an animation, the first picture.
  enum WebPDecoder {
    /// The most pixels of a picture that libwebp holds whole: a lossless one, at four bytes a pixel, and an
    /// animation's, at three times as much.
    private static let (losslessPixelLimit, animatedPixelLimit) = (50_000_000, 16_000_000)

    /// Decodes a file, turned by the orientation of its Exif data.
    static func decode(
      _ data: Data, orientation: ImageOrientation, fitting box: Dimensions?
    ) throws(CaptureError) -> PixelBuffer {
      let stored = try unsafe data.withBytes { bytes throws(CaptureError) in
        let bytes = unsafe bytes.bindMemory(to: UInt8.self)
        var features = WebPBitstreamFeatures()
        try check(unsafe WebPGetFeatures(bytes.baseAddress, bytes.count, &features))
        let size = Dimensions(width: Int(features.width), height: Int(features.height))
        let fitted = size.fitted(into: (orientation.swapsDimensions ? box?.swapped : box) ?? size)
        if let reason = reasonAgainst(features, size, fitted, hasBox: box != nil) {
          throw .unsupportedImage(what: "the picture", reason: reason)
        }
        if features.has_animation != 0 {
          return try unsafe firstPicture(of: bytes, size).scaled(toFit: fitted)
        }
        return try unsafe picture(bytes, size, fitted, hasAlpha: features.has_alpha != 0)
      }
      return try stored.oriented(orientation)
    }

    private static func reasonAgainst(
      _ features: WebPBitstreamFeatures, _ size: Dimensions, _ fitted: Dimensions, hasBox: Bool
    ) -> String? {
      let isLossless = features.format == 2
      let isTooLarge =
        features.has_animation != 0
        ? size.area > animatedPixelLimit
        : hasBox && (isLossless && size.area > losslessPixelLimit)
      guard
        isTooLarge || PictureDecoder.webP.reasonAgainst(size, fitting: hasBox ? fitted : nil) != nil
      else { return nil }
      return "\(size.width) x \(size.height) pixels of WebP take too much memory"
    }

    /// A still picture, scaled down while it is decoded.
    private static func picture(
      _ bytes: UnsafeBufferPointer<UInt8>, _ size: Dimensions, _ fitted: Dimensions, hasAlpha: Bool
    ) throws(CaptureError) -> PixelBuffer {
      var config = unsafe WebPDecoderConfig()
      guard unsafe WebPInitDecoderConfig(&config) != 0 else {
        throw .unsupportedImage(what: "the picture", reason: "this libwebp is another version")
      }
      let bytesPerPixel = hasAlpha ? 4 : 3
      let count = fitted.area * bytesPerPixel
      if fitted != size {
        unsafe config.options.use_scaling = 1
        unsafe config.options.scaled_width = Int32(fitted.width)
        unsafe config.options.scaled_height = Int32(fitted.height)
      }
      unsafe config.output.colorspace = hasAlpha ? MODE_RGBA : MODE_RGB
      unsafe config.output.is_external_memory = 1
      var pixels = Data(count: count)
      let status = unsafe pixels.withUnsafeMutableBytes { pixels in
        unsafe config.output.u.RGBA.rgba = pixels.bindMemory(to: UInt8.self).baseAddress
        unsafe config.output.u.RGBA.stride = Int32(fitted.width * bytesPerPixel)
        unsafe config.output.u.RGBA.size = count
        return unsafe WebPDecode(bytes.baseAddress, bytes.count, &config)
      }
      unsafe WebPFreeDecBuffer(&config.output)
      try check(status)
      return try PixelBuffer(
        pixelFormat: hasAlpha ? .rgba32 : .rgb24, dimensions: fitted, data: pixels)
    }

    /// The first picture of an animation, on its whole canvas.
    private static func firstPicture(
      of bytes: UnsafeBufferPointer<UInt8>, _ size: Dimensions
    ) throws(CaptureError) -> PixelBuffer {
      var data = unsafe WebPData(bytes: bytes.baseAddress, size: bytes.count)
      let decoder = unsafe WebPAnimDecoderNew(&data, nil)
      defer { unsafe WebPAnimDecoderDelete(decoder) }
      var pixels: UnsafeMutablePointer<UInt8>?
      var time: Int32 = 0
      guard let decoder = unsafe decoder,
        unsafe WebPAnimDecoderGetNext(decoder, &pixels, &time) != 0, let pixels = unsafe pixels
      else { throw .badImageData(what: "the picture", reason: "its animation is damaged") }
      return try PixelBuffer(
        pixelFormat: .rgba32, dimensions: size,
        data: unsafe Data(bytes: pixels, count: size.area * 4))
    }

    private static func check(_ status: VP8StatusCode) throws(CaptureError) {
      let what = "the picture"
      switch status {
      case VP8_STATUS_OK: return
      case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED:
        throw .badImageData(what: what, reason: "it ends too early")
      case VP8_STATUS_OUT_OF_MEMORY:
        throw .system(call: "WebPDecode", code: ENOMEM, subject: "the picture")
      case VP8_STATUS_UNSUPPORTED_FEATURE:
        throw .unsupportedImage(what: what, reason: "this kind of WebP isn't decoded by libwebp")
      default: throw .badImageData(what: what, reason: "it is no valid WebP (\(status.rawValue))")
      }
    }
  }
#endif

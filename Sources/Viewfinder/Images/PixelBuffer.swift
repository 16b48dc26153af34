public import Foundation

/// An uncompressed picture in memory; Apple's `CVPixelBuffer`.
///
/// Copies share the memory, which never changes.
public struct PixelBuffer: Sendable {
  let picture: Picture

  init(picture: Picture) { self.picture = picture }

  /// Decodes a JPEG or PNG file and turns it upright as its Exif orientation says.
  ///
  /// - Parameter data: The file's bytes.
  /// - Throws: ``CaptureError/badImageData(what:reason:)`` or
  ///   ``CaptureError/unsupportedImage(what:reason:)``.
  public init(decoding data: Data) throws(CaptureError) {
    let source = try PhotoSource(data: data, name: "the picture")
    picture = try source.upright().picture
  }

  /// Copies pixels laid out as V4L2 does: planes one after the other.
  ///
  /// - Parameters:
  ///   - pixelFormat: The layout.
  ///   - dimensions: The size, in pixels.
  ///   - bytesPerRow: Distance from one row of the first plane to the next, in bytes; 0, the
  ///     default, for rows without padding.
  ///   - data: The bytes.
  /// - Throws: ``CaptureError`` for a layout that has no pixels, or when `data` is too short.
  public init(
    pixelFormat: PixelFormat, dimensions: Dimensions, bytesPerRow: Int = 0, data: Data
  ) throws(CaptureError) {
    picture = try Picture.copy(
      data, format: pixelFormat, dimensions: dimensions, bytesPerRow: bytesPerRow)
  }

  /// How the pixels are laid out.
  public var pixelFormat: PixelFormat { picture.pixelFormat }

  /// The size, in pixels.
  public var dimensions: Dimensions { picture.dimensions }

  /// How many planes the layout has.
  public var planeCount: Int { picture.planeCount }

  /// Whether pixels have an alpha value.
  public var hasAlpha: Bool { picture.hasAlpha }

  /// Distance from one row of a plane to the next, in bytes.
  public func bytesPerRow(ofPlane plane: Int = 0) -> Int { picture.bytesPerRow(ofPlane: plane) }

  /// The number of rows of a plane.
  public func rowCount(ofPlane plane: Int = 0) -> Int { picture.rowCount(ofPlane: plane) }

  /// The bytes of a plane, row after row.
  ///
  /// ```swift
  /// /// The luma of a pixel.
  /// func luma(of picture: PixelBuffer, x: Int, y: Int) throws -> UInt8 {
  ///   let grey = try picture.converted(to: .grey)
  ///   return grey.bytes()[y * grey.bytesPerRow() + x]
  /// }
  /// ```
  ///
  /// - Parameter plane: 0 ..< ``planeCount``; planar layouts have Y, Cb, Cr in this order.
  /// - Returns: The bytes, which stay valid as long as the picture.
  @_lifetime(borrow self)
  public func bytes(ofPlane plane: Int = 0) -> Span<UInt8> {
    let memory = unsafe picture.memory(ofPlane: plane)
    let bytes = unsafe Span<UInt8>(_unsafeBytes: memory)
    return unsafe _overrideLifetime(bytes, borrowing: self)
  }

  /// The picture in another layout.
  public func converted(to format: PixelFormat) throws(CaptureError) -> PixelBuffer {
    PixelBuffer(picture: try picture.converted(to: format))
  }

  /// The picture as a JPEG file without metadata.
  ///
  /// A JPEG has no transparency.
  ///
  /// - Parameter quality: From 0 (smallest) to 1 (best). The default is 0.9.
  /// - Returns: The file's bytes.
  /// - Throws: ``CaptureError`` when memory is short.
  public func jpegData(quality: Double = 0.9) throws(CaptureError) -> Data {
    try JPEGEncoder().encode(
      picture,
      JPEGEncoder.Options(
        quality: ijgQuality(quality), cores: JPEGEncoder.Options.coresOfPhoto))
  }

  /// The picture as a PNG file without metadata.
  public func pngData() throws(CaptureError) -> Data {
    try PNGCodec.encode(picture, tiff: Data(), dotsPerInch: 0)
  }

  /// The picture as a PNG file that is made in a third of the time and is a little larger.
  package func quickPNGData() throws(CaptureError) -> Data {
    try PNGCodec.encode(picture, tiff: Data(), dotsPerInch: 0, isQuick: true)
  }
}

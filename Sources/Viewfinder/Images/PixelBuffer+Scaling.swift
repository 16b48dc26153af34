public import Foundation

// Smaller pictures.
extension PixelBuffer {
  /// Decodes a JPEG or PNG file to a picture that fits into a box, upright as its Exif orientation says.
  ///
  /// It scales a large JPEG down while decoding it, which takes a fraction of the time and memory.
  /// A picture that is smaller than the box keeps its size.
  ///
  /// - Parameters:
  ///   - data: The file's bytes.
  ///   - box: The greatest width and height of the upright picture, in pixels.
  /// - Throws: ``CaptureError/badImageData(what:reason:)`` or
  ///   ``CaptureError/unsupportedImage(what:reason:)``.
  public init(decoding data: Data, fitting box: Dimensions) throws(CaptureError) {
    self = try PixelBuffer.decode(data, fitting: box).buffer
  }

  /// Decodes a file like ``init(decoding:fitting:)``, and tells whether part of the picture may be
  /// wrong because the data was damaged.
  ///
  /// `orientation` takes the place of the file's own.
  package static func decode(
    _ data: Data, fitting box: Dimensions, orientation: ImageOrientation? = nil
  ) throws(CaptureError) -> (buffer: PixelBuffer, hadDamage: Bool) {
    let source = try PhotoSource(data: data, name: "the picture", orientation: orientation)
    let (picture, hadDamage) = try source.upright(fitting: box)
    return (PixelBuffer(picture: picture), hadDamage)
  }

  /// The picture scaled down to fit into a box; a smaller one keeps its size.
  ///
  /// - Parameter box: The greatest width and height, in pixels.
  /// - Returns: The whole picture, with the same proportions.
  /// - Throws: ``CaptureError`` when memory is short.
  public func scaled(toFit box: Dimensions) throws(CaptureError) -> PixelBuffer {
    PixelBuffer(picture: try picture.resized(to: dimensions.fitted(into: box)))
  }

  /// The square in the middle of the picture, scaled down to a side; a smaller one keeps its size.
  ///
  /// - Parameter side: The greatest width and height, in pixels.
  /// - Returns: The square picture.
  /// - Throws: ``CaptureError`` when memory is short.
  public func squared(side: Int) throws(CaptureError) -> PixelBuffer {
    let square = try picture.centerSquare()
    let box = Dimensions(width: side, height: side)
    return PixelBuffer(picture: try square.resized(to: square.dimensions.fitted(into: box)))
  }

  /// The picture turned and mirrored as an Exif orientation says.
  ///
  /// - Parameter orientation: How to turn and mirror it.
  /// - Returns: The upright picture; itself for ``ImageOrientation/up``.
  /// - Throws: ``CaptureError`` when memory is short.
  public func oriented(_ orientation: ImageOrientation) throws(CaptureError) -> PixelBuffer {
    orientation == .up ? self : PixelBuffer(picture: try picture.oriented(orientation))
  }

  /// How much memory the pixels take, in bytes, without padding at the end.
  package var byteCount: Int {
    let planes = (0..<planeCount).map { bytesPerRow(ofPlane: $0) * rowCount(ofPlane: $0) }
    // Planar layouts keep coverage in a plane of its own.
    return planes.reduce(0, +) + (hasAlpha && planeCount != 1 ? dimensions.area : 0)
  }
}

extension Dimensions {
  /// The largest dimensions with the same proportions that fit into a box and don't exceed these.
  ///
  /// They are whole pixels, at least one each way.
  ///
  /// - Parameter box: The greatest width and height.
  /// - Returns: The dimensions of the whole picture in the box.
  public func fitted(into box: Dimensions) -> Dimensions {
    guard width > 0, height > 0, width > box.width || height > box.height else { return self }
    let scale = min(Double(box.width) / Double(width), Double(box.height) / Double(height))
    return Dimensions(
      width: max(Int((Double(width) * scale).rounded()), 1),
      height: max(Int((Double(height) * scale).rounded()), 1))
  }
}

public import Foundation

/// What a photo is cropped to.
///
/// It is the same value everywhere: in a photo's settings, in the recipe that a photo library keeps
/// beside an original, and in what a person did in a picker.
///
/// ```swift
/// let card = try PhotoCrop(outline: .card(), rectifiedSize: Dimensions(width: 1011, height: 638))
///   .apply(to: Data(contentsOf: url), name: url.lastPathComponent)
/// try PhotoFile.write(card.data, to: destination)
/// ```
public struct PhotoCrop: Hashable, Sendable {
  /// The outline, in units of the upright picture, or `nil` for the whole picture.
  public var outline: Outline?
  /// The size to which the outline's corners are pulled straight, in pixels; `nil` leaves the
  /// perspective.
  public var rectifiedSize: Dimensions?
  /// The radius of the round corners that a picture pulled straight gets, in units of its width;
  /// `nil` leaves them square.
  ///
  /// It has no effect without a ``rectifiedSize``: an outline has its own corners.
  public var cornerRadius: Double?
  /// The colour around the outline.
  ///
  /// `nil` means transparent in a PNG, and white in a JPEG. The default is `nil`.
  public var backgroundColor: PhotoColor?

  /// Creates a crop; without arguments, one that keeps the whole picture.
  public init(
    outline: Outline? = nil, rectifiedSize: Dimensions? = nil, cornerRadius: Double? = nil,
    backgroundColor: PhotoColor? = nil
  ) {
    self.outline = outline
    self.rectifiedSize = rectifiedSize
    self.cornerRadius = cornerRadius
    self.backgroundColor = backgroundColor
  }

  /// Whether the picture stays whole.
  var isWhole: Bool { outline == nil && rectifiedSize == nil }

  /// Crops a JPEG or PNG file.
  ///
  /// The result is upright (Orientation 1) and keeps the other Exif tags of the original.
  ///
  /// - Parameters:
  ///   - data: The file's bytes.
  ///   - name: The file's name in error messages.
  ///   - orientation: How to turn the picture upright; `nil`, the default, follows its Exif data.
  ///   - encoding: The kind of file to make. The default is a JPEG.
  /// - Returns: The cropped file.
  /// - Throws: ``CaptureError/badImageData(what:reason:)`` or
  ///   ``CaptureError/unsupportedImage(what:reason:)`` for a file that can't be decoded,
  ///   ``CaptureError/invalidSettings(reason:)`` for an outline that lies outside the picture.
  public func apply(
    to data: Data, name: String = "the picture", orientation: ImageOrientation? = nil,
    as encoding: PhotoEncoding = PhotoEncoding()
  ) throws(CaptureError) -> CroppedPhoto {
    try apply(to: PhotoSource(data: data, name: name, orientation: orientation), as: encoding)
  }

  /// Crops a decoded picture, such as one in a format that Viewfinder doesn't decode.
  ///
  /// - Parameters:
  ///   - picture: The picture, upright.
  ///   - exif: Exif data of its file (TIFF, from the byte order on), which the result keeps, except
  ///     for the orientation, the size and an old thumbnail. The default is none.
  ///   - name: The picture's name in error messages.
  ///   - encoding: The kind of file to make. The default is a JPEG.
  /// - Returns: The cropped file.
  /// - Throws: ``CaptureError/invalidSettings(reason:)`` for an outline that lies outside the picture.
  public func apply(
    to picture: PixelBuffer, exif: Data? = nil, name: String = "the picture",
    as encoding: PhotoEncoding = PhotoEncoding()
  ) throws(CaptureError) -> CroppedPhoto {
    try apply(to: PhotoSource(picture.picture, name: name, tiff: exif), as: encoding)
  }

  private func apply(
    to source: PhotoSource, as encoding: PhotoEncoding
  ) throws(CaptureError) -> CroppedPhoto {
    let rendered = try PhotoRenderer(encoder: JPEGEncoder())
      .render(source, crop: self, as: encoding, metadata: PhotoMetadata())
    let size = source.uprightDimensions
    return CroppedPhoto(
      data: rendered.content.data, dimensions: rendered.dimensions, originalDimensions: size,
      crop: rendered.crop, detectedOutline: rendered.detected,
      isOutlineClipped: rendered.crop.outline?.isClipped(in: size) ?? false,
      hadDamage: rendered.hadDamage)
  }
}

/// A photo that ``PhotoCrop/apply(to:name:orientation:as:)`` made.
public struct CroppedPhoto: Sendable {
  /// The file's bytes.
  public let data: Data
  /// The picture's size, in pixels.
  public let dimensions: Dimensions
  /// The size of the original when upright, in pixels.
  public let originalDimensions: Dimensions
  /// What the original was cropped to: the crop that was applied, with what was found where the outline was
  /// to be ``Outline/detected(within:fallback:)``.
  public let crop: PhotoCrop
  /// What was found, and how surely; `nil` when nothing was to be found, or nothing was.
  public let detectedOutline: DetectedOutline?
  /// Whether the outline stuck out of the original, so that what lies outside is missing.
  public let isOutlineClipped: Bool
  /// Whether the original was damaged or cut short, so that part of the picture may be wrong.
  public let hadDamage: Bool
}

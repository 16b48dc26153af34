public import Foundation

/// The kind of file that a photo becomes.
public enum PhotoFileType: String, Hashable, Sendable, CaseIterable {
  /// Baseline JPEG with Exif metadata.
  case jpeg
  /// PNG with Exif metadata; keeps transparency.
  case png

  /// The usual ending of the file's name, without a dot.
  public var pathExtension: String { self == .jpeg ? "jpg" : "png" }
}

/// How to crop a photo, and which file to make of it.
///
/// ```swift
/// let card = try PhotoCrop(outline: .card(), rectifiedSize: Dimensions(width: 1011, height: 638))
///   .apply(to: Data(contentsOf: url), name: url.lastPathComponent)
/// try PhotoFile.write(card.data, to: destination)
/// ```
public struct PhotoCrop: Hashable, Sendable {
  /// The outline, or `nil` for the whole picture.
  public var outline: Outline?
  /// The size to which the outline's corners are pulled straight, in pixels; `nil` leaves the
  /// perspective.
  public var rectifiedSize: Dimensions?
  /// The colour around the outline.
  ///
  /// `nil` means transparent in a PNG, and white in a JPEG. The default is `nil`.
  public var backgroundColor: PhotoColor?
  /// The kind of file.
  ///
  /// The default is `.jpeg`.
  public var fileType = PhotoFileType.jpeg
  /// The JPEG quality, from 0 (smallest) to 1 (best); values outside are clamped.
  ///
  /// The default is 0.9.
  public var quality = 0.9
  /// Whether a thumbnail (160 × 120 at most) goes into the Exif data of a JPEG.
  ///
  /// The default is `true`.
  public var embedsThumbnail = true

  /// Creates a crop.
  public init(outline: Outline? = nil, rectifiedSize: Dimensions? = nil) {
    self.outline = outline
    self.rectifiedSize = rectifiedSize
  }

  /// Crops a JPEG or PNG file.
  ///
  /// The result is upright (Orientation 1) and keeps the other Exif tags of the original.
  ///
  /// - Parameters:
  ///   - data: The file's bytes.
  ///   - name: What the file is called in error messages.
  ///   - orientation: How the picture is turned upright; `nil` follows its Exif data.
  /// - Returns: The new file.
  /// - Throws: ``CaptureError/badImageData(what:reason:)`` or
  ///   ``CaptureError/unsupportedImage(what:reason:)`` for a file that can't be decoded,
  ///   ``CaptureError/invalidSettings(reason:)`` for an outline that lies outside the picture.
  public func apply(
    to data: Data, name: String = "the picture", orientation: ImageOrientation? = nil
  ) throws(CaptureError) -> CroppedPhoto {
    try apply(to: PhotoSource(data: data, name: name, orientation: orientation))
  }

  /// Crops a picture that is decoded already, such as one of a format that Viewfinder doesn't decode.
  ///
  /// - Parameters:
  ///   - picture: The picture, upright.
  ///   - exif: Exif data of its file (TIFF, from the byte order on), which the result keeps, but for the
  ///     orientation, the size and an old thumbnail. The default is none.
  ///   - name: What the picture is called in error messages.
  /// - Returns: The new file.
  /// - Throws: ``CaptureError/invalidSettings(reason:)`` for an outline that lies outside the picture.
  public func apply(
    to picture: PixelBuffer, exif: Data? = nil, name: String = "the picture"
  ) throws(CaptureError) -> CroppedPhoto {
    try apply(to: PhotoSource(picture.picture, name: name, tiff: exif))
  }

  private func apply(to source: PhotoSource) throws(CaptureError) -> CroppedPhoto {
    let rendered = try PhotoRenderer(encoder: try JPEGEncoder())
      .render(source, crop: self, metadata: PhotoMetadata())
    return CroppedPhoto(
      data: rendered.data, dimensions: rendered.dimensions,
      originalDimensions: source.uprightDimensions, hadDamage: rendered.hadDamage)
  }
}

/// A photo that ``PhotoCrop/apply(to:name:orientation:)`` made.
public struct CroppedPhoto: Sendable {
  /// The file's bytes.
  public let data: Data
  /// The picture's size, in pixels.
  public let dimensions: Dimensions
  /// The size of the original when upright, in pixels.
  public let originalDimensions: Dimensions
  /// Whether the original was damaged or cut short, so that part of the picture may be wrong.
  public let hadDamage: Bool
}

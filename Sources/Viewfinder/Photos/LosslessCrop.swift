public import Foundation

/// A part of a JPEG photo that was cut out without decoding it: its pixels are those of the original, exactly.
///
/// JPEG pictures are made of blocks, so the edges move outwards to where these begin.
///
/// ```swift
/// let crop = PhotoCrop(outline: .rectangle(CGRect(x: 0.2, y: 0.2, width: 0.5, height: 0.5)))
/// let part = try crop.applyLosslessly(to: Data(contentsOf: url), alignment: .grid)
/// try PhotoFile.write(part.data, to: destination)
/// ```
public struct LosslessCrop: Sendable {
  /// Where the edges lie.
  public enum Alignment: String, Hashable, Sendable, CaseIterable {
    /// At restart intervals, all four. Nothing is read but the markers: it takes a fraction of a millisecond.
    ///
    /// Photos that Viewfinder writes have about twelve intervals in a row, each 8 or 16 pixels high.
    case grid
    /// At MCUs, of 8 or 16 pixels: the left and the upper edge of the picture as it is stored. The others lie where
    /// they shall.
    case mcu
  }

  /// The file's bytes.
  public let data: Data
  /// The picture's size when upright, in pixels.
  public let dimensions: Dimensions
  /// The size of the original when upright, in pixels.
  public let originalDimensions: Dimensions
  /// The part of the upright original that the picture shows, in pixels from the top left.
  public let rectangle: CGRect
  /// Where the edges lie indeed: ``Alignment/mcu`` too where the original has no restart markers that make a grid.
  public let alignment: Alignment
  /// What was found, and how surely, where the outline was to be found.
  public let detectedOutline: DetectedOutline?
  /// Whether the outline stuck out of the original, so that what lies outside is missing.
  public let isOutlineClipped: Bool
}

extension PhotoCrop {
  /// Cuts the box around the outline out of a JPEG file, without decoding it and without any loss.
  ///
  /// The result keeps the other Exif tags of the original, and its orientation: it is stored as the original is. A
  /// baseline picture keeps its tables and about as many restart markers; one of another kind (progressive,
  /// arithmetic) becomes a baseline picture with the same coefficients.
  ///
  /// - Parameters:
  ///   - data: The file's bytes.
  ///   - name: The file's name in error messages.
  ///   - orientation: How to turn the picture upright; `nil`, the default, follows its Exif data.
  ///   - alignment: Where the edges may lie. The default is ``LosslessCrop/Alignment/mcu``.
  ///   - embedsThumbnail: Whether the Exif data get a small preview. The default is `true`.
  /// - Returns: The cropped file, with the part that it shows.
  /// - Throws: ``CaptureError/badImageData(what:reason:)`` for a file that is damaged,
  ///   ``CaptureError/unsupportedImage(what:reason:)`` for one that isn't a JPEG,
  ///   ``CaptureError/invalidSettings(reason:)`` for an outline that lies outside the picture, and a crop with a
  ///   ``rectifiedSize``.
  public func applyLosslessly(
    to data: Data, name: String = "the picture", orientation: ImageOrientation? = nil,
    alignment: LosslessCrop.Alignment = .mcu, embedsThumbnail: Bool = true
  ) throws(CaptureError) -> LosslessCrop {
    try PhotoRenderer(encoder: JPEGEncoder()).renderLosslessly(
      PhotoSource(data: data, name: name, orientation: orientation), crop: self,
      alignment: alignment, embedsThumbnail: embedsThumbnail)
  }
}

public import Foundation

/// A photo that a ``CapturePhotoOutput`` took; Apple's `AVCapturePhoto`.
public struct CapturePhoto: Sendable {
  /// When the camera captured the picture, on the system's monotonic clock.
  public let timestamp: Duration
  /// The same moment by the calendar.
  public let date: Date
  /// The number of the frame that became the photo (see ``VideoFrame/sequenceNumber``).
  public let sequenceNumber: Int
  /// The settings as they took effect.
  public let resolvedSettings: CaptureResolvedPhotoSettings
  /// What the Exif data say.
  public let metadata: PhotoMetadata
  /// The size of the picture in the file, in pixels.
  public let dimensions: Dimensions
  /// What the photo is cropped to: the settings' crop, with what was found where the outline was to be
  /// ``Outline/detected(within:fallback:)``.
  public let crop: PhotoCrop
  /// What was found, and how surely; `nil` when nothing was to be found, or nothing was.
  public let detectedOutline: DetectedOutline?
  /// The ``TrackedOutline/identifier`` of the card for which an ``AutomaticShutter`` took the photo; `nil` without one.
  public let trackedIdentifier: Int?
  /// The kind of ``fileDataRepresentation()``'s file.
  public let fileType: PhotoFileType

  let content: PhotoContent

  /// How many bytes the file has.
  public var byteCount: Int { content.count }

  /// The file's bytes: a JPEG or PNG with its metadata, ready to be saved or sent.
  ///
  /// ``write(to:replacesExisting:)`` of a camera's own JPEG needs no copy of the frame; this makes one.
  public func fileDataRepresentation() -> Data { content.data }

  /// The picture's pixels, upright.
  ///
  /// Each call decodes them again.
  public func pixelBuffer() throws(CaptureError) -> PixelBuffer {
    try PixelBuffer(decoding: content.data)
  }

  /// Saves the photo: the file is there whole or not at all (see ``PhotoFile``).
  ///
  /// - Parameters:
  ///   - url: Where the file goes; its folder must exist.
  ///   - replacesExisting: Whether to replace a file of that name. The default is `true`.
  /// - Throws: ``CaptureError/cannotWrite(path:code:)``; ``CaptureError/invalidSettings(reason:)``
  ///   for a name with the ending of another kind of file than the photo's, such as `a.gif`.
  public func write(to url: URL, replacesExisting: Bool = true) throws(CaptureError) {
    if let named = try PhotoFileType(named: url), named != fileType {
      throw .invalidSettings(
        reason:
          "The photo is a \(fileType.rawValue.uppercased()), and \(url.lastPathComponent) is named as a "
          + "\(named.rawValue.uppercased()). Set the settings' fileType, or name it "
          + ".\(fileType.pathExtension).")
    }
    try PhotoFile.write(content: content, to: url, replacesExisting: replacesExisting)
  }
}

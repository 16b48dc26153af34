public import Foundation

/// The kind of file that a photo becomes.
public enum PhotoFileType: String, Hashable, Sendable, CaseIterable {
  /// Baseline JPEG with Exif metadata.
  case jpeg
  /// PNG with Exif metadata; keeps transparency.
  case png

  /// The usual ending of the file's name, without a dot.
  public var pathExtension: String { self == .jpeg ? "jpg" : "png" }

  /// The kind that the ending of a file's name stands for; `nil` for an ending that names no kind
  /// of file.
  ///
  /// - Parameter url: The file, which needn't exist.
  /// - Throws: ``CaptureError/invalidSettings(reason:)`` for the name of another kind of file, such
  ///   as `a.gif`, with the kinds that Viewfinder writes.
  public init?(named url: URL) throws(CaptureError) {
    let ending = url.pathExtension.lowercased()
    switch ending {
    case "jpg", "jpeg", "jpe": self = .jpeg
    case "png": self = .png
    case _ where Self.otherEndings.contains(ending):
      throw .invalidSettings(
        reason: "\(url.lastPathComponent) is named as a kind of file that can't be written: "
          + "photos are JPEG (.jpg) or PNG (.png).")
    default: return nil
    }
  }

  /// What other pictures, videos and documents are called.
  private static let otherEndings: Set = [
    "gif", "webp", "heic", "heif", "hif", "avif", "tif", "tiff", "bmp", "jp2", "jxl", "ico", "svg",
    "ppm", "pgm", "pbm", "pnm", "tga", "psd", "eps", "ps", "pdf", "dng", "raw", "cr2", "cr3", "nef",
    "arw", "orf", "rw2", "raf", "mp4", "m4v", "mov", "mkv", "avi", "webm", "mpg", "mpeg", "mjpg",
    "mjpeg", "y4m", "yuv", "txt", "html", "json", "xml", "zip",
  ]
}

/// The file that a picture becomes.
public struct PhotoEncoding: Hashable, Sendable {
  /// The kind of file.
  ///
  /// The default is `.jpeg`.
  public var fileType: PhotoFileType
  /// The JPEG quality, from 0 (smallest) to 1 (best); values outside are clamped.
  ///
  /// The default is 0.9.
  public var quality: Double
  /// Whether the Exif data of a JPEG get a thumbnail.
  ///
  /// The default is `true`.
  public var embedsThumbnail = true
  /// Whether a picture that is pulled straight shall be made fast or well.
  ///
  /// The default is `.balanced`.
  public var qualityPrioritization = CapturePhotoOutput.QualityPrioritization.balanced
  /// The size that the thumbnail fits into, in pixels; turned for pictures that are higher than wide.
  ///
  /// The default is 320 × 320, of which desktops' thumbnails of 256 pixels can be made. Cameras that keep
  /// to DCF write 160 × 120, and very old ones show no other. A thumbnail that Exif has no room for
  /// is left out: all of the Exif data take 64 kB at most.
  public var embeddedThumbnailDimensions = Dimensions(width: 320, height: 320)

  /// Creates an encoding.
  public init(fileType: PhotoFileType = .jpeg, quality: Double = 0.9) {
    self.fileType = fileType
    self.quality = quality
  }
}

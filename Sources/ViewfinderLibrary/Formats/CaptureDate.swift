public import Foundation

/// When a picture was taken, as the camera wrote it down: a local time, and its distance from UTC where
/// that is known.
///
/// An unknown offset stays unknown: it is not UTC and not this computer's zone.
public struct CaptureDate: Hashable, Sendable {
  /// The local time, as seconds since 1970-01-01 00:00 of the same clock; whole seconds.
  public var localSeconds: Int64
  /// What follows the seconds (Exif's SubSecTimeOriginal), from 0 to less than 1 s, in nanoseconds; `nil` when the
  /// camera wrote none.
  public var nanoseconds: Int32?
  /// Local time minus UTC, in seconds (Exif's OffsetTimeOriginal); `nil` when the camera wrote none.
  public var offset: Int32?

  /// Where a date comes from.
  @nonexhaustive public enum Source: String, Hashable, Sendable {
    /// Exif data in the file.
    case exif
    /// XMP in the file.
    case xmp
    /// IPTC's record in the file (IIM 4.2).
    case iptc
    /// What the file's format has itself: QuickTime, MP4, Matroska, AVI, AVCHD, PNG's text, raw formats older than Exif.
    case container
    /// An XMP file beside it.
    case sidecar
    /// The file's name, such as `IMG_20190704_123456.jpg`: for want of a date in the file.
    case fileName
  }

  /// Creates a date.
  public init(localSeconds: Int64, nanoseconds: Int32? = nil, offset: Int32? = nil) {
    self.localSeconds = localSeconds
    self.nanoseconds = nanoseconds
    self.offset = offset
  }

  /// The moment, where the offset is known.
  public var instant: Date? {
    offset.map {
      Date(
        timeIntervalSince1970: Double(localSeconds - Int64($0))
          + Double(nanoseconds ?? 0) / 1_000_000_000)
    }
  }
}

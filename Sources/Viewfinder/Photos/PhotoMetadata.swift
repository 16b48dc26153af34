public import Foundation

/// What a photo's Exif data say about how it was taken (EXIF 2.32, CIPA DC-008).
///
/// What Viewfinder doesn't know stays `nil`, and the file doesn't have it: it invents nothing.
public struct PhotoMetadata: Hashable, Sendable {
  /// The camera's maker (Make, 0x010F).
  public var make: String?
  /// The camera (Model, 0x0110).
  public var model: String?
  /// The program that made the file (Software, 0x0131).
  ///
  /// The default names Viewfinder.
  public var software: String? = "Viewfinder"
  /// When the camera captured the picture (DateTimeOriginal, 0x9003, with its offset and
  /// milliseconds).
  public var date: Date?
  /// The time zone of the dates in the file (OffsetTimeOriginal, 0x9011).
  ///
  /// The default is the system's.
  public var timeZone: TimeZone = .current
  /// The exposure time, in seconds (ExposureTime, 0x829A).
  public var exposureTime: Double?
  /// The sensitivity (PhotographicSensitivity, 0x8827).
  public var iso: Int?
  /// Whether somebody set the exposure by hand (ExposureMode, 0xA402).
  public var isExposureManual: Bool?
  /// Whether somebody set the white balance by hand (WhiteBalance, 0xA403).
  public var isWhiteBalanceManual: Bool?
  /// The resolution, in dots per inch (XResolution, 0x011A); known for cards, which have a known
  /// size.
  public var dotsPerInch: Int?
  /// 32 hexadecimal digits that tie a crop to its original (ImageUniqueID, 0xA420).
  public var uniqueID: String?

  /// Creates metadata that name only the program that made the file.
  public init() {}
}

/// The kind of media that a device delivers; Apple's `AVMediaType`.
public struct MediaType: RawRepresentable, Hashable, Sendable {
  /// Apple's string for the type.
  public let rawValue: String

  /// Creates a media type from Apple's string.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Moving pictures.
  ///
  /// Cameras deliver only this type.
  public static let video = MediaType(rawValue: "vide")
  /// Sound.
  ///
  /// No device of this library delivers it.
  public static let audio = MediaType(rawValue: "soun")
}

/// Whether this process may use cameras; Apple's `AVAuthorizationStatus`.
public enum AuthorizationStatus: Int, Hashable, Sendable {
  /// Nobody has asked the person yet. Linux never asks, so no media type has this status.
  case notDetermined = 0
  /// No device of this library delivers the media type: all but video.
  case restricted = 1
  /// There are cameras, and this process may open none of them.
  case denied = 2
  /// This process may open a camera, or there is none.
  case authorized = 3
}

extension CaptureDevice {
  /// What kind of camera a device is.
  public struct DeviceType: RawRepresentable, Hashable, Sendable {
    /// Apple's string for the type.
    public let rawValue: String

    /// Creates a device type from Apple's string.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A machine's own camera.
    ///
    /// Every camera counts as one: apps ask for it to find the default camera.
    public static let builtInWideAngleCamera = DeviceType(
      rawValue: "AVCaptureDeviceTypeBuiltInWideAngleCamera")
    /// A camera that somebody plugged in.
    ///
    /// Every V4L2 camera counts as one.
    public static let external = DeviceType(rawValue: "AVCaptureDeviceTypeExternal")
    /// A ``SimulatedCamera``.
    public static let simulated = DeviceType(rawValue: "ViewfinderDeviceTypeSimulated")
  }

  /// Which way a camera looks.
  public enum Position: Int, Hashable, Sendable {
    /// Unknown, as with most USB cameras.
    case unspecified = 0
    /// Away from the person (`V4L2_CAMERA_ORIENTATION_BACK`).
    case back = 1
    /// At the person (`V4L2_CAMERA_ORIENTATION_FRONT`).
    case front = 2
  }

  /// A size and layout that a camera offers, with its rates.
  public struct Format: Hashable, Sendable {
    /// How frames are laid out.
    public let pixelFormat: PixelFormat
    /// The size, in pixels.
    public let dimensions: Dimensions
    /// The rates, slowest first; empty when the driver doesn't tell.
    public let videoSupportedFrameRateRanges: [FrameRateRange]
    /// The driver's words for the layout, such as "Motion-JPEG".
    public let localizedName: String
    /// Whether a library converts the frames on the way (`V4L2_FMT_FLAG_EMULATED`).
    public let isEmulated: Bool
    /// The range of sizes that the driver takes, where it takes more than this one.
    public let dimensionRange: DimensionRange?
  }

  /// A range of sizes in steps (`V4L2_FRMSIZE_TYPE_STEPWISE`).
  public struct DimensionRange: Hashable, Sendable {
    /// The smallest size.
    public let minimum: Dimensions
    /// The largest size.
    public let maximum: Dimensions
    /// The steps between widths and between heights, in pixels.
    public let step: Dimensions
  }

  /// A range of frame rates; Apple's `AVFrameRateRange`.
  ///
  /// USB cameras have single rates: then both ends are equal.
  public struct FrameRateRange: Hashable, Sendable {
    /// The time per frame at the highest rate.
    public let minFrameDuration: FrameInterval
    /// The time per frame at the lowest rate.
    public let maxFrameDuration: FrameInterval
    /// The lowest rate, in frames a second.
    public var minFrameRate: Double { maxFrameDuration.frameRate }
    /// The highest rate, in frames a second.
    public var maxFrameRate: Double { minFrameDuration.frameRate }
  }
}

extension CaptureDevice.Format {
  /// The format at another size of its ``dimensionRange``; `nil` for a size that isn't in it.
  public func resized(to size: Dimensions) -> CaptureDevice.Format? {
    if size == dimensions { return self }
    guard let range = dimensionRange,
      (range.minimum.width...range.maximum.width).contains(size.width),
      (range.minimum.height...range.maximum.height).contains(size.height),
      (size.width - range.minimum.width) % max(range.step.width, 1) == 0,
      (size.height - range.minimum.height) % max(range.step.height, 1) == 0
    else { return nil }
    return CaptureDevice.Format(
      pixelFormat: pixelFormat, dimensions: size,
      videoSupportedFrameRateRanges: videoSupportedFrameRateRanges, localizedName: localizedName,
      isEmulated: isEmulated, dimensionRange: range)
  }

  /// Whether `other` is this format, at this or another size of its range.
  func covers(_ other: CaptureDevice.Format) -> Bool { resized(to: other.dimensions) == other }
}

extension CaptureDevice.Format: CustomStringConvertible {
  /// The format as in "YUYV 640x480 (5–30 frames/s)".
  public var description: String {
    guard let slowest = videoSupportedFrameRateRanges.map(\.minFrameRate).min(),
      let fastest = videoSupportedFrameRateRanges.map(\.maxFrameRate).max()
    else { return "\(pixelFormat) \(dimensions)" }
    let rates =
      slowest == fastest
      ? formattedRate(fastest) : "\(formattedRate(slowest))–\(formattedRate(fastest))"
    return "\(pixelFormat) \(dimensions) (\(rates) frames/s)"
  }
}

import Foundation

/// The time from one frame to the next, in seconds, as the fraction that V4L2 uses.
public struct FrameInterval: Hashable, Sendable {
  /// The fraction's upper number, in seconds.
  public let numerator: Int
  /// The fraction's lower number.
  public let denominator: Int

  /// Creates an interval of `numerator`/`denominator` seconds; both are at least 1.
  public init(numerator: Int, denominator: Int) {
    self.numerator = max(numerator, 1)
    self.denominator = max(denominator, 1)
  }

  /// Creates the interval of a frame rate; `nil` unless the rate is positive and finite.
  ///
  /// - Parameter frameRate: Frames a second. 29.97 becomes 1001/30000.
  public init?(frameRate: Double) {
    guard frameRate.isFinite, frameRate > 0, frameRate < 1_000_000 else { return nil }
    if frameRate == frameRate.rounded() {
      self.init(numerator: 1, denominator: Int(frameRate))
    } else if abs(frameRate * 1.001 - (frameRate * 1.001).rounded()) < 0.001 {
      self.init(numerator: 1001, denominator: Int((frameRate * 1.001).rounded()) * 1000)
    } else {
      self.init(numerator: 1000, denominator: Int((frameRate * 1000).rounded()))
    }
  }

  /// The interval, in seconds.
  public var seconds: Double { Double(numerator) / Double(denominator) }
  /// Frames a second.
  public var frameRate: Double { Double(denominator) / Double(numerator) }
}

/// The layout and rate of a stream's frames, as the driver granted them.
public struct VideoFormat: Hashable, Sendable {
  /// How the bytes are laid out.
  public let pixelFormat: PixelFormat
  /// The picture's size, in pixels.
  public let dimensions: Dimensions
  /// Distance from one row of the first plane to the next, in bytes; 0 for compressed formats.
  public let bytesPerRow: Int
  /// The time from one frame to the next, or `nil` when the driver doesn't tell.
  public let frameInterval: FrameInterval?
  /// Whether Y uses 16…235 and chroma 16…240 instead of 0…255.
  public let usesLimitedRange: Bool

  /// Creates a format.
  public init(
    pixelFormat: PixelFormat, dimensions: Dimensions, bytesPerRow: Int,
    frameInterval: FrameInterval?, usesLimitedRange: Bool = false
  ) {
    self.pixelFormat = pixelFormat
    self.dimensions = dimensions
    self.bytesPerRow = bytesPerRow
    self.frameInterval = frameInterval
    self.usesLimitedRange = usesLimitedRange
  }
}

extension VideoFormat {
  /// The format of a picture of another size.
  func with(_ dimensions: Dimensions) -> VideoFormat {
    VideoFormat(
      pixelFormat: pixelFormat, dimensions: dimensions, bytesPerRow: bytesPerRow,
      frameInterval: frameInterval, usesLimitedRange: usesLimitedRange)
  }
}

extension VideoFormat: CustomStringConvertible {
  /// The format as in "MJPG 1920x1080 at 30 frames/s".
  public var description: String {
    let rate = frameInterval.map { " at \(formattedRate($0.frameRate)) frames/s" } ?? ""
    return "\(pixelFormat) \(dimensions)\(rate)"
  }
}

/// A rate with at most two decimals, such as "30" or "29.97".
func formattedRate(_ rate: Double) -> String {
  rate == rate.rounded() ? String(Int(rate)) : String(format: "%.2f", rate)
}

/// How often each brightness occurs in a picture: in its luma, and in its red, green and blue.
public struct PictureHistogram: Hashable, Sendable {
  /// One of a histogram's four curves.
  public struct Channel: Hashable, Sendable {
    /// How often each value occurs, from 0 to 255.
    public let counts: ArraySlice<UInt32>

    private var total: Double { Double(max(counts.reduce(0, +), 1)) }

    /// Values within so many steps of the end count as clipped: encoders move them a little.
    private static let tolerance = 2

    /// The share of values that are black, from 0 to 1: details there are lost.
    public var blackShare: Double {
      Double(counts.prefix(Self.tolerance + 1).reduce(0, +)) / total
    }

    /// The share of values that are as bright as can be, from 0 to 1: details there are lost.
    public var whiteShare: Double {
      Double(counts.suffix(Self.tolerance + 1).reduce(0, +)) / total
    }

    /// The curve with fewer steps, for a plot: which share of the values falls into each.
    ///
    /// - Parameter steps: How many, from 1 to 256; others are clamped.
    /// - Returns: The shares from dark to bright; together they are 1.
    public func shares(steps: Int) -> [Double] {
      let steps = min(max(steps, 1), counts.count)
      var shares = [Double](repeating: 0, count: steps)
      for (value, count) in counts.enumerated() {
        shares[value * steps / counts.count] += Double(count) / total
      }
      return shares
    }
  }

  /// Whether a picture keeps its details.
  public enum Exposure: String, Sendable, CaseIterable {
    /// Little is clipped.
    case balanced
    /// Much is black.
    case clipsDark
    /// Much is as bright as can be.
    case clipsBright
    /// Both.
    case clipsBoth
  }

  /// The share of the luma that may be clipped at an end before ``exposure`` says so.
  private static let muchClipped = 0.05

  /// Whether the picture keeps its details: much is clipped when it is more than 5 % of the luma.
  public var exposure: Exposure {
    switch (luma.blackShare > Self.muchClipped, luma.whiteShare > Self.muchClipped) {
    case (false, false): .balanced
    case (true, false): .clipsDark
    case (false, true): .clipsBright
    case (true, true): .clipsBoth
    }
  }

  /// The values of all four, one after the other.
  private let counts: [UInt32]

  /// `counts` are four times 256: of luma, red, green and blue.
  init(counts: [UInt32]) { self.counts = counts }

  private func channel(_ index: Int) -> Channel {
    Channel(counts: counts[256 * index..<256 * (index + 1)])
  }

  /// The brightness as a whole.
  public var luma: Channel { channel(0) }
  /// The red.
  public var red: Channel { channel(1) }
  /// The green.
  public var green: Channel { channel(2) }
  /// The blue.
  public var blue: Channel { channel(3) }
}

extension VideoFrame {
  /// The size at which a JPEG frame is decoded at least, where it is as large.
  private static let decodedBox = Dimensions(width: 320, height: 320)

  /// The picture's histogram.
  ///
  /// It looks at up to 320 × 240 pixels, spread evenly. A JPEG frame is decoded at an eighth of its
  /// size where that is enough, so that the means of its blocks count.
  ///
  /// - Throws: ``CaptureError/badImageData(what:reason:)`` for a damaged frame.
  public func histogram() throws(CaptureError) -> PictureHistogram {
    guard case .lease(let lease) = storage, format.pixelFormat.isJPEG else {
      return try picture().histogram()
    }
    let scale = format.dimensions.eighths(for: format.dimensions.fitted(into: Self.decodedBox))
    return try unsafe JPEGCodec.decode(lease.bytes, "the frame", scale: scale).picture.histogram()
  }
}

extension PixelBuffer {
  /// The picture's histogram, of up to 320 × 240 pixels that are spread evenly.
  ///
  /// - Throws: ``CaptureError`` when the picture can't be read.
  public func histogram() throws(CaptureError) -> PictureHistogram { try picture.histogram() }
}

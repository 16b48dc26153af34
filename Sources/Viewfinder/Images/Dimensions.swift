/// A width and height in whole pixels.
public struct Dimensions: Hashable, Sendable {
  /// The width, in pixels.
  public var width: Int
  /// The height, in pixels.
  public var height: Int

  /// Creates dimensions.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The number of pixels.
  public var area: Int { width * height }

  /// Width and height exchanged.
  public var swapped: Dimensions { Dimensions(width: height, height: width) }
}

extension Dimensions: CustomStringConvertible {
  /// The dimensions as in "1920x1080".
  public var description: String { "\(width)x\(height)" }

  /// Reads dimensions written as "1920x1080".
  public init?(_ text: some StringProtocol) {
    let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]),
      (1...65500).contains(width), (1...65500).contains(height)
    else { return nil }
    self.init(width: width, height: height)
  }
}

public import Foundation

/// A photo of a series, as it was saved.
public struct IntervalPhoto: Hashable, Sendable {
  /// Which of the intervals it was taken for, from 1; a missed photo leaves a gap.
  public let number: Int
  /// When the camera captured the picture.
  public let date: Date
  /// How long after it was due the camera captured the picture.
  ///
  /// A camera captures one frame after another, so it is up to a frame's time when all goes well.
  public let delay: Duration
  /// The size of the picture in the file, in pixels.
  public let dimensions: Dimensions
  /// How many bytes the photo has.
  public let byteCount: Int
  /// The file that has it; `nil` where it isn't a file.
  public let url: URL?
}

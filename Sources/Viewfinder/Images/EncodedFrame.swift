public import Foundation

/// A frame as a JPEG file.
public struct EncodedFrame: Sendable {
  /// When the camera captured the picture, on the system's monotonic clock (`CLOCK_MONOTONIC`).
  public let timestamp: Duration
  /// The same moment by the calendar.
  public let date: Date
  /// The number of the frame (see ``VideoFrame/sequenceNumber``).
  public let sequenceNumber: Int
  /// The size of the picture, in pixels.
  public let dimensions: Dimensions
  /// The file, without metadata.
  public let data: Data

  init(_ frame: VideoFrame, data: Data) {
    timestamp = frame.timestamp
    date = frame.date
    sequenceNumber = frame.sequenceNumber
    dimensions = frame.format.dimensions
    self.data = data
  }
}

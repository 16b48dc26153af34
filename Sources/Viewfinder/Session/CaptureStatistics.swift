/// What became of a session's frames, counted by cause since the session was started.
///
/// The counts go on when the session restarts a camera. Frames that a camera streamed for a
/// photo in another format aren't counted.
public struct CaptureStatistics: Hashable, Sendable {
  /// Frames that the camera's driver began, up to the last that was looked at: the sum of the next
  /// five counts.
  public var producedFrames = 0
  /// Frames that were handed out.
  public var deliveredFrames = 0
  /// Frames that never arrived: gaps in the driver's sequence numbers.
  public var lostFrames = 0
  /// Frames withheld because they were damaged.
  ///
  /// These are frames that the driver flagged, uncompressed ones with fewer bytes than their size takes, and
  /// JPEGs whose markers are wrong: no start, segments or tables that are missing or of impossible lengths, no
  /// possible size, less data than the size takes, restart markers that are missing or out of order, or neither
  /// an end marker nor all blocks. A JPEG that lacks only its end marker or its Huffman tables is mended, not
  /// withheld. One of another size than the stream's is handed out with its own size when its scan has as many
  /// blocks as that size, and withheld else.
  ///
  /// What isn't looked at: the pixels of uncompressed frames, and the codes in a JPEG's scan that has its end
  /// marker. Bytes that were changed or lost there go unnoticed, unless a restart marker got lost with them;
  /// ``VideoFrame/verify()`` looks at them.
  public var corruptFrames = 0
  /// Frames that nobody but photos got, because the program held too many.
  public var starvedFrames = 0
  /// Frames skipped because a newer one had come meanwhile.
  public var lateFrames = 0
  /// Frames whose time stamp was replaced by the time of arrival: it was missing, on another clock,
  /// from before the stream or the frame before, or from the future.
  public var restampedFrames = 0
  /// Frames that the driver handed out again because it had no new one.
  ///
  /// They have the number and the time stamp of the one before, and are delivered.
  public var repeatedFrames = 0
  /// Buffers that the program holds at this moment.
  public var lentBuffers = 0
  /// Buffers that the driver granted.
  public var bufferCount = 0
  /// Frames a second as their time stamps tell; 0 before the second frame.
  public var measuredFrameRate = 0.0

  /// Creates statistics of nothing.
  public init() {}

  /// The counts of two streams, one after the other.
  func followed(by next: Self) -> Self {
    var sum = next
    sum.producedFrames += producedFrames
    sum.deliveredFrames += deliveredFrames
    sum.lostFrames += lostFrames
    sum.corruptFrames += corruptFrames
    sum.starvedFrames += starvedFrames
    sum.lateFrames += lateFrames
    sum.restampedFrames += restampedFrames
    sum.repeatedFrames += repeatedFrames
    return sum
  }
}

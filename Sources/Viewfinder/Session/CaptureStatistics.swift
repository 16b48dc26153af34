/// What became of a session's frames, counted by cause since its start.
///
/// The counts go on when the session restarts a camera. They leave out frames that a camera streams
/// for a photo in another format.
public struct CaptureStatistics: Hashable, Sendable {
  /// Frames that the camera's driver began, up to the last that the session looked at: the sum of
  /// the next five counts.
  public var producedFrames = 0
  /// Frames that the session delivered.
  public var deliveredFrames = 0
  /// Frames that never arrived: gaps in the driver's sequence numbers.
  public var lostFrames = 0
  /// Frames that the session withheld because they were damaged.
  ///
  /// These are frames that the driver flagged, uncompressed ones with fewer bytes than their size
  /// takes, and JPEGs whose markers are wrong: no start, segments or tables that are missing or of
  /// impossible lengths, no possible size, less data than the size takes, restart markers that are
  /// missing or out of order, or neither an end marker nor all blocks. The session mends a JPEG
  /// that lacks only its end marker or its Huffman tables. It delivers one of another size than the
  /// stream's with its own size when its scan has as many blocks as that size, and otherwise
  /// withholds it.
  ///
  /// The session doesn't check the pixels of uncompressed frames, nor the codes in the scan of a
  /// JPEG that has its end marker. Bytes that changed or got lost there go unnoticed, unless a
  /// restart marker got lost with them; ``VideoFrame/verify()`` checks them.
  public var corruptFrames = 0
  /// Frames that only photos got, because the program held too many.
  public var starvedFrames = 0
  /// Frames that the session skipped because a newer one had come meanwhile.
  public var lateFrames = 0
  /// Frames that have their time of arrival as time stamp, because the driver's was missing, on
  /// another clock, older than the stream or the frame before, or in the future.
  public var restampedFrames = 0
  /// Frames that the driver handed out again because it had no new one.
  ///
  /// They have the number and the time stamp of the one before, and are delivered.
  public var repeatedFrames = 0
  /// Buffers of the running stream that the program holds at this moment; 0 when none runs.
  public var lentBuffers = 0
  /// Buffers that the driver granted.
  public var bufferCount = 0
  /// Frames a second by their time stamps; 0 before the second frame.
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

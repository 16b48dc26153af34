/// What became of a stream's frames, counted by cause since the stream began.
public struct CaptureStatistics: Hashable, Sendable {
  /// Frames that were handed out.
  public var deliveredFrames = 0
  /// Frames that never arrived: gaps in the driver's sequence numbers.
  public var lostFrames = 0
  /// Frames withheld because the driver flagged them, they were too short, or their JPEG was
  /// damaged.
  public var corruptFrames = 0
  /// Frames dropped because too many buffers were held by the program.
  public var starvedFrames = 0
  /// Frames skipped because a newer one had come meanwhile.
  public var lateFrames = 0
  /// Buffers that the program holds at this moment.
  public var lentBuffers = 0
  /// Buffers that the driver granted.
  public var bufferCount = 0
  /// Frames a second as their time stamps tell; 0 before the second frame.
  public var measuredFrameRate = 0.0

  /// Creates statistics of nothing.
  public init() {}

  init(
    deliveredFrames: Int, lostFrames: Int, corruptFrames: Int, starvedFrames: Int, lateFrames: Int,
    lentBuffers: Int, bufferCount: Int, measuredFrameRate: Double
  ) {
    self.deliveredFrames = deliveredFrames
    self.lostFrames = lostFrames
    self.corruptFrames = corruptFrames
    self.starvedFrames = starvedFrames
    self.lateFrames = lateFrames
    self.lentBuffers = lentBuffers
    self.bufferCount = bufferCount
    self.measuredFrameRate = measuredFrameRate
  }
}

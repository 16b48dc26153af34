import Viewfinder

/// How a camera and its live picture are doing: `/stats.json`.
public struct LiveReport: Codable, Sendable {
  /// What became of the camera's frames; see `CaptureStatistics`.
  public struct Frames: Codable, Sendable {
    /// Frames that the driver began.
    public var produced: Int
    /// Frames that were handed out.
    public var delivered: Int
    /// Frames that never arrived.
    public var lost: Int
    /// Frames that were damaged.
    public var corrupt: Int
    /// Frames dropped for want of a buffer.
    public var starved: Int
    /// Frames skipped for a newer one.
    public var late: Int
  }

  /// What the camera does.
  public var state: LiveCamera.State
  /// The same in words, with what to do when there is no picture.
  public var message: String
  /// The camera's name.
  public var camera: String?
  /// The layout, size and rate of its frames.
  public var format: String?
  /// Frames a second, as measured.
  public var framesPerSecond: Double
  /// What became of the frames.
  public var frames: Frames
  /// Visitors who watch at this moment.
  public var clients: Int
  /// Frames that were encoded for them.
  public var encodedFrames: Int
  /// The size of those, in bytes.
  public var encodedBytes: Int
  /// Frames that visitors took, each visitor's counted.
  public var sentFrames: Int
  /// The size of those, in bytes.
  public var sentBytes: Int

  init(
    state: LiveCamera.State, message: String, camera: String?, format: VideoFormat?,
    frames: CaptureStatistics, clients: Int, counts: LiveStream.Counts
  ) {
    self.state = state
    self.message = message
    self.camera = camera
    self.format = format?.description
    framesPerSecond = (frames.measuredFrameRate * 100).rounded() / 100
    self.frames = Frames(
      produced: frames.producedFrames, delivered: frames.deliveredFrames, lost: frames.lostFrames,
      corrupt: frames.corruptFrames, starved: frames.starvedFrames, late: frames.lateFrames)
    self.clients = clients
    encodedFrames = counts.encodedFrames
    encodedBytes = counts.encodedBytes
    sentFrames = counts.sentFrames
    sentBytes = counts.sentBytes
  }
}

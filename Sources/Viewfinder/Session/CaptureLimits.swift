/// How long a session waits for its camera, in seconds.
///
/// Nothing waits without a limit. Tests shorten these.
struct CaptureLimits: Sendable {
  /// For a camera's first frame: some need that long to wake up.
  var firstFrame = 5.0
  /// For the next frame, at least; five frame intervals where those are longer.
  var stall = 1.0
  /// While another program lets go of the camera: one that is ending takes a moment.
  var busy = 1.0
  /// Until a program is told that it holds too many frames.
  var starvation = 0.5
  /// For a start as a whole: opening, trying again while busy, and the first frame.
  var start = 15.0
  /// For the end of a stream whose driver hangs.
  var stop = 5.0
  /// For the end of a start that was given up.
  var abandonedStart = 0.5
  /// For a photo in another format than the stream's.
  var still = 10.0
  /// Between attempts to reach a camera that went away, at most.
  var retry = 1.0
}

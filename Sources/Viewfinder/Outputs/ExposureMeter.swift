/// Tells whether a camera's exposure has settled after its start: the first frames are often black,
/// green or too bright.
struct ExposureMeter {
  /// How many frames must be alike.
  private static let steadyFrames = 3
  /// By how much mean luma (0…255) may change between frames that are alike.
  private static let tolerance = 2.0
  /// Mean luma of a frame that shows nothing yet, at most.
  private static let blackness = 3.0
  /// How long to wait at most, from the stream's first frame.
  private static let limit = Duration.seconds(2)

  private var start: Duration?
  private var lastLuma: Double?
  private var steadyCount = 0
  /// Whether enough frames were alike, or the limit has passed.
  private(set) var isSettled = false

  /// Notes the stream's first frame.
  mutating func begin(at timestamp: Duration) {
    if start == nil { start = timestamp }
  }

  /// Whether the camera has run for long enough at a time, or its frames were alike before.
  mutating func isSettled(at time: Duration) -> Bool {
    if !isSettled, let start, time - start >= Self.limit { isSettled = true }
    return isSettled
  }

  /// Looks at a frame, unless the camera has run for long enough anyway.
  mutating func isSettled(by frame: VideoFrame) -> Bool {
    if isSettled(at: frame.timestamp) { return true }
    // A frame that can't be read says nothing; the limit ends the wait.
    guard let luma = try? frame.meanLuma() else { return false }
    add(luma)
    return isSettled
  }

  mutating func add(_ luma: Double) {
    if let lastLuma, luma > Self.blackness, abs(luma - lastLuma) <= Self.tolerance {
      steadyCount += 1
    } else {
      steadyCount = 0
    }
    lastLuma = luma
    if steadyCount >= Self.steadyFrames { isSettled = true }
  }
}

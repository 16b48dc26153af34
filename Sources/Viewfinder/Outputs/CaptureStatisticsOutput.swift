import Dispatch

/// What there is to know of a stream at a moment; see ``CaptureStatisticsOutput``.
public struct CaptureFigures: Hashable, Sendable {
  /// What became of the frames since the session's start.
  public var frames = CaptureStatistics()
  /// How evenly frames came over the last minute.
  public var pacing = FramePacing()
  /// How bright a frame was that came not long ago; `nil` unless the output measures that.
  public var histogram: PictureHistogram?

  /// Creates figures of nothing.
  public init() {}
}

/// Measures what a session delivers: the time between frames, losses by cause, and the brightness.
///
/// ```swift
/// let output = CaptureStatisticsOutput()
/// try session.addOutput(output)
/// output.histogramInterval = .milliseconds(500)
/// try await session.startRunning()
/// try await Task.sleep(for: .seconds(10))
/// let figures = output.figures
/// print(figures.pacing.lateCount, "frames came late;", figures.frames.lostFrames, "never arrived")
/// ```
///
/// A frame costs it a note of its time. Histograms are made on a queue of their own, one at a time.
public final class CaptureStatisticsOutput: CaptureOutput, @unchecked Sendable {
  private struct State {
    var history = FrameHistory()
    var histogramInterval: Duration?
    var histogram: PictureHistogram?
    /// The time stamp of the frame whose histogram was made last, or is being made.
    var measured: Duration?
    var isMeasuring = false
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "viewfinder.statistics")

  /// Creates an output that belongs to no session.
  public override init() { super.init() }

  /// The least time between two frames whose histogram is made; `nil`, the default, makes none.
  public var histogramInterval: Duration? {
    get { state.withLock { $0.histogramInterval } }
    set {
      state.withLock { state in
        state.histogramInterval = newValue
        if newValue == nil { (state.histogram, state.measured) = (nil, nil) }
      }
    }
  }

  /// The figures now.
  ///
  /// A histogram that is being made is waited for: some milliseconds.
  public var figures: CaptureFigures {
    queue.sync {}
    let (history, histogram) = state.withLock { ($0.history, $0.histogram) }
    var figures = CaptureFigures()
    figures.frames = session?.statistics ?? CaptureStatistics()
    figures.pacing = FramePacing(history, at: monotonicTime())
    figures.histogram = histogram
    return figures
  }

  // MARK: For the session

  override func streamDidStart(_ format: VideoFormat) { interrupt() }

  override func streamWasInterrupted(_ reason: CaptureError) { interrupt() }

  override func sessionDidStop() { interrupt() }

  private func interrupt() { state.withLock { $0.history.interrupt() } }

  override func consume(_ frame: VideoFrame, from connection: CaptureConnection) {
    let isWanted = state.withLock { state in
      state.history.add(frame.timestamp, wanted: frame.format.frameInterval)
      guard let interval = state.histogramInterval, !state.isMeasuring,
        state.measured.map({ frame.timestamp - $0 >= interval }) ?? true
      else { return false }
      (state.isMeasuring, state.measured) = (true, frame.timestamp)
      return true
    }
    guard isWanted else { return }
    queue.async { [self] in
      // A damaged frame says nothing; the next may be whole.
      let histogram = try? frame.histogram()
      state.withLock { state in
        state.isMeasuring = false
        if let histogram, state.histogramInterval != nil { state.histogram = histogram }
      }
    }
  }
}

import Foundation

/// What a ``CaptureStream`` tells its session.
///
/// Called on the stream's own thread.
protocol CaptureStreamDelegate: AnyObject, Sendable {
  /// Frames flow: for the first time, or again.
  func streamDidStart(_ format: VideoFormat)
  func streamDidDeliver(_ frame: VideoFrame)
  /// No frames for now; the stream keeps trying.
  func streamWasInterrupted(_ reason: CaptureError)
  /// The stream couldn't start and has ended.
  func streamDidFail(_ error: CaptureError)
}

/// The one thread that takes frames from a camera.
///
/// It sleeps in the grabber's poll. When the camera stalls, breaks or goes away, it starts the
/// stream anew, opens the camera again, and waits for it to come back, until it is stopped.
final class CaptureStream: Sendable {
  /// What a session asks its camera for.
  struct Request: Hashable, Sendable {
    var wanted: StreamFormat
    /// Whether another size or layout than the one wanted is an error.
    var mustMatch: Bool
  }

  let device: CaptureDevice
  let request: Request

  private struct State {
    /// The stream's own thread, once it runs.
    var thread: pthread_t?
    var isStopping = false
    var grabber: Grabber?
    weak var delegate: (any CaptureStreamDelegate)?
  }

  private let state: Mutex<State>
  /// Signalled by ``stop()``, so that waits between attempts end at once.
  private let wakeUp = DispatchSemaphore(value: 0)
  private let finished = DispatchSemaphore(value: 0)

  init(device: CaptureDevice, request: Request, delegate: any CaptureStreamDelegate) {
    self.device = device
    self.request = request
    state = Mutex(State(delegate: delegate))
  }

  /// Starts the thread.
  func start() {
    let thread = Thread { [self] in
      state.withLock { $0.thread = pthread_self() }
      run()
      state.withLock { $0.grabber = nil }
      finished.signal()
    }
    thread.name = "viewfinder.capture"
    thread.start()
  }

  /// Ends the thread and waits for it.
  ///
  /// The grabber's waits have limits. A system call that hangs in a driver has none: past a limit
  /// the thread is left to end by itself, and lets go of the camera then.
  func stop() {
    let thread = state.withLock { state in
      state.isStopping = true
      state.grabber?.interrupt()
      return state.thread
    }
    wakeUp.signal()
    // A session that its stream's thread lets go of last ends here, on that very thread.
    guard thread != pthread_self() else { return }
    _ = finished.wait(timeout: .now() + Self.stopLimit)
  }

  var statistics: CaptureStatistics {
    state.withLock { $0.grabber }?.statistics ?? CaptureStatistics()
  }

  private var isStopping: Bool { state.withLock { $0.isStopping } }

  private var delegate: (any CaptureStreamDelegate)? { state.withLock { $0.delegate } }

  // MARK: The thread

  /// How long a camera may take for its first frame, in seconds: some need that long to wake up.
  private static let firstFrameLimit = 5.0
  /// How long to keep trying while another program lets go of the camera, in seconds.
  private static let busyLimit = 1.0
  /// How long ``stop()`` waits for a driver that hangs, in seconds.
  private static let stopLimit = 5.0
  /// How long a start may take: opening, trying again while busy, and the first frame, in seconds.
  static let startLimit = 15.0

  private func run() {
    var hasDelivered = false
    var attempt = 0
    let begin = ContinuousClock.now
    while !isStopping {
      do throws(CaptureError) {
        try capture {
          hasDelivered = true; attempt = 0
        }
      } catch {
        let isDyingHolder: Bool =
          if case .deviceInUse = error {
            begin.duration(to: .now) < .seconds(Self.busyLimit)
          } else { false }
        if !hasDelivered, !isDyingHolder {
          delegate?.streamDidFail(error)
          return
        }
        if hasDelivered, attempt == 0 { delegate?.streamWasInterrupted(error) }
        attempt += 1
        pause(attempt)
        device.prepareForReconnection()
      }
    }
  }

  /// Waits before another attempt, longer each time up to a second, or until ``stop()``.
  private func pause(_ attempt: Int) {
    let milliseconds = min(50 << min(attempt, 5), 1000)
    _ = wakeUp.wait(timeout: .now() + .milliseconds(milliseconds))
  }

  /// Opens the camera and delivers frames until the stream is stopped or fails.
  private func capture(didDeliver: () -> Void) throws(CaptureError) {
    let grabber = try device.openGrabber()
    let choice = try device.modes().choose(request.wanted)
    if request.mustMatch, !choice.satisfies(request.wanted) {
      throw .unsupportedFormat(
        requested: request.wanted.description, supported: device.formats.map(\.description))
    }
    device.restoreControls(on: grabber)
    let format: VideoFormat
    do throws(CaptureError) {
      format = try grabber.start(choice.format)
    } catch .insufficientBandwidth(let device, _) {
      throw .insufficientBandwidth(device: device, format: choice.description)
    }
    let isStopping = state.withLock { state in
      state.grabber = grabber
      return state.isStopping
    }
    defer { grabber.stop() }
    guard !isStopping else { return }
    // Some cameras forget their controls when the stream starts.
    device.restoreControls(on: grabber)
    try deliver(from: grabber, format: format, didDeliver: didDeliver)
  }

  private func deliver(
    from grabber: Grabber, format: VideoFormat, didDeliver: () -> Void
  ) throws(CaptureError) {
    let limit = max(1.0, 5 * (format.frameInterval?.seconds ?? 0.2))
    var isFirst = true
    var corruptFrames = 0
    while !isStopping {
      let seconds = isFirst ? max(Self.firstFrameLimit, limit) : limit
      guard let frame = try grabber.next(format: format, timeout: Int32(seconds * 1000)) else {
        if isStopping { return }
        throw silence(of: grabber, after: seconds, since: corruptFrames)
      }
      guard let delegate else { return }
      if isFirst {
        isFirst = false
        didDeliver()
        delegate.streamDidStart(format)
      }
      delegate.streamDidDeliver(frame)
      corruptFrames = grabber.statistics.corruptFrames
    }
  }

  /// Why no frame came: the camera was silent, or all that it sent was damaged.
  private func silence(of grabber: Grabber, after seconds: Double, since corruptFrames: Int)
    -> CaptureError
  {
    let count = grabber.statistics.corruptFrames - corruptFrames
    guard count > 0 else { return .stalled(device: device.localizedName, seconds: seconds) }
    return .badImageData(
      what: "Each of the last \(count) frames of \(device.localizedName)",
      reason: "they came damaged or cut short")
  }
}

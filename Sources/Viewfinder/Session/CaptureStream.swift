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
  /// No frames until a still is taken.
  func streamWillTakeStill(_ reason: CaptureError)
  /// The stream couldn't start and has ended.
  func streamDidFail(_ error: CaptureError)
}

/// A photo in another format than the stream's.
///
/// Called on the stream's thread.
protocol StillCapture: AnyObject, Sendable {
  var wanted: StreamFormat { get }
  /// Whether somebody still waits for it.
  var isWanted: Bool { get }
  func stillDidStart(_ format: VideoFormat)
  /// Takes a frame; `true` once it is the photo.
  func consumeStill(_ frame: VideoFrame) -> Bool
  func stillDidFail(_ error: CaptureError)
}

/// The one thread that takes frames from a camera.
///
/// It sleeps in the grabber's poll. When the camera stalls or breaks, it starts the stream anew;
/// when that doesn't help, or the camera went away, it opens the camera again, with pauses that grow,
/// until it is stopped.
final class CaptureStream: Sendable {
  /// What a session asks its camera for.
  struct Request: Hashable, Sendable {
    var wanted: StreamFormat
    /// Whether another size or layout than the one wanted is an error.
    var mustMatch: Bool
  }

  let device: CaptureDevice
  let request: Request
  private let limits: CaptureLimits

  private struct State {
    /// The stream's own thread, once it runs.
    var thread: pthread_t?
    var isStopping = false
    var hasEnded = false
    var grabber: Grabber?
    /// The grabber while frames are taken from it that count.
    var counting: Grabber?
    /// The counts of what was streamed until the camera was started anew.
    var pastStatistics = CaptureStatistics()
    var stills: [any StillCapture] = []
    weak var delegate: (any CaptureStreamDelegate)?
  }

  private let state: Mutex<State>
  /// Signalled by ``stop()`` and by devices that appear, so that waits between attempts end at once.
  private let wakeUp = DispatchSemaphore(value: 0)
  private let finished = DispatchSemaphore(value: 0)

  init(
    device: CaptureDevice, request: Request, limits: CaptureLimits,
    delegate: any CaptureStreamDelegate
  ) {
    self.device = device
    self.request = request
    self.limits = limits
    state = Mutex(State(delegate: delegate))
  }

  /// Starts the thread.
  func start() {
    let thread = Thread { [self] in
      state.withLock { $0.thread = pthread_self() }
      run()
      let stills = state.withLock { state in
        state.hasEnded = true
        defer { state.stills = [] }
        return state.stills
      }
      for still in stills { still.stillDidFail(.sessionNotRunning) }
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
    if finished.wait(timeout: .now() + limits.stop) == .timedOut {
      // What the thread finds out later is no news of the session's, which may have another stream.
      state.withLock { $0.delegate = nil }
    }
  }

  /// Takes a photo in another format: the stream pauses for it; `false` when it has ended.
  func take(_ still: any StillCapture) -> Bool {
    state.withLock { state in
      guard !state.hasEnded else { return false }
      state.stills.append(still)
      state.grabber?.interrupt()
      return true
    }
  }

  var statistics: CaptureStatistics {
    let (counting, past) = state.withLock { ($0.counting, $0.pastStatistics) }
    return counting.map { past.followed(by: $0.statistics) } ?? past
  }

  private var isStopping: Bool { state.withLock { $0.isStopping } }

  private var delegate: (any CaptureStreamDelegate)? { state.withLock { $0.delegate } }

  // MARK: The thread

  /// How far the stream has come.
  private struct Course {
    var hasDelivered = false
    /// Since frames flowed last.
    var failures = 0
    /// Whether the session knows that no frames come.
    var isInterrupted = false
  }

  private func run() {
    var course = Course()
    var watch: DeviceMonitor.Subscription?
    let begin = ContinuousClock.now
    while !isStopping {
      do throws(CaptureError) {
        try openAndCapture(&course)
      } catch {
        let isDyingHolder: Bool =
          if case .deviceInUse = error {
            begin.duration(to: .now) < .seconds(limits.busy)
          } else { false }
        if !course.hasDelivered, !isDyingHolder {
          delegate?.streamDidFail(error)
          return
        }
        note(error, &course)
        if watch == nil, device.isOnThisMachine {
          watch = DeviceMonitor.shared.subscribe { [wakeUp] _ in wakeUp.signal() }
        }
        pause(course.failures)
        device.forgetConnection()
        continue
      }
      watch = nil
    }
  }

  private func note(_ error: CaptureError, _ course: inout Course) {
    tell(error, &course)
    course.failures += 1
  }

  /// Tells of the first failure since frames flowed.
  private func tell(_ error: CaptureError, _ course: inout Course) {
    guard course.hasDelivered, !course.isInterrupted else { return }
    course.isInterrupted = true
    delegate?.streamWasInterrupted(error)
  }

  /// Waits before another attempt, longer each time up to a limit, or until something happens.
  private func pause(_ failures: Int) {
    let seconds = min(0.05 * Double(1 << min(failures, 5)), limits.retry)
    _ = wakeUp.wait(timeout: .now() + seconds)
  }

  /// Opens the camera and delivers frames until the stream is stopped, or fails even when started
  /// anew.
  private func openAndCapture(_ course: inout Course) throws(CaptureError) {
    let grabber = try device.openGrabber()
    if try grabber.followSource() { device.forgetModes() }
    let choice = try device.modes().choose(request.wanted)
    // A source that changed under way is followed to what it has now.
    if request.mustMatch, !course.hasDelivered, !choice.satisfies(request.wanted) {
      throw .unsupportedFormat(
        requested: request.wanted.description, supported: device.formats.map(\.description))
    }
    let isStopping = state.withLock { state in
      state.grabber = grabber
      return state.isStopping
    }
    // The camera is let go of before the next attempt: some drivers wait for that.
    defer { state.withLock { $0.grabber = nil } }
    guard !isStopping else { return }
    var patience = limits.firstFrame
    while !self.isStopping {
      do throws(CaptureError) {
        try capture(choice, from: grabber, patience: patience, &course)
        patience = limits.firstFrame
        while let still = nextStill() { try take(still, with: grabber) }
      } catch {
        guard course.failures == 0, course.hasDelivered, error.mayPassWithRestart else {
          throw error
        }
        note(error, &course)
        // A camera that is awake needs no more than that; if it doesn't help, it is opened anew.
        patience = limits.stall
      }
    }
  }

  /// Starts the stream, delivers its frames, and stops it.
  private func capture(
    _ choice: ModeTable.Choice, from grabber: Grabber, patience: Double, _ course: inout Course
  ) throws(CaptureError) {
    let format = try start(choice, on: grabber)
    state.withLock { $0.counting = grabber }
    defer {
      grabber.stop()
      let statistics = statistics
      state.withLock { state in
        state.pastStatistics = statistics
        state.counting = nil
      }
    }
    do throws(CaptureError) {
      try deliver(format, from: grabber, patience: patience, &course)
    } catch {
      // Before the stream is stopped: that can hang in the driver as long as the camera does.
      tell(error, &course)
      throw error
    }
  }

  /// Delivers a started stream's frames until it is stopped, fails, or has to pause for a still.
  private func deliver(
    _ format: VideoFormat, from grabber: Grabber, patience: Double, _ course: inout Course
  ) throws(CaptureError) {
    let limit = max(limits.stall, 5 * (format.frameInterval?.seconds ?? 0.2))
    var isFirst = true
    var corruptFrames = 0
    while true {
      let (isStopping, hasStills) = state.withLock { ($0.isStopping, !$0.stills.isEmpty) }
      if isStopping || hasStills && !isFirst { return }
      let seconds = isFirst ? max(patience, limit) : limit
      let begin = ContinuousClock.now
      guard let frame = try grabber.next(format: format, timeout: seconds) else {
        if begin.duration(to: .now) < .seconds(seconds) { continue }
        throw silence(of: grabber, after: seconds, since: corruptFrames)
      }
      guard let delegate else { return }
      if isFirst {
        isFirst = false
        course = Course(hasDelivered: true)
        delegate.streamDidStart(format)
      }
      delegate.streamDidDeliver(frame)
      corruptFrames = grabber.statistics.corruptFrames
    }
  }

  /// Starts the grabber's stream, with the controls that the program set.
  private func start(_ choice: ModeTable.Choice, on grabber: Grabber)
    throws(CaptureError) -> VideoFormat
  {
    device.restoreControls(on: grabber)
    let format = try grabber.start(choice, of: device.modes())
    // Some cameras forget their controls when the stream starts.
    device.restoreControls(on: grabber)
    return format
  }

  /// Why no frame came: the camera was silent, all that it sent was damaged, or its driver has no
  /// buffers to fill.
  private func silence(of grabber: Grabber, after seconds: Double, since corruptFrames: Int)
    -> CaptureError
  {
    let count = grabber.statistics.corruptFrames - corruptFrames
    if count > 0 {
      return .badImageData(
        what: "Each of the last \(count) frames of \(device.localizedName)",
        reason: "they came damaged or cut short")
    }
    guard grabber.refusedBuffers == 0 else {
      return .system(call: "VIDIOC_QBUF", code: EIO, subject: device.localizedName)
    }
    return .stalled(device: device.localizedName, seconds: seconds)
  }

  // MARK: Stills

  private func nextStill() -> (any StillCapture)? {
    state.withLock { $0.isStopping || $0.stills.isEmpty ? nil : $0.stills.removeFirst() }
  }

  /// Streams in the still's format until it has its frame; the ordinary stream goes on afterwards.
  private func take(_ still: any StillCapture, with grabber: Grabber) throws(CaptureError) {
    guard still.isWanted else { return }
    delegate?.streamWillTakeStill(.takingStill(device: device.localizedName))
    do throws(CaptureError) {
      let format = try start(try device.modes().choose(still.wanted), on: grabber)
      defer { grabber.stop() }
      still.stillDidStart(format)
      let end = ContinuousClock.now + .seconds(limits.still)
      while !isStopping, still.isWanted {
        let rest = ContinuousClock.now.duration(to: end) / .seconds(1)
        guard rest > 0 else {
          throw .stalled(device: device.localizedName, seconds: limits.still)
        }
        if let frame = try grabber.next(format: format, timeout: rest), still.consumeStill(frame) {
          return
        }
      }
      if isStopping { still.stillDidFail(.sessionNotRunning) }
    } catch {
      still.stillDidFail(error)
      if case .disconnected = error { throw error }
    }
  }
}

extension CaptureError {
  /// Whether starting the stream anew may help, without opening the camera again.
  fileprivate var mayPassWithRestart: Bool {
    switch self {
    case .stalled, .badImageData: true
    case .system(_, let code, _): code == EIO
    default: false
    }
  }
}

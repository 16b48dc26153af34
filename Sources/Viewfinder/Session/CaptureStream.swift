import Foundation

/// What a ``CaptureStream`` tells its session.
///
/// Called on the stream's own thread, with the stream's token.
protocol CaptureStreamDelegate: AnyObject, Sendable {
  /// Frames flow: for the first time, or again.
  func streamDidStart(_ token: SessionStateMachine.Token, _ format: VideoFormat)
  func streamDidDeliver(_ token: SessionStateMachine.Token, _ frame: VideoFrame)
  /// No frames for now; the stream keeps trying.
  func streamWasInterrupted(_ token: SessionStateMachine.Token, _ reason: CaptureError)
  /// The program holds so many frames that it gets no more.
  func streamDidStarve(_ token: SessionStateMachine.Token, heldFrames: Int)
  /// The stream couldn't start.
  func streamDidFail(_ token: SessionStateMachine.Token, _ error: CaptureError)
  /// The thread has ended and has let go of the camera.
  func streamDidEnd(_ token: SessionStateMachine.Token)
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
/// It sleeps in the grabber's poll. When the camera stalls or breaks, it restarts the stream; when
/// that doesn't help, or the camera went away, it opens the camera again, with pauses that grow,
/// until it is stopped.
final class CaptureStream: Sendable {
  /// What a session asks its camera for.
  struct Request: Hashable, Sendable {
    var wanted: StreamFormat
    /// Whether another size or layout than the one wanted is an error.
    var mustMatch: Bool
  }

  let token: SessionStateMachine.Token
  let device: CaptureDevice
  private let limits: CaptureLimits
  /// Streams that may still have the camera.
  private let predecessors: [CaptureStream]
  private weak let delegate: (any CaptureStreamDelegate)?

  private struct State {
    var request: Request
    /// What frames flowed with.
    var provenRequest: Request?
    /// Whether the request isn't what the stream was started with.
    var hasNewRequest = false
    var isStopping = false
    var hasEnded = false
    /// Called when the thread ends.
    var successors: [@Sendable () -> Void] = []
    var grabber: Grabber?
    /// The grabber while frames are taken from it that count.
    var counting: Grabber?
    /// The counts of what it streamed until the last restart of the camera.
    var pastStatistics = CaptureStatistics()
    var stills: [any StillCapture] = []
  }

  private let state: Mutex<State>
  /// Signalled by ``stop()`` and by devices that appear, so that waits between attempts end at once.
  private let wakeUp = DispatchSemaphore(value: 0)

  init(
    token: SessionStateMachine.Token, device: CaptureDevice, request: Request,
    limits: CaptureLimits, after predecessors: [CaptureStream] = [],
    delegate: any CaptureStreamDelegate
  ) {
    self.token = token
    self.device = device
    self.limits = limits
    self.predecessors = predecessors
    self.delegate = delegate
    state = Mutex(State(request: request))
  }

  /// What the camera is asked for.
  var request: Request { state.withLock { $0.request } }

  /// Starts the thread.
  func start() {
    let thread = Thread { [self] in
      for predecessor in predecessors { wait(for: predecessor) }
      run()
      // A descriptor that stays open keeps a USB camera awake, and a loopback node in its writer's format.
      device.forgetConnection()
      let (stills, successors) = state.withLock { state in
        state.hasEnded = true
        defer { (state.stills, state.successors) = ([], []) }
        return (state.stills, state.successors)
      }
      for still in stills { still.stillDidFail(.sessionNotRunning) }
      for successor in successors { successor() }
      delegate?.streamDidEnd(token)
    }
    thread.name = "viewfinder.capture"
    thread.start()
  }

  /// Asks the camera for something else; `false` when it is the same.
  ///
  /// The stream pauses for it.
  func reconfigure(_ request: Request) -> Bool {
    let isNew = state.withLock { state in
      guard state.request != request else { return false }
      state.request = request
      state.hasNewRequest = true
      state.grabber?.interrupt()
      return true
    }
    if isNew { wakeUp.signal() }
    return isNew
  }

  /// Makes the thread end.
  ///
  /// The grabber's waits end at once. A system call that hangs in a driver doesn't: the thread lets go of
  /// the camera when that returns.
  func stop() {
    state.withLock { state in
      state.isStopping = true
      state.grabber?.interrupt()
    }
    wakeUp.signal()
  }

  /// Waits until another stream has let go of the camera, or this one is stopped.
  private func wait(for predecessor: CaptureStream) {
    let hasEnded = predecessor.state.withLock { state in
      if !state.hasEnded { state.successors.append { [wakeUp] in wakeUp.signal() } }
      return state.hasEnded
    }
    guard !hasEnded else { return }
    while !isStopping, !predecessor.state.withLock({ $0.hasEnded }) { wakeUp.wait() }
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

  // MARK: The thread

  /// How far the stream has come.
  private struct Course {
    var hasDelivered = false
    /// Since frames flowed last.
    var failures = 0
    /// Whether the session knows that no frames come.
    var isInterrupted = false
  }

  /// How long the program has got no frames because it holds too many.
  private struct Hunger {
    let limit: Duration
    var begin: Duration?
    var isTold = false

    /// Whether a frame says so for the first time since others were handed out.
    mutating func isNews(of frame: VideoFrame) -> Bool {
      guard frame.isReserved else {
        self = Hunger(limit: limit)
        return false
      }
      begin = begin ?? frame.timestamp
      return frame.timestamp - begin! >= limit && isNews()
    }

    mutating func isNews() -> Bool {
      defer { isTold = true }
      return !isTold
    }
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
          delegate?.streamDidFail(token, judged(error))
          return
        }
        note(error, &course)
        if error.isRefusal, takeBackRequest() { continue }
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

  /// A start's failure by its name: a camera that is gone was unplugged, whatever failed first.
  private func judged(_ error: CaptureError) -> CaptureError {
    let gone = CaptureError.disconnected(device: device.localizedName)
    switch error {
    case .deviceNotFound: return gone
    case .system(_, let code, _) where Self.errorsOfLeaving.contains(code): break
    default: return error
    }
    // The system takes a moment to notice.
    for _ in 0..<3 {
      do throws(CaptureError) {
        _ = try device.openGrabber()
      } catch .deviceNotFound, .disconnected {
        return gone
      } catch {
        return error
      }
      guard !isStopping else { break }
      _ = wakeUp.wait(timeout: .now() + 0.1)
    }
    return error
  }

  /// What calls fail with while a plug is being pulled, and also for other reasons.
  private static let errorsOfLeaving = [EIO, EPIPE, EPROTO, EILSEQ, ETIMEDOUT, ENOENT, ENXIO]

  private func note(_ error: CaptureError, _ course: inout Course) {
    tell(error, &course)
    course.failures += 1
  }

  /// Tells of the first failure since frames flowed.
  private func tell(_ error: CaptureError, _ course: inout Course) {
    guard course.hasDelivered, !course.isInterrupted else { return }
    course.isInterrupted = true
    delegate?.streamWasInterrupted(token, error)
  }

  /// Goes back to what the camera delivered before it refused another wish; `false` when nothing else
  /// was wished for.
  private func takeBackRequest() -> Bool {
    state.withLock { state in
      guard let proven = state.provenRequest, proven != state.request else { return false }
      state.request = proven
      return true
    }
  }

  /// Waits before another attempt, longer each time up to a limit, or until something happens.
  private func pause(_ failures: Int) {
    let seconds = min(0.05 * Double(1 << min(failures, 5)), limits.retry)
    _ = wakeUp.wait(timeout: .now() + seconds)
  }

  /// Opens the camera and delivers frames until the stream is stopped, or fails even after a
  /// restart.
  private func openAndCapture(_ course: inout Course) throws(CaptureError) {
    let grabber = try device.openGrabber()
    if try grabber.followSource() { device.forgetModes() }
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
        try capture(from: grabber, patience: patience, &course)
        patience = limits.firstFrame
        while let still = nextStill() { try take(still, with: grabber) }
      } catch {
        guard course.failures == 0, course.hasDelivered, error.mayPassWithRestart else {
          throw error
        }
        note(error, &course)
        // A camera that is awake needs no more than that; if it doesn't help, the stream reopens it.
        patience = limits.stall
      }
    }
  }

  /// The camera's format for what it is asked for.
  private func choose(_ course: Course) throws(CaptureError) -> ModeTable.Choice {
    let request = state.withLock { state in
      state.hasNewRequest = false
      return state.request
    }
    let choice = try device.choose(request.wanted)
    // A source that changed under way is followed to what it has now.
    if request.mustMatch, !course.hasDelivered, !choice.satisfies(request.wanted) {
      throw device.unsupportedFormat(request.wanted)
    }
    return choice
  }

  /// Starts the stream, delivers its frames, and stops it.
  private func capture(from grabber: Grabber, patience: Double, _ course: inout Course)
    throws(CaptureError)
  {
    let format = try start(choose(course), on: grabber)
    state.withLock { $0.counting = grabber }
    defer {
      grabber.stop()
      var statistics = statistics
      statistics.lentBuffers = 0
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
    var last = CaptureStatistics()
    var hunger = Hunger(limit: .seconds(limits.starvation))
    while true {
      let (isOver, hasStills) = state.withLock {
        ($0.isStopping || $0.hasNewRequest, !$0.stills.isEmpty)
      }
      if isOver || hasStills && !isFirst { return }
      let seconds = isFirst ? max(patience, limit) : limit
      let begin = ContinuousClock.now
      guard let frame = try grabber.next(format: format, timeout: seconds) else {
        if begin.duration(to: .now) < .seconds(seconds) { continue }
        let now = grabber.statistics
        guard !isFirst, now.starvedFrames > last.starvedFrames else {
          throw silence(of: grabber, after: seconds, since: last.corruptFrames)
        }
        // The camera delivers: the program has all that the driver and copies can hold.
        last = now
        if hunger.isNews() { delegate?.streamDidStarve(token, heldFrames: now.lentBuffers) }
        continue
      }
      guard let delegate else { return }
      if isFirst {
        isFirst = false
        course = Course(hasDelivered: true)
        state.withLock { state in
          if !state.hasNewRequest { state.provenRequest = state.request }
        }
        // The frame's own: a camera may send another size than its driver agreed on.
        delegate.streamDidStart(token, frame.format)
      }
      delegate.streamDidDeliver(token, frame)
      last = grabber.statistics
      if hunger.isNews(of: frame) {
        delegate.streamDidStarve(token, heldFrames: last.lentBuffers)
      }
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
    delegate?.streamWasInterrupted(token, .takingStill(device: device.localizedName))
    do throws(CaptureError) {
      let format = try start(try device.choose(still.wanted), on: grabber)
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

extension CaptureDevice {
  /// What a session asks the camera for: the active format if there is one, else what the preset
  /// names.
  func wantedFormat(for preset: CaptureSession.Preset) -> CaptureStream.Request {
    let durations = frameDurations
    if let format = activeFormat {
      let fastest = format.videoSupportedFrameRateRanges.last?.minFrameDuration
      return CaptureStream.Request(
        wanted: StreamFormat(
          pixelFormat: format.pixelFormat, dimensions: format.dimensions,
          interval: durations.nearest(to: fastest)), mustMatch: true)
    }
    let usual = FrameInterval(numerator: 1, denominator: 30)
    return CaptureStream.Request(
      wanted: StreamFormat(
        pixelFormat: preferredPixelFormat, dimensions: preset.dimensions,
        interval: durations.nearest(to: usual)),
      mustMatch: preset.isExact)
  }
}

extension CaptureError {
  /// Whether the camera can't do what it was asked for, and may do something else.
  fileprivate var isRefusal: Bool {
    switch self {
    case .unsupportedFormat, .insufficientBandwidth: true
    case .system(let call, _, _): ["VIDIOC_S_FMT", "VIDIOC_REQBUFS"].contains(call)
    default: false
    }
  }

  /// Whether restarting the stream may help, without reopening the camera.
  fileprivate var mayPassWithRestart: Bool {
    switch self {
    case .stalled, .badImageData: true
    case .system(_, let code, _): code == EIO
    default: false
    }
  }
}

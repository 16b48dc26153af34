import Dispatch

/// A camera and its outputs at work; Apple's `AVCaptureSession`.
///
/// You may call all methods from any thread. A camera that stalls, breaks or is unplugged
/// interrupts the session, which goes on by itself when frames flow again; ``events`` say so.
///
/// ```swift
/// let session = CaptureSession()
/// let photoOutput = CapturePhotoOutput()
/// try session.configure {
///   try session.addInput(CaptureDeviceInput(device: camera))
///   try session.addOutput(photoOutput)
/// }
/// try await session.startRunning()
/// let photo = try await photoOutput.capturePhoto(with: CapturePhotoSettings())
/// ```
public final class CaptureSession: Sendable {
  struct State {
    var machine = SessionStateMachine()
    var configuration = Configuration()
    /// How deep ``beginConfiguration()`` nests.
    var openConfigurations = 0
    /// The newest stream, which may have ended.
    var stream: CaptureStream?
    /// Streams that haven't ended: the session's, and those that let go of their cameras.
    var streams: [CaptureStream] = []
    var waiters: [SessionStateMachine.Waiter: @Sendable (CaptureError?) -> Void] = [:]
    var lastWaiter = 0

    /// The stream whose frames count.
    var currentStream: CaptureStream? {
      machine.token.flatMap { token in streams.first { $0.token == token } }
    }

    /// Why the session can't run as it is.
    var lack: CaptureError? {
      configuration.input == nil
        ? .invalidSettings(
          reason: "The session has no camera. Add a CaptureDeviceInput before starting it.") : nil
    }

    /// What a running stream has to do so that it is as the configuration says.
    mutating func changes() -> [SessionStateMachine.Action] {
      guard openConfigurations == 0 else { return [] }
      let current = currentStream
      guard let device = configuration.input?.device, let current, current.device === device
      else {
        let isWithout = current == nil && configuration.input == nil
        return isWithout && machine.interruption != nil
          ? [] : machine.cameraDidChange(lack: lack)
      }
      let isNew = current.reconfigure(device.wantedFormat(for: configuration.preset))
      return isNew ? machine.formatWillChange() : []
    }
  }

  let state = Mutex(State())
  let limits: CaptureLimits
  let eventBroadcast = Broadcast<Event>(.events)
  /// What the machine decided is done here, in order; nothing here waits for a camera.
  private let actionQueue = DispatchQueue(label: "viewfinder.session")
  /// Observers are told here, so that they may call the session.
  let eventQueue = DispatchQueue(label: "viewfinder.session.events")

  /// Creates a session without inputs and outputs.
  ///
  /// It opens no camera.
  public convenience init() { self.init(limits: CaptureLimits()) }

  init(limits: CaptureLimits) { self.limits = limits }

  deinit {
    let (streams, outputs) = state.withLock { ($0.streams, $0.configuration.outputs) }
    for stream in streams { stream.stop() }
    for output in outputs { output.sessionDidStop() }
  }

  // MARK: State

  /// Whether the session was started and hasn't been stopped.
  ///
  /// Also `true` while it starts and during an interruption.
  public var isRunning: Bool { state.withLock { $0.machine.isRunning } }

  /// Whether the session runs but no frames come.
  public var isInterrupted: Bool { interruption != nil }

  /// Why no frames come for now.
  var interruption: CaptureError? { state.withLock { $0.machine.interruption } }

  /// What the driver granted, while frames flow.
  public var activeVideoFormat: VideoFormat? { state.withLock { $0.machine.format } }

  /// What became of the frames since the session's last start.
  public var statistics: CaptureStatistics {
    state.withLock { $0.stream }?.statistics ?? CaptureStatistics()
  }

  /// What happens to the session from now on.
  ///
  /// Each use makes a sequence of its own, which goes on across stops and starts and ends with the
  /// session. A reader who falls behind loses the oldest of more than 256 events.
  public var events: AsyncStream<Event> { eventBroadcast.subscribe() }

  // MARK: Running

  /// Starts the session, and returns when the first frame has come.
  ///
  /// The start ends at once when somebody stops the session, removes its input or cancels the task,
  /// even while a driver hangs. It fails after 15 seconds.
  ///
  /// - Throws: What kept the camera from delivering, or ``CaptureError/cancelled(reason:)``. The
  ///   session is then not running.
  public func startRunning() async throws(CaptureError) {
    let waiter = makeWaiter()
    let failure = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        start(waiter) { continuation.resume(returning: $0) }
        // The handler may have been called before there was anything to cancel.
        if Task.isCancelled { handle { $0.machine.cancelStart(waiter) } }
      }
    } onCancel: {
      handle { $0.machine.cancelStart(waiter) }
    }
    if let failure { throw failure }
  }

  /// Starts the session as ``startRunning()`` does, and blocks the thread meanwhile.
  @available(*, noasync, message: "It blocks the thread: use ‘try await startRunning()’.")
  public func startRunningAndWait() throws(CaptureError) {
    let outcome = Outcome()
    start(makeWaiter(), outcome.settle)
    if let failure = outcome.wait() { throw failure }
  }

  /// Stops the session, gives the camera back, and ends the outputs' unfinished work with an error.
  ///
  /// Returns when the camera is free. It waits at most 5 seconds for a driver that hangs, or half a
  /// second when the session was starting: the camera is then free once the driver answers.
  public func stopRunning() async {
    let waiter = makeWaiter()
    await withCheckedContinuation { continuation in
      stop(waiter) { _ in continuation.resume() }
    }
  }

  /// Stops the session as ``stopRunning()`` does, and blocks the thread meanwhile.
  @available(*, noasync, message: "It blocks the thread: use ‘await stopRunning()’.")
  public func stopRunningAndWait() {
    let outcome = Outcome()
    stop(makeWaiter(), outcome.settle)
    _ = outcome.wait()
  }

  private func makeWaiter() -> SessionStateMachine.Waiter {
    state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
  }

  private func start(
    _ waiter: SessionStateMachine.Waiter, _ resume: @escaping @Sendable (CaptureError?) -> Void
  ) {
    handle { state in
      state.waiters[waiter] = resume
      return state.machine.start(waiter, lack: state.lack)
    }
  }

  private func stop(
    _ waiter: SessionStateMachine.Waiter, _ resume: @escaping @Sendable (CaptureError?) -> Void
  ) {
    handle { state in
      state.waiters[waiter] = resume
      return state.machine.stop(waiter)
    }
  }

  /// Takes a photo in another format than the stream's; `false` when there is no stream.
  func take(_ still: any StillCapture) -> Bool {
    state.withLock { $0.currentStream }?.take(still) ?? false
  }

  // MARK: Acting

  /// Lets something happen to the machine, and has done what it says.
  func handle(_ body: @Sendable (inout State) -> [SessionStateMachine.Action]) {
    state.withLock { state in
      let actions = body(&state)
      guard !actions.isEmpty else { return }
      for case .openStream(let token) in actions { makeStream(token, &state) }
      // Inside the lock: what is decided first is done first.
      actionQueue.async { [self] in
        for action in actions { perform(action) }
      }
    }
  }

  /// Waits until what was decided has been done.
  func settle() { actionQueue.sync {} }

  /// Makes a stream, which isn't started yet.
  private func makeStream(_ token: SessionStateMachine.Token, _ state: inout State) {
    guard let device = state.configuration.input?.device else { return }
    let stream = CaptureStream(
      token: token, device: device, request: device.wantedFormat(for: state.configuration.preset),
      limits: limits, after: state.streams.filter { $0.device == device }, delegate: self)
    state.stream = stream
    state.streams.append(stream)
  }

  private func perform(_ action: SessionStateMachine.Action) {
    switch action {
    case .openStream(let token):
      stream(token)?.start()
    case .endStream(let token):
      stream(token)?.stop()
    case .limitStart(let token):
      let seconds = limits.start
      after(seconds) { state in
        let name = state.configuration.input?.device.localizedName ?? "The camera"
        return state.machine.startLimitDidPass(token, .stalled(device: name, seconds: seconds))
      }
    case .limitStop(let token, let isOfStart):
      after(isOfStart ? limits.abandonedStart : limits.stop) {
        $0.machine.stopLimitDidPass(token)
      }
    case .endWork:
      for output in outputs { output.sessionDidStop() }
    case .refreshOutputs:
      for output in outputs { output.sessionDidChange() }
    case .publish(let event):
      publish(event)
    case .resume(let waiters, let failure):
      let bodies = state.withLock { state in
        waiters.compactMap { state.waiters.removeValue(forKey: $0) }
      }
      for body in bodies { body(failure) }
    }
  }

  private func stream(_ token: SessionStateMachine.Token) -> CaptureStream? {
    state.withLock { state in state.streams.first { $0.token == token } }
  }

  private func after(
    _ seconds: Double, _ body: @escaping @Sendable (inout State) -> [SessionStateMachine.Action]
  ) {
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
      self?.handle(body)
    }
  }
}

/// Holds a thread until a start or a stop has ended.
private final class Outcome: Sendable {
  private let failure = Mutex<CaptureError?>(nil)
  private let semaphore = DispatchSemaphore(value: 0)

  func settle(_ value: CaptureError?) {
    failure.withLock { $0 = value }
    semaphore.signal()
  }

  func wait() -> CaptureError? {
    semaphore.wait()
    return failure.withLock { $0 }
  }
}

// The streams' threads call these.
extension CaptureSession: CaptureStreamDelegate {
  func streamDidStart(_ token: SessionStateMachine.Token, _ format: VideoFormat) {
    handle { $0.machine.streamDidStart(token, format) }
    // Outputs know the format before they see the first frame.
    settle()
  }

  func streamDidDeliver(_ token: SessionStateMachine.Token, _ frame: VideoFrame) {
    let outputs = state.withLock { $0.machine.delivers(token) ? $0.configuration.outputs : [] }
    for output in outputs where !frame.isReserved || output.takesReservedFrames {
      output.frameDidPass(at: frame.timestamp)
      guard let connection = output.connection, connection.isEnabled else { continue }
      output.consume(frame, from: connection)
    }
  }

  func streamWasInterrupted(_ token: SessionStateMachine.Token, _ reason: CaptureError) {
    handle { $0.machine.streamWasInterrupted(token, reason) }
  }

  func streamDidStarve(_ token: SessionStateMachine.Token, heldFrames: Int) {
    handle { $0.machine.streamDidStarve(token, heldFrames: heldFrames) }
  }

  func streamDidFail(_ token: SessionStateMachine.Token, _ error: CaptureError) {
    handle { $0.machine.streamDidFail(token, error) }
  }

  func streamDidEnd(_ token: SessionStateMachine.Token) {
    handle { state in
      state.streams.removeAll { $0.token == token }
      return state.machine.streamDidEnd(token)
    }
  }
}

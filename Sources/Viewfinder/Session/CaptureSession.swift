public import Foundation

/// A camera and its outputs at work; Apple's `AVCaptureSession`.
///
/// All methods may be called from any thread. A camera that stalls, breaks or is unplugged
/// interrupts the session, which goes on by itself when frames flow again; ``events`` tell.
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
  /// What a session's ``events`` tell.
  public enum Event: Sendable {
    /// Frames flow, in this format.
    case didStartRunning(VideoFormat)
    /// The session was stopped, or failed to start.
    case didStopRunning
    /// The session couldn't start, or stopped for good.
    case runtimeError(CaptureError)
    /// No frames for now; the session keeps trying.
    case wasInterrupted(CaptureError)
    /// Frames flow again, in this format.
    case interruptionEnded(VideoFormat)
  }

  struct Configuration {
    var input: CaptureDeviceInput?
    var outputs: [CaptureOutput] = []
    var preset = Preset.high
  }

  private struct State {
    var configuration = Configuration()
    /// How deep ``beginConfiguration()`` nests.
    var openConfigurations = 0
    var stream: CaptureStream?
    var format: VideoFormat?
    var isRunning = false
    /// Why no frames come for now.
    var interruption: CaptureError?
    /// The last stream's counts, kept after its end.
    var lastStatistics = CaptureStatistics()
    /// Who waits for the first frame.
    var starting: CheckedStart?
  }

  private let state = Mutex(State())
  private let limits: CaptureLimits
  private let eventBroadcast = Broadcast<Event>()
  /// Starts, stops and restarts happen here, one after the other.
  private let controlQueue = DispatchQueue(label: "viewfinder.session")
  /// Observers are told here, so that they may call the session.
  private let eventQueue = DispatchQueue(label: "viewfinder.session.events")

  /// Creates a session without inputs and outputs.
  ///
  /// No camera is opened.
  public convenience init() { self.init(limits: CaptureLimits()) }

  init(limits: CaptureLimits) { self.limits = limits }

  deinit {
    let (stream, outputs) = state.withLock { ($0.stream, $0.configuration.outputs) }
    stream?.stop()
    for output in outputs { output.sessionDidStop() }
  }

  // MARK: State

  /// Whether the session was started and hasn't been stopped.
  ///
  /// Also `true` during an interruption.
  public var isRunning: Bool { state.withLock { $0.isRunning } }

  /// Whether the session runs but no frames come.
  public var isInterrupted: Bool { interruption != nil }

  /// Why no frames come for now.
  var interruption: CaptureError? { state.withLock { $0.interruption } }

  /// What the driver granted, while the session runs.
  public var activeVideoFormat: VideoFormat? { state.withLock { $0.format } }

  /// What became of the frames since the session was started, or last time that it was.
  public var statistics: CaptureStatistics {
    let (stream, last) = state.withLock { ($0.stream, $0.lastStatistics) }
    return stream?.statistics ?? last
  }

  /// What happens to the session from now on.
  ///
  /// Each use makes a sequence of its own. A reader who falls behind loses the oldest of more than
  /// 256 events.
  public var events: AsyncStream<Event> { eventBroadcast.subscribe(.bufferingNewest(256)) }

  // MARK: Configuration

  /// The inputs: none or one.
  public var inputs: [CaptureDeviceInput] {
    state.withLock { $0.configuration.input.map { [$0] } ?? [] }
  }

  /// The outputs.
  public var outputs: [CaptureOutput] { state.withLock { $0.configuration.outputs } }

  /// The size and rate by name.
  ///
  /// The default is ``Preset/high``.
  ///
  /// ``Preset/inputPriority`` while the device has an active format of its own. Setting another
  /// preset takes that back.
  public var sessionPreset: Preset {
    get {
      let (preset, input) = state.withLock { ($0.configuration.preset, $0.configuration.input) }
      return input?.device.activeFormat == nil ? preset : .inputPriority
    }
    set {
      let input = state.withLock { $0.configuration.input }
      if newValue != .inputPriority { input?.device.forgetActiveFormat() }
      change { $0.preset = newValue }
    }
  }

  /// Whether the session's camera has the size that a preset names.
  ///
  /// Presets that name none always can be set.
  public func canSetSessionPreset(_ preset: Preset) -> Bool {
    guard preset.isExact, let input = inputs.first else { return true }
    let wanted = StreamFormat(dimensions: preset.dimensions)
    return (try? input.device.modes().choose(wanted))?.satisfies(wanted) ?? false
  }

  /// Whether ``addInput(_:)`` would take an input: a session has one.
  public func canAddInput(_ input: CaptureDeviceInput) -> Bool { inputs.isEmpty }

  /// Adds the camera.
  ///
  /// - Throws: ``CaptureError/invalidSettings(reason:)`` when the session has an input.
  public func addInput(_ input: CaptureDeviceInput) throws(CaptureError) {
    guard canAddInput(input) else {
      throw .invalidSettings(
        reason: "The session has a camera already (\(inputs[0].device.localizedName)). "
          + "Remove that input first, or use a second session.")
    }
    change { $0.input = input }
    connectOutputs()
  }

  /// Takes the camera away.
  ///
  /// A running session goes on without frames.
  public func removeInput(_ input: CaptureDeviceInput) {
    change { configuration in
      if configuration.input === input { configuration.input = nil }
    }
    connectOutputs()
  }

  /// Whether ``addOutput(_:)`` would take an output: it must not belong to a session.
  public func canAddOutput(_ output: CaptureOutput) -> Bool { output.session == nil }

  /// Adds an output and connects it to the camera.
  ///
  /// - Throws: ``CaptureError/invalidSettings(reason:)`` when the output belongs to a session.
  public func addOutput(_ output: CaptureOutput) throws(CaptureError) {
    guard output.attach(to: self) else {
      throw .invalidSettings(
        reason: "The output belongs to a session already. Remove it there first.")
    }
    change { $0.outputs.append(output) }
    connectOutputs()
  }

  /// Takes an output away.
  ///
  /// Its unfinished work ends with an error.
  public func removeOutput(_ output: CaptureOutput) {
    guard outputs.contains(where: { $0 === output }) else { return }
    change { $0.outputs.removeAll { $0 === output } }
    output.detach()
  }

  /// Begins changes that take effect together at ``commitConfiguration()``.
  ///
  /// Calls nest.
  public func beginConfiguration() {
    state.withLock { $0.openConfigurations += 1 }
  }

  /// Ends what ``beginConfiguration()`` began and applies the changes; a running stream restarts
  /// once if it must.
  public func commitConfiguration() {
    let isOutermost = state.withLock { state in
      state.openConfigurations = max(state.openConfigurations - 1, 0)
      return state.openConfigurations == 0
    }
    if isOutermost { applyChanges() }
  }

  /// Changes the configuration as a whole: all of `body`'s changes, or none if it throws.
  public func configure<R>(_ body: () throws -> R) throws -> R {
    let before = state.withLock { $0.configuration }
    beginConfiguration()
    do {
      let result = try body()
      commitConfiguration()
      return result
    } catch {
      restore(before)
      commitConfiguration()
      throw error
    }
  }

  private func restore(_ configuration: Configuration) {
    for output in outputs where !configuration.outputs.contains(where: { $0 === output }) {
      output.detach()
    }
    for output in configuration.outputs { _ = output.attach(to: self) }
    state.withLock { $0.configuration = configuration }
    connectOutputs()
  }

  private func change(_ body: (inout Configuration) -> Void) {
    let appliesNow = state.withLock { state in
      body(&state.configuration)
      return state.openConfigurations == 0
    }
    if appliesNow { applyChanges() }
  }

  private func connectOutputs() {
    let (input, outputs) = state.withLock { ($0.configuration.input, $0.configuration.outputs) }
    for output in outputs { output.connect(to: input) }
  }

  private func applyChanges() {
    guard isRunning else { return }
    controlQueue.sync {
      let (stream, configuration) = state.withLock { ($0.stream, $0.configuration) }
      guard isRunning else { return }
      let device = configuration.input?.device
      let request = device?.wantedFormat(for: configuration.preset)
      if stream?.device === device, stream?.request == request { return }
      endStream()
      beginStream()
    }
  }

  // MARK: Running

  /// Starts the session and waits until the first frame has come, or it is known that none will.
  ///
  /// A failure arrives as ``Event/runtimeError(_:)`` and as ``runtimeErrorNotification``; the async
  /// form throws it.
  public func startRunning() {
    _ = start()
  }

  /// Starts the session; returns when the first frame has come.
  ///
  /// - Throws: What kept the camera from delivering. The session is then not running.
  public func startRunning() async throws(CaptureError) {
    let result = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: self.start()) }
    }
    try result.get()
  }

  /// Stops the session, gives the camera back, and ends the outputs' unfinished work with an error.
  public func stopRunning() {
    controlQueue.sync {
      let wasRunning = state.withLock { state in
        defer { state.isRunning = false }
        return state.isRunning
      }
      guard wasRunning else { return }
      endStream()
      for output in outputs { output.sessionDidStop() }
      publish(.didStopRunning)
    }
  }

  /// Stops the session without blocking a thread of Swift's pool.
  public func stopRunning() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        self.stopRunning()
        continuation.resume()
      }
    }
  }

  private func start() -> Result<Void, CaptureError> {
    controlQueue.sync {
      guard !isRunning else { return .success(()) }
      guard inputs.first != nil else {
        let error = CaptureError.invalidSettings(
          reason: "The session has no camera. Add a CaptureDeviceInput before starting it.")
        publish(.runtimeError(error))
        return .failure(error)
      }
      state.withLock { $0.isRunning = true }
      return beginStream()
    }
  }

  @discardableResult
  private func beginStream() -> Result<Void, CaptureError> {
    let (input, preset) = state.withLock { ($0.configuration.input, $0.configuration.preset) }
    guard let device = input?.device else { return .success(()) }
    let start = CheckedStart()
    let stream = CaptureStream(
      device: device, request: device.wantedFormat(for: preset), limits: limits, delegate: self)
    state.withLock { state in
      state.stream = stream
      state.starting = start
      state.interruption = nil
    }
    tellOutputs()
    stream.start()
    let result = start.wait(for: device, limit: limits.start)
    if case .failure = result {
      endStream()
      state.withLock { $0.isRunning = false }
      tellOutputs()
    }
    return result
  }

  private func tellOutputs() {
    for output in outputs { output.sessionDidChange() }
  }

  /// Takes a photo in another format than the stream's; `false` when there is no stream.
  func take(_ still: any StillCapture) -> Bool {
    state.withLock { $0.stream }?.take(still) ?? false
  }

  private func endStream() {
    let stream = state.withLock { $0.stream }
    guard let stream else { return }
    stream.stop()
    let statistics = stream.statistics
    state.withLock { state in
      state.stream = nil
      state.format = nil
      state.starting = nil
      state.lastStatistics = statistics
    }
  }
}

extension CaptureDevice {
  /// What a session asks the camera for: the active format if there is one, else what the preset
  /// names.
  fileprivate func wantedFormat(for preset: CaptureSession.Preset) -> CaptureStream.Request {
    let interval = activeVideoFrameDuration
    if let format = activeFormat {
      let fastest = format.videoSupportedFrameRateRanges.last?.minFrameDuration
      return CaptureStream.Request(
        wanted: StreamFormat(
          pixelFormat: format.pixelFormat, dimensions: format.dimensions,
          interval: interval ?? fastest), mustMatch: true)
    }
    let usual = FrameInterval(numerator: 1, denominator: 30)
    return CaptureStream.Request(
      wanted: StreamFormat(
        pixelFormat: preferredPixelFormat, dimensions: preset.dimensions,
        interval: interval ?? usual),
      mustMatch: preset.isExact)
  }
}

/// Holds the caller of a start until the first frame or a failure.
private final class CheckedStart: Sendable {
  private let result = Mutex<Result<Void, CaptureError>?>(nil)
  private let semaphore = DispatchSemaphore(value: 0)

  func resolve(_ value: Result<Void, CaptureError>) {
    let isFirst = result.withLock { result in
      guard result == nil else { return false }
      result = value
      return true
    }
    if isFirst { semaphore.signal() }
  }

  /// Waits for the outcome.
  ///
  /// The stream's own limits bring it, unless a driver hangs.
  func wait(for device: CaptureDevice, limit: Double) -> Result<Void, CaptureError> {
    if semaphore.wait(timeout: .now() + limit) == .timedOut {
      resolve(.failure(.stalled(device: device.localizedName, seconds: limit)))
    }
    return result.withLock { $0! }
  }
}

// The stream's thread calls these.
extension CaptureSession: CaptureStreamDelegate {
  func streamDidStart(_ format: VideoFormat) {
    let (wasInterrupted, starting) = state.withLock { state in
      defer { state.interruption = nil }
      state.format = format
      return (state.interruption != nil, state.starting)
    }
    for output in outputs { output.streamDidStart(format) }
    publish(wasInterrupted ? .interruptionEnded(format) : .didStartRunning(format))
    starting?.resolve(.success(()))
  }

  func streamDidDeliver(_ frame: VideoFrame) {
    for output in outputs {
      guard let connection = output.connection, connection.isEnabled else { continue }
      output.consume(frame, from: connection)
    }
  }

  func streamWasInterrupted(_ reason: CaptureError) {
    state.withLock { $0.interruption = reason }
    for output in outputs { output.streamWasInterrupted(reason) }
    publish(.wasInterrupted(reason))
  }

  func streamWillTakeStill(_ reason: CaptureError) {
    state.withLock { $0.interruption = reason }
    // Photos that were asked for in the stream's own format wait.
    publish(.wasInterrupted(reason))
  }

  func streamDidFail(_ error: CaptureError) {
    let starting = state.withLock { state in
      state.isRunning = false
      return state.starting
    }
    for output in outputs { output.sessionDidStop() }
    publish(.runtimeError(error))
    publish(.didStopRunning)
    starting?.resolve(.failure(error))
  }
}

// Notifications, for those who know them from Apple.
extension CaptureSession {
  /// Posted when frames begin to flow.
  public static let didStartRunningNotification = Notification.Name(
    "CaptureSessionDidStartRunning")
  /// Posted when the session has stopped.
  public static let didStopRunningNotification = Notification.Name("CaptureSessionDidStopRunning")
  /// Posted when the session couldn't start; ``errorKey`` has the ``CaptureError``.
  public static let runtimeErrorNotification = Notification.Name("CaptureSessionRuntimeError")
  /// Posted when no frames come for now; ``errorKey`` has the reason.
  public static let wasInterruptedNotification = Notification.Name("CaptureSessionWasInterrupted")
  /// Posted when frames flow again.
  public static let interruptionEndedNotification = Notification.Name(
    "CaptureSessionInterruptionEnded")
  /// The key of the ``CaptureError`` in a notification's `userInfo`.
  public static let errorKey = "CaptureSessionErrorKey"

  private func publish(_ event: Event) {
    tellOutputs()
    eventBroadcast.send(event)
    eventQueue.async { [self] in
      let (name, error): (Notification.Name, CaptureError?) =
        switch event {
        case .didStartRunning: (Self.didStartRunningNotification, nil)
        case .didStopRunning: (Self.didStopRunningNotification, nil)
        case .runtimeError(let error): (Self.runtimeErrorNotification, error)
        case .wasInterrupted(let error): (Self.wasInterruptedNotification, error)
        case .interruptionEnded: (Self.interruptionEndedNotification, nil)
        }
      NotificationCenter.default.post(
        name: name, object: self, userInfo: error.map { [Self.errorKey: $0] })
    }
  }
}

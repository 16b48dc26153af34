import Foundation

/// Takes photos; Apple's `AVCapturePhotoOutput`.
///
/// A photo is the first frame that the camera captures after the request, once the exposure has
/// settled and the delegate knows that the output takes the picture. The output encodes it on
/// threads of its own, so the camera goes on meanwhile; the photos of a burst side by side. Delegates
/// learn of finished photos in the order in which their frames came.
public final class CapturePhotoOutput: CaptureOutput, @unchecked Sendable {
  /// A photo that keeps one of the camera's buffers, and until when.
  struct Borrower {
    weak var content: PhotoContent?
    let due: Duration
  }

  struct State {
    /// Requests that are about to wait for a frame: most of them have a self-timer or an automatic shutter.
    var timed: [PhotoRequest] = []
    /// Those of them whose automatic shutter looks at the frames.
    var watching: [PhotoRequest] = []
    /// Requests that wait for a frame, first come first served.
    var waiting: [PhotoRequest] = []
    /// Requests for which the stream changes its format.
    var stills: [PhotoRequest] = []
    /// How many photos are being encoded.
    var processingCount = 0
    /// The series that runs.
    var intervalCapture: IntervalCapture?
    /// As it was told last.
    var readiness = CaptureReadiness.sessionNotRunning
    var meter = ExposureMeter()
    /// The newest photo, if it keeps one of the camera's buffers.
    var borrower: Borrower?
    var format: VideoFormat?
  }

  let state = Mutex(State())
  let readinessBroadcast = Broadcast<CaptureReadiness>(.states)
  let selfTimerBroadcast = Broadcast<SelfTimerTick>(.events)
  let encoder = JPEGEncoder()
  /// Makes photos: those of a burst side by side, but not so many that their pictures fill the memory.
  let processing = OrderedWork(
    "viewfinder.photo", width: min(ProcessInfo.processInfo.activeProcessorCount, 4),
    handsOverAside: false)
  let delegateQueues = DelegateQueues()
  /// Where self-timers run: photos that are being encoded don't keep them waiting.
  let timerQueue = DispatchQueue(label: "viewfinder.photo.timer", qos: .userInitiated)

  /// Creates an output that belongs to no session.
  public override init() { super.init() }

  /// The kinds of files that photos can be; empty until the output is connected to a camera.
  public var availablePhotoFileTypes: [PhotoFileType] {
    connection == nil ? [] : PhotoFileType.allCases
  }

  /// The flash modes that the connected camera has.
  ///
  /// Off is always there.
  public var supportedFlashModes: [CapturePhotoSettings.FlashMode] {
    connection?.input.device.hasFlash == true ? [.off, .on, .auto] : [.off]
  }

  /// The sizes that ``CapturePhotoSettings/maxPhotoDimensions`` may name, smallest first: those of
  /// the connected camera.
  public var supportedMaxPhotoDimensions: [Dimensions] {
    let formats = connection?.input.device.formats ?? []
    return Set(formats.map(\.dimensions)).sorted { ($0.area, $0.width) < ($1.area, $1.width) }
  }

  // MARK: Taking photos

  /// Takes a photo and tells `delegate` how it goes.
  ///
  /// Whatever is wrong (settings that you used before, a session that isn't running, an outline
  /// outside the picture, a camera that goes away) arrives in the delegate's last call.
  ///
  /// - Parameters:
  ///   - settings: New settings; you can use each value, or one of its copies, once.
  ///   - delegate: Held until its last call.
  public func capturePhoto(
    with settings: CapturePhotoSettings, delegate: any CapturePhotoCaptureDelegate
  ) {
    let request = PhotoRequest(
      settings: settings, delegate: delegate, calls: delegateQueues.line(for: delegate))
    do throws(CaptureError) {
      try validate(settings)
      try accept(request)
    } catch {
      finish(request, with: error)
      return
    }
    if let countdown = request.countdown {
      start(countdown, of: request)
    } else {
      release(request)
    }
  }

  /// Takes a photo.
  ///
  /// Cancelling the task cancels the request while it waits.
  ///
  /// - Parameter settings: New settings; you can use each value, or one of its copies, once.
  /// - Returns: The photo.
  /// - Throws: What the delegate's last call would tell.
  public func capturePhoto(with settings: CapturePhotoSettings) async throws(CaptureError)
    -> CapturePhoto
  {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let delegate = PhotoCompletion { continuation.resume(returning: $0) }
        capturePhoto(with: settings, delegate: delegate)
        if Task.isCancelled { cancelCapture(settings.uniqueID) }
      }
    } onCancel: {
      cancelCapture(settings.uniqueID)
    }
    return try result.get()
  }

  private func validate(_ settings: CapturePhotoSettings) throws(CaptureError) {
    guard settings.beginUse() else {
      throw .invalidSettings(
        reason: "These photo settings were used before. "
          + "Make new ones for each photo: CapturePhotoSettings(from: settings).")
    }
    guard let session, session.isRunning, let connection else { throw .sessionNotRunning }
    guard connection.isEnabled else {
      throw .invalidSettings(reason: "The photo output's connection is disabled.")
    }
    if let reason = session.interruption, !reason.isPassing {
      throw .cancelled(
        reason: "\(connection.input.device.localizedName) delivers no frames now. \(reason)")
    }
    if let size = settings.maxPhotoDimensions, !supportedMaxPhotoDimensions.contains(size) {
      throw connection.input.device.unsupportedFormat(nil, dimensions: size)
    }
    guard settings.flashMode != .on || connection.input.device.hasFlash else {
      throw .invalidSettings(
        reason: "\(connection.input.device.localizedName) has no flash. Use .off, or .auto.")
    }
  }

  /// Takes a request on, unless it must not wait and would have to.
  private func accept(_ request: PhotoRequest) throws(CaptureError) {
    try update { state throws(CaptureError) in
      if request.settings.readinessPolicy == .fails, state.readiness != .ready {
        throw .shutterNotReady(state.readiness)
      }
      state.timed.append(request)
    }
  }

  /// Cancels the request for a photo while its self-timer runs or it waits for its frame.
  ///
  /// It ends with ``CaptureError/cancelled(reason:)``. A photo whose frame was taken still comes.
  ///
  /// - Parameter uniqueID: The request's ``CapturePhotoSettings/uniqueID``.
  public func cancelCapture(_ uniqueID: Int64) {
    let requests = update { state in
      let isMatch = { (request: PhotoRequest) in request.settings.uniqueID == uniqueID }
      let matches = (state.timed + state.waiting + state.stills).filter(isMatch)
      state.timed.removeAll(where: isMatch)
      state.waiting.removeAll(where: isMatch)
      state.stills.removeAll(where: isMatch)
      return matches
    }
    for request in requests {
      finish(request, with: .cancelled(reason: "The program took the request back."))
    }
  }

  // MARK: For the session

  override func streamDidStart(_ format: VideoFormat) {
    state.withLock { state in
      state.meter = ExposureMeter()
      state.format = format
    }
  }

  override var takesReservedFrames: Bool { true }

  override func frameDidPass(at time: Duration) { giveBack(at: time) }

  override func consume(_ frame: VideoFrame, from connection: CaptureConnection) {
    let (isWaiting, isWatching) = state.withLock { state in
      state.meter.begin(at: frame.timestamp)
      return (!state.waiting.isEmpty, !state.watching.isEmpty)
    }
    // Frames that are for photos alone aren't kept.
    if isWatching, !frame.isReserved { connection.input.outlineFollower.consume(frame) }
    if isWaiting { advanceLine(with: frame, from: connection) }
  }

  override func streamWasInterrupted(_ reason: CaptureError) {
    giveBack()
    fail(with: reason)
  }

  override func sessionDidStop() {
    let error = CaptureError.cancelled(reason: "The session was stopped, or the output removed.")
    intervalCapture?.end(.failed(error))
    giveBack()
    fail(with: error)
  }

  override func sessionDidChange() { update { _ in } }

  func fail(with error: CaptureError) {
    let requests = update { state in
      defer { (state.timed, state.waiting, state.stills) = ([], [], []) }
      return state.waiting + state.stills + state.timed
    }
    for request in requests { finish(request, with: error) }
  }
}

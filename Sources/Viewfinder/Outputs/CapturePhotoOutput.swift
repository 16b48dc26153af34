import Foundation

/// Takes photos; Apple's `AVCapturePhotoOutput`.
///
/// A photo is the first frame that the camera captures after the request, once the exposure has
/// settled. It is encoded on a queue of the output, so the camera goes on meanwhile.
public final class CapturePhotoOutput: CaptureOutput, @unchecked Sendable {
  private struct State {
    /// Requests whose self-timer runs.
    var timed: [PhotoRequest] = []
    /// Requests that wait for a frame, first come first served.
    var waiting: [PhotoRequest] = []
    var meter = ExposureMeter()
    var encoder: JPEGEncoder?
    var format: VideoFormat?
  }

  private let state = Mutex(State())
  /// Encodes and calls delegates, one request after the other.
  private let queue = DispatchQueue(label: "viewfinder.photo", qos: .userInitiated)

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

  // MARK: Taking photos

  /// Takes a photo and tells `delegate` how it goes.
  ///
  /// Whatever is wrong (settings that were used before, a session that isn't running, an outline
  /// outside the picture, a camera that goes away) arrives in the delegate's last call.
  ///
  /// - Parameters:
  ///   - settings: New settings; each value, and its copies, can be used once.
  ///   - delegate: Held until its last call.
  public func capturePhoto(
    with settings: CapturePhotoSettings, delegate: any CapturePhotoCaptureDelegate
  ) {
    let request = PhotoRequest(settings: settings, delegate: delegate)
    do throws(CaptureError) {
      try validate(settings)
    } catch {
      finish(request, with: error)
      return
    }
    guard settings.selfTimer > .zero else {
      activate(request)
      return
    }
    state.withLock { $0.timed.append(request) }
    let delay = settings.selfTimer / .seconds(1)
    queue.asyncAfter(deadline: .now() + delay) { [self] in
      let isStillWanted = state.withLock { state in
        let count = state.timed.count
        state.timed.removeAll { $0 === request }
        return state.timed.count < count
      }
      if isStillWanted { activate(request) }
    }
  }

  /// Takes a photo.
  ///
  /// Cancelling the task cancels the request while it waits.
  ///
  /// - Parameter settings: New settings; each value, and its copies, can be used once.
  /// - Returns: The photo.
  /// - Throws: What the delegate's last call would tell.
  public func capturePhoto(with settings: CapturePhotoSettings) async throws(CaptureError)
    -> CapturePhoto
  {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        capturePhoto(with: settings, delegate: PhotoContinuation(continuation))
        if Task.isCancelled { cancel(settings.uniqueID) }
      }
    } onCancel: {
      cancel(settings.uniqueID)
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
    guard !session.isInterrupted else {
      throw .cancelled(reason: "\(connection.input.device.localizedName) delivers no frames now.")
    }
    guard settings.flashMode != .on || connection.input.device.hasFlash else {
      throw .invalidSettings(
        reason: "\(connection.input.device.localizedName) has no flash. Use .off, or .auto.")
    }
  }

  /// Lets a request take the next frame.
  private func activate(_ request: PhotoRequest) {
    if request.settings.flashMode == .on { lightFlash(for: request) }
    request.noFrameBefore = max(request.noFrameBefore, monotonicTime())
    state.withLock { $0.waiting.append(request) }
    // The session may have stopped between the check and here.
    if session?.isRunning != true { sessionDidStop() }
  }

  private func cancel(_ uniqueID: Int64) {
    let requests = state.withLock { state in
      let matches = (state.timed + state.waiting).filter { $0.settings.uniqueID == uniqueID }
      state.timed.removeAll { $0.settings.uniqueID == uniqueID }
      state.waiting.removeAll { $0.settings.uniqueID == uniqueID }
      return matches
    }
    for request in requests {
      finish(request, with: .cancelled(reason: "The task was cancelled."))
    }
  }

  // MARK: For the session

  override func streamDidStart(_ format: VideoFormat) {
    state.withLock { state in
      state.meter = ExposureMeter()
      state.format = format
    }
  }

  override func consume(_ frame: VideoFrame, from connection: CaptureConnection) {
    let request = state.withLock { state -> PhotoRequest? in
      state.meter.begin(at: frame.timestamp)
      guard let request = state.waiting.first, frame.timestamp >= request.noFrameBefore else {
        return nil
      }
      if request.settings.waitsForExposure, !state.meter.isSettled(by: frame) { return nil }
      return request
    }
    guard let request else { return }
    if needsFlash(request, frame) {
      lightFlash(for: request)
      return
    }
    let isStillWanted = state.withLock { state in
      guard state.waiting.first === request else { return false }
      state.waiting.removeFirst()
      return true
    }
    guard isStillWanted else { return }
    queue.async { [self] in
      if request.isFlashLit { connection.input.device.setFlash(lit: false) }
      process(request, frame, connection)
    }
  }

  override func streamWasInterrupted(_ reason: CaptureError) {
    fail(with: reason)
  }

  override func sessionDidStop() {
    fail(with: .cancelled(reason: "The session was stopped, or the output removed."))
  }

  private func fail(with error: CaptureError) {
    let requests = state.withLock { state in
      defer { (state.timed, state.waiting) = ([], []) }
      return state.waiting + state.timed
    }
    for request in requests { finish(request, with: error) }
  }

  // MARK: Flash

  /// Mean luma below which a picture counts as dark.
  private static let darkness = 50.0

  private func needsFlash(_ request: PhotoRequest, _ frame: VideoFrame) -> Bool {
    guard request.settings.flashMode == .auto, !request.isFlashLit,
      let device = connection?.input.device, device.hasFlash,
      let luma = try? frame.meanLuma()
    else { return false }
    return luma < Self.darkness
  }

  /// Lights the lamp; the frames already under way don't count.
  private func lightFlash(for request: PhotoRequest) {
    guard let device = connection?.input.device else { return }
    device.setFlash(lit: true)
    request.isFlashLit = true
    let interval = state.withLock { $0.format?.frameInterval?.seconds ?? 0.1 }
    request.noFrameBefore = monotonicTime() + .seconds(2 * interval)
  }

  // MARK: Processing, on the queue

  private func process(
    _ request: PhotoRequest, _ frame: VideoFrame, _ connection: CaptureConnection
  ) {
    let settings = request.settings
    do throws(CaptureError) {
      let source = try PhotoSource(
        frame, orientation: settings.orientation ?? connection.orientation)
      let resolved = try resolve(request, source)
      request.resolved = resolved
      request.delegate.photoOutput(self, willBeginCaptureFor: resolved)
      request.delegate.photoOutput(self, willCapturePhotoFor: resolved)
      request.delegate.photoOutput(self, didCapturePhotoFor: resolved)
      let metadata = connection.input.device.photoMetadata(settings.metadata, date: frame.date)
      let rendered = try PhotoRenderer(encoder: try encoder())
        .render(source, crop: settings.crop, metadata: metadata)
      let photo = CapturePhoto(
        timestamp: frame.timestamp, date: frame.date, resolvedSettings: resolved,
        metadata: rendered.metadata, dimensions: rendered.dimensions, fileType: settings.fileType,
        photoCount: 1, data: rendered.data)
      request.delegate.photoOutput(self, didFinishProcessingPhoto: photo, error: nil)
      request.delegate.photoOutput(self, didFinishCaptureFor: resolved, error: nil)
    } catch {
      report(request, error)
    }
  }

  private func encoder() throws(CaptureError) -> JPEGEncoder {
    if let encoder = state.withLock({ $0.encoder }) { return encoder }
    let encoder = try JPEGEncoder()
    state.withLock { $0.encoder = encoder }
    return encoder
  }

  private func resolve(_ request: PhotoRequest, _ source: PhotoSource)
    throws(CaptureError) -> CaptureResolvedPhotoSettings
  {
    let settings = request.settings
    let upright = source.uprightDimensions
    var photo = upright
    if let outline = settings.outline {
      photo = try outline.dimensions(in: upright)
    }
    let isCropped = settings.outline != nil || settings.rectifiedSize != nil
    let isTurned = isCropped || settings.fileType == .png
    return CaptureResolvedPhotoSettings(
      uniqueID: settings.uniqueID, captureDimensions: upright,
      photoDimensions: settings.rectifiedSize ?? photo,
      orientation: isTurned ? .up : source.orientation, isFlashEnabled: request.isFlashLit,
      expectedPhotoCount: 1)
  }

  private func finish(_ request: PhotoRequest, with error: CaptureError) {
    if request.isFlashLit { connection?.input.device.setFlash(lit: false) }
    queue.async { [self] in report(request, error) }
  }

  /// The delegate's last calls of a request that failed.
  private func report(_ request: PhotoRequest, _ error: CaptureError) {
    if request.resolved != nil {
      request.delegate.photoOutput(self, didFinishProcessingPhoto: nil, error: error)
    }
    let size =
      state.withLock { $0.format?.dimensions } ?? Dimensions(width: 0, height: 0)
    let resolved =
      request.resolved
      ?? CaptureResolvedPhotoSettings(
        uniqueID: request.settings.uniqueID, captureDimensions: size, photoDimensions: size,
        orientation: .up, isFlashEnabled: false, expectedPhotoCount: 0)
    request.delegate.photoOutput(self, didFinishCaptureFor: resolved, error: error)
  }
}

/// A photo that was asked for.
private final class PhotoRequest: Sendable {
  private struct Progress {
    var noFrameBefore = Duration.zero
    var isFlashLit = false
    var resolved: CaptureResolvedPhotoSettings?
  }

  let settings: CapturePhotoSettings
  let delegate: any CapturePhotoCaptureDelegate
  private let progress = Mutex(Progress())

  /// Frames captured earlier, on the monotonic clock, are too old.
  var noFrameBefore: Duration {
    get { progress.withLock { $0.noFrameBefore } }
    set { progress.withLock { $0.noFrameBefore = newValue } }
  }

  /// Whether the lamp was lit for this photo.
  var isFlashLit: Bool {
    get { progress.withLock { $0.isFlashLit } }
    set { progress.withLock { $0.isFlashLit = newValue } }
  }

  /// What the delegate was told that the settings became.
  var resolved: CaptureResolvedPhotoSettings? {
    get { progress.withLock { $0.resolved } }
    set { progress.withLock { $0.resolved = newValue } }
  }

  init(settings: CapturePhotoSettings, delegate: any CapturePhotoCaptureDelegate) {
    self.settings = settings
    self.delegate = delegate
  }
}

/// Turns the delegate's calls into the result of an async function.
private final class PhotoContinuation: CapturePhotoCaptureDelegate, @unchecked Sendable {
  private let continuation: CheckedContinuation<Result<CapturePhoto, CaptureError>, Never>
  /// Set and read on the output's queue.
  private var photo: CapturePhoto?

  init(_ continuation: CheckedContinuation<Result<CapturePhoto, CaptureError>, Never>) {
    self.continuation = continuation
  }

  func photoOutput(
    _ output: CapturePhotoOutput, didFinishProcessingPhoto photo: CapturePhoto?,
    error: CaptureError?
  ) {
    self.photo = photo
  }

  func photoOutput(
    _ output: CapturePhotoOutput,
    didFinishCaptureFor resolvedSettings: CaptureResolvedPhotoSettings, error: CaptureError?
  ) {
    if let photo, error == nil {
      continuation.resume(returning: .success(photo))
    } else {
      continuation.resume(returning: .failure(error ?? .cancelled(reason: "No photo was made.")))
    }
  }
}

/// The time on the clock of frames' time stamps.
func monotonicTime() -> Duration {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

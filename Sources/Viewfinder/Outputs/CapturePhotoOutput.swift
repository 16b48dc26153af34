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
    /// Requests for which the stream changes its format.
    var stills: [PhotoRequest] = []
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

  /// The sizes that ``CapturePhotoSettings/maxPhotoDimensions`` may name, smallest first: those of
  /// the connected camera.
  public var supportedMaxPhotoDimensions: [Dimensions] {
    let formats = connection?.input.device.formats ?? []
    return Set(formats.map(\.dimensions)).sorted { ($0.area, $0.width) < ($1.area, $1.width) }
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
    if let reason = session.interruption, !reason.isPassing {
      throw .cancelled(
        reason: "\(connection.input.device.localizedName) delivers no frames now. \(reason)")
    }
    if let size = settings.maxPhotoDimensions, !supportedMaxPhotoDimensions.contains(size) {
      throw .unsupportedFormat(
        requested: "photos of \(size)", supported: supportedMaxPhotoDimensions.map(\.description))
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
    let size = request.settings.maxPhotoDimensions
    let still = state.withLock { state -> StillPhoto? in
      guard let size, let format = state.format, size.area > format.dimensions.area else {
        state.waiting.append(request)
        return nil
      }
      state.stills.append(request)
      return StillPhoto(request, of: size, output: self)
    }
    if let still, session?.take(still) != true { stillDidFail(request, .sessionNotRunning) }
    // The session may have stopped, or been interrupted, between the check and here.
    if session?.isRunning != true {
      sessionDidStop()
    } else if let reason = session?.interruption, !reason.isPassing {
      fail(with: reason)
    }
  }

  private func cancel(_ uniqueID: Int64) {
    let requests = state.withLock { state in
      let isMatch = { (request: PhotoRequest) in request.settings.uniqueID == uniqueID }
      let matches = (state.timed + state.waiting + state.stills).filter(isMatch)
      state.timed.removeAll(where: isMatch)
      state.waiting.removeAll(where: isMatch)
      state.stills.removeAll(where: isMatch)
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
      guard let request = state.waiting.first else {
        state.meter.begin(at: frame.timestamp)
        return nil
      }
      return request.accepts(frame, &state.meter) ? request : nil
    }
    guard let request, !wantsFlash(request, frame) else { return }
    let isStillWanted = state.withLock { state in
      guard state.waiting.first === request else { return false }
      state.waiting.removeFirst()
      return true
    }
    if isStillWanted { develop(request, frame, connection) }
  }

  override func streamWasInterrupted(_ reason: CaptureError) {
    fail(with: reason)
  }

  override func sessionDidStop() {
    fail(with: .cancelled(reason: "The session was stopped, or the output removed."))
  }

  private func fail(with error: CaptureError) {
    let requests = state.withLock { state in
      defer { (state.timed, state.waiting, state.stills) = ([], [], []) }
      return state.waiting + state.stills + state.timed
    }
    for request in requests { finish(request, with: error) }
  }

  // MARK: Stills

  func isWaitingForStill(_ request: PhotoRequest) -> Bool {
    state.withLock { $0.stills.contains { $0 === request } }
  }

  /// Takes the frame of a request's own format; `true` once that is done with.
  func consumeStill(_ frame: VideoFrame, for request: PhotoRequest) -> Bool {
    guard let connection, !wantsFlash(request, frame) else { return false }
    guard removeStill(request) else { return true }
    develop(request, frame, connection)
    return true
  }

  func stillDidFail(_ request: PhotoRequest, _ error: CaptureError) {
    if removeStill(request) { finish(request, with: error) }
  }

  /// `false` when the request was cancelled, or has failed, meanwhile.
  private func removeStill(_ request: PhotoRequest) -> Bool {
    state.withLock { state in
      guard let index = state.stills.firstIndex(where: { $0 === request }) else { return false }
      state.stills.remove(at: index)
      return true
    }
  }

  // MARK: Flash

  /// Mean luma below which a picture counts as dark.
  private static let darkness = 50.0

  /// Whether a frame is too dark for a photo that may use the lamp, which is lit then.
  private func wantsFlash(_ request: PhotoRequest, _ frame: VideoFrame) -> Bool {
    guard request.settings.flashMode == .auto, !request.isFlashLit,
      let device = connection?.input.device, device.hasFlash,
      let luma = try? frame.meanLuma(), luma < Self.darkness
    else { return false }
    lightFlash(for: request)
    return true
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

  private func develop(
    _ request: PhotoRequest, _ frame: VideoFrame, _ connection: CaptureConnection
  ) {
    queue.async { [self] in
      if request.isFlashLit { connection.input.device.setFlash(lit: false) }
      process(request, frame, connection)
    }
  }

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

extension CaptureError {
  /// Whether the interruption for this reason is a photo in another format, after which frames come
  /// again.
  var isPassing: Bool { if case .takingStill = self { true } else { false } }
}

// How requests come to their frames.
//
// A request is resolved, and its delegate told that the photo will be taken, as soon as the format is
// known. When its turn comes, and the exposure and the lamp allow, the delegate is told that the picture
// is taken now; the first frame that was captured after it returned is the photo. A request whose
// delegate doesn't return is passed by.
extension CapturePhotoOutput {
  /// What a waiting request sees of the camera.
  private struct View {
    /// `nil` between frames.
    let frame: VideoFrame?
    let format: VideoFormat
    let connection: CaptureConnection

    var time: Duration { frame?.timestamp ?? monotonicTime() }
  }

  /// What comes of a look at the camera.
  private enum Step {
    /// The request waits for frames or for its turn.
    case wait
    /// The request waits for its delegate.
    case pass
    /// The frame is the photo.
    case take
    /// It is dark, and the lamp is to be lit.
    case light
    case fail(CaptureError)
  }

  // MARK: In line

  /// Lets a request, whose self-timer is over, have its frame.
  func activate(_ request: PhotoRequest) {
    if request.settings.flashMode == .on { lightFlash(for: request) }
    let size = request.settings.maxPhotoDimensions
    let (isWanted, still) = update { state -> (Bool, StillPhoto?) in
      guard state.timed.take(request) else { return (false, nil) }
      guard let size, let format = state.format, size.area > format.dimensions.area else {
        state.waiting.append(request)
        return (true, nil)
      }
      state.stills.append(request)
      return (true, StillPhoto(request, of: size, output: self))
    }
    guard isWanted else { return putOutFlash(of: request) }
    if let still {
      if session?.take(still) != true { stillDidFail(request, .sessionNotRunning) }
    } else if let session, session.interruption == nil, let format = session.activeVideoFormat,
      let connection
    {
      advanceLine(View(frame: nil, format: format, connection: connection))
    }
    // The session may have stopped, or been interrupted, between the check and here.
    if session?.isRunning != true {
      sessionDidStop()
    } else if let reason = session?.interruption, !reason.isPassing {
      fail(with: reason)
    }
  }

  /// Shows a frame to the requests in line.
  func advanceLine(with frame: VideoFrame, from connection: CaptureConnection) {
    advanceLine(View(frame: frame, format: frame.format, connection: connection))
  }

  private func advanceLine(_ view: View) {
    var (taken, dark): (PhotoRequest?, PhotoRequest?)
    var failures: [(PhotoRequest, CaptureError)] = []
    update { state in
      var isNext = true
      for request in state.waiting {
        switch step(request, view, &state.meter, isNext: isNext) {
        case .pass: continue
        case .take where taken == nil: taken = request
        case .wait, .take: isNext = false
        case .light: (dark, isNext) = (request, false)
        case .fail(let error): failures.append((request, error))
        }
      }
      state.waiting.removeAll { request in
        request === taken || failures.contains { $0.0 === request }
      }
      if taken != nil { state.processingCount += 1 }
    }
    if let dark { lightFlash(for: dark) }
    for (request, error) in failures { finish(request, with: error) }
    if let taken, let frame = view.frame {
      // An automatic shutter's own frame, unless the lamp was lit for another.
      let own = taken.isFlashLit ? nil : taken.steadyFrame
      taken.steadyFrame = nil
      develop(taken, own ?? frame, view.connection)
    }
  }

  // MARK: Stills

  func isWaitingForStill(_ request: PhotoRequest) -> Bool {
    state.withLock { $0.stills.contains { $0 === request } }
  }

  /// The camera streams in a request's own format.
  func stillDidStart(
    _ format: VideoFormat, for request: PhotoRequest, _ meter: inout ExposureMeter
  ) {
    guard let connection else { return }
    let view = View(frame: nil, format: format, connection: connection)
    if case .fail(let error) = step(request, view, &meter, isNext: true) {
      stillDidFail(request, error)
    }
  }

  /// Shows a request a frame of its own format; `true` once that is done with.
  func consumeStill(
    _ frame: VideoFrame, for request: PhotoRequest, _ meter: inout ExposureMeter
  ) -> Bool {
    guard let connection else { return false }
    let view = View(frame: frame, format: frame.format, connection: connection)
    switch step(request, view, &meter, isNext: true) {
    case .wait, .pass: return false
    case .light:
      lightFlash(for: request)
      return false
    case .fail(let error): stillDidFail(request, error)
    case .take:
      let isWanted = update { state in
        guard state.stills.take(request) else { return false }
        state.processingCount += 1
        return true
      }
      if isWanted { develop(request, frame, connection) }
    }
    return true
  }

  func stillDidFail(_ request: PhotoRequest, _ error: CaptureError) {
    if update({ $0.stills.take(request) }) { finish(request, with: error) }
  }

  // MARK: Steps

  /// Moves a request on as far as it can get.
  ///
  /// - Parameters:
  ///   - request: The request, which waits.
  ///   - view: What the camera shows.
  ///   - meter: Tells whether the exposure has settled.
  ///   - isNext: Whether no earlier request waits for a frame.
  /// - Returns: What is to be done with it.
  private func step(
    _ request: PhotoRequest, _ view: View, _ meter: inout ExposureMeter, isNext: Bool
  ) -> Step {
    if request.stage == .accepted {
      if request.settings.flashMode == .auto, !request.isFlashLit,
        view.connection.input.device.hasFlash
      {
        guard isNext, let frame = view.frame, isExposed(request, view, &meter) else {
          return .wait
        }
        if isDark(frame) { return .light }
      }
      do throws(CaptureError) {
        try begin(request, view)
      } catch {
        return .fail(error)
      }
    }
    switch request.stage {
    case .accepted: return .wait
    case .begun:
      if isNext, view.time >= request.lampIsSteadyAt, isExposed(request, view, &meter) {
        announce(request)
      }
      return .wait
    case .announcing: return .pass
    case .armed(let since):
      guard isNext, let frame = view.frame, frame.timestamp >= since else { return .wait }
      // The stream may have restarted since.
      return isExposed(request, view, &meter) ? .take : .wait
    }
  }

  private func isExposed(_ request: PhotoRequest, _ view: View, _ meter: inout ExposureMeter)
    -> Bool
  {
    guard request.settings.waitsForExposure else { return true }
    return view.frame.map { meter.isSettled(by: $0) } ?? meter.isSettled(at: view.time)
  }

  private func begin(_ request: PhotoRequest, _ view: View) throws(CaptureError) {
    let resolved = try resolve(
      request, request.settings.crop, view.format.dimensions,
      orientation: request.settings.orientation ?? view.connection.orientation)
    request.resolved = resolved
    request.stage = .begun
    request.tell { [self] in $0.photoOutput(self, willBeginCaptureFor: resolved) }
  }

  private func announce(_ request: PhotoRequest) {
    guard let resolved = request.resolved else { return }
    request.stage = .announcing
    request.tell { [self] in
      $0.photoOutput(self, willCapturePhotoFor: resolved)
      request.stage = .armed(since: monotonicTime())
    }
  }

  // MARK: Flash

  /// Mean luma below which a picture counts as dark.
  private static let darkness = 50.0

  private func isDark(_ frame: VideoFrame) -> Bool {
    (try? frame.meanLuma()).map { $0 < Self.darkness } ?? false
  }

  /// Lights the lamp; the frames already under way don't count.
  private func lightFlash(for request: PhotoRequest) {
    guard let device = connection?.input.device else { return }
    device.setFlash(lit: true)
    request.isFlashLit = true
    let interval = state.withLock { $0.format?.frameInterval?.seconds ?? 0.1 }
    request.lampIsSteadyAt = monotonicTime() + .seconds(2 * interval)
  }

  func putOutFlash(of request: PhotoRequest) {
    if request.isFlashLit { connection?.input.device.setFlash(lit: false) }
  }
}

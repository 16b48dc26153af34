// Photos that take themselves.
extension CapturePhotoOutput {
  /// Lets a request, whose self-timer is over, wait for its automatic shutter or have its frame.
  func release(_ request: PhotoRequest) {
    guard let shutter = request.settings.automaticShutter else { return activate(request) }
    let isWanted = update { state in
      guard state.timed.contains(where: { $0 === request }) else { return false }
      state.watching.append(request)
      return true
    }
    guard isWanted, let connection else { return putOutFlash(of: request) }
    let watch = Mutex(SteadyWatch<VideoFrame>(shutter))
    connection.input.outlineFollower.add(request) { [weak self, weak request] frame, card in
      guard let self, let request else { return }
      let card = card?.upright(request.settings.orientation ?? connection.orientation)
      guard let moment = watch.withLock({ $0.look(at: frame, frame.timestamp, card) }) else {
        return
      }
      self.endWatch(of: request)
      (request.steadyFrame, request.steadyOutline) = (moment.frame, moment.card)
      self.activate(request)
    }
    request.watchedInput = connection.input
    // It may have been cancelled meanwhile.
    if !state.withLock({ $0.watching.contains { $0 === request } }) { endWatch(of: request) }
  }

  /// Ends a request's wait for its automatic shutter.
  func endWatch(of request: PhotoRequest) {
    guard request.settings.automaticShutter != nil else { return }
    request.watchedInput?.outlineFollower.remove(request)
    _ = state.withLock { $0.watching.take(request) }
  }
}

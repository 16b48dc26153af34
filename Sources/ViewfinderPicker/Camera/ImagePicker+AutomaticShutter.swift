import Viewfinder

// Photos that cards take by themselves.
extension ImagePicker {
  /// Sets whether a card takes its photo by itself as soon as it lies still and can be seen well.
  ///
  /// Taking a photo by hand is always possible.
  ///
  /// - Parameter isOn: Whether it does.
  /// - Throws: ``PickerError/busy``, ``PickerError/invalidRequest(reason:)`` where cards aren't looked for.
  public func setAutomaticShutter(_ isOn: Bool) throws(PickerError) {
    let presentation = try update { (model) throws(PickerError) in
      try model.requireIdle()
      guard model.state.camera.automaticShutter != nil else {
        throw .invalidRequest(reason: "This picker doesn't look for cards: take the photo by hand.")
      }
      model.state.camera.automaticShutter = isOn
      model.lastCard = nil
      return model.presentation
    }
    if isOn { armAutomaticShutter(presentation) } else { disarmAutomaticShutter() }
  }

  /// Waits for a card, if the live picture is shown and nothing else is under way.
  func armAutomaticShutter(_ presentation: Int) {
    // Whoever disarms it meanwhile finds the request made, or none.
    arming.withLock { _ in
      let settings = update { model -> CapturePhotoSettings? in
        guard model.presentation == presentation, model.isReadyForCards(configuration) else {
          return nil
        }
        var settings = photoSettings(for: model.state.camera)
        settings.readinessPolicy = .waits
        settings.automaticShutter = configuration.automaticShutter ?? AutomaticShutter()
        settings.automaticShutter?.ignoredIdentifier = model.lastCard
        model.automaticRequest = settings.uniqueID
        return settings
      }
      guard let settings else { return }
      let delegate = PhotoCompletion { [weak self] result in
        self?.finish(result, of: settings.uniqueID, presentation)
      }
      camera.photoOutput.capturePhoto(with: settings, delegate: delegate)
    }
  }

  /// Waits for no card any more.
  func disarmAutomaticShutter() {
    arming.withLock { _ in
      let request = update { $0.automaticRequest.take() }
      if let request { camera.photoOutput.cancelCapture(request) }
    }
  }

  /// Goes on when a request has ended that nobody took back.
  private func finish(
    _ result: Result<CapturePhoto, CaptureError>, of request: Int64, _ presentation: Int
  ) {
    let isOwn = update { model in
      guard model.automaticRequest == request else { return false }
      model.automaticRequest = nil
      return true
    }
    guard isOwn else { return }
    switch result {
    case .success(let taken):
      update { $0.lastCard = taken.trackedIdentifier }
      use(taken, presentation)
    case .failure(.cancelled): break
    case .failure(let error): _ = report(.camera(error), presentation)
    }
  }

  /// Goes on with a photo that a card took, unless the person was faster.
  private func use(_ taken: CapturePhoto, _ presentation: Int) {
    do throws(PickerError) {
      guard try begin(.capturing, stop: {}) == presentation else { return }
      defer { end(presentation) }
      try didTake(try keep(taken), presentation)
    } catch {
      if case .busy = error { return }
      _ = report(error, presentation)
    }
  }
}

extension ImagePicker.Model {
  fileprivate func isReadyForCards(_ configuration: ImagePicker.Configuration) -> Bool {
    guard state.isPresented, state.source == .camera, case .source = state.screen else {
      return false
    }
    let camera = state.camera
    return camera.status == .running && camera.automaticShutter == true
      && camera.activity == .idle && automaticRequest == nil
      && configuration.allowsMore(than: state.selection.count)
  }
}

public import Viewfinder

// Photos again and again.
extension ImagePicker {
  /// Takes a photo at fixed intervals until ``stopCapture()``, or until the selection is full.
  ///
  /// The picker selects each photo at once. Meanwhile other controls are off.
  ///
  /// - Parameter interval: The time from one photo to the next; more than zero.
  /// - Returns: How many photos the camera took and missed, once the series is over.
  /// - Throws: ``PickerError/busy``, ``PickerError/limitReached(_:)``, ``PickerError/camera(_:)`` for what ended it,
  ///   such as a full disk (earlier photos stay selected), ``PickerError/notPresented`` when the picker closed
  ///   meanwhile.
  @discardableResult
  public func takePictures(every interval: Duration) async throws(PickerError)
    -> IntervalCapture.Summary
  {
    disarmAutomaticShutter()
    let stop = Stop()
    let presentation = try begin(.repeating(taken: 0, missed: 0)) { stop.now() }
    defer { end(presentation) }
    do {
      let series = try start(every: interval, presentation)
      stop.set { series.stop() }
      for await event in series.events {
        update(presentation) { $0.camera.count(event) }
      }
      let summary = await series.result
      if case .failed(let error) = summary.ending { throw PickerError(error) }
      guard read({ $0.state.isPresented && $0.presentation == presentation }) else {
        throw PickerError.notPresented
      }
      if let photo = read({ $0.state.selection.last }) { finishIfComplete(with: photo) }
      return summary
    } catch {
      throw report(PickerError(error), presentation)
    }
  }

  private func start(every interval: Duration, _ presentation: Int) throws -> IntervalCapture {
    var settings = IntervalCaptureSettings()
    settings.interval = interval
    settings.photoSettings = photoSettings(for: state.camera)
    // One that is still being encoded is no second tap.
    settings.photoSettings.readinessPolicy = .waits
    if configuration.selectionLimit > 0 {
      settings.maxPhotoCount = configuration.selectionLimit - state.selection.count
    }
    return try camera.photoOutput.startIntervalCapture(settings) { [weak self] taken, _ in
      guard let self else { throw PickerError.notPresented }
      let photo = try self.keep(taken)
      try self.update { (model) throws(PickerError) in
        guard model.state.isPresented, model.presentation == presentation else {
          throw .notPresented
        }
        try model.pick(photo, self.configuration)
      }
      self.read { $0.delegate }?.imagePicker(self, didTake: photo)
      return photo.originalURL
    }
  }
}

extension ImagePicker.Camera {
  /// Counts a photo of a series.
  fileprivate mutating func count(_ event: IntervalCapture.Event) {
    guard case .repeating(let taken, let missed) = activity else { return }
    switch event {
    case .didSave: activity = .repeating(taken: taken + 1, missed: missed)
    case .didMiss: activity = .repeating(taken: taken, missed: missed + 1)
    case .didFinish: break
    }
  }
}

/// Ends a series that may not have begun yet.
private final class Stop: Sendable {
  private let state = Mutex<(isWanted: Bool, body: (@Sendable () -> Void)?)>((false, nil))

  func now() {
    state.withLock { state in
      state.isWanted = true
      return state.body
    }?()
  }

  func set(_ body: @escaping @Sendable () -> Void) {
    let isWanted = state.withLock { state in
      state.body = body
      return state.isWanted
    }
    if isWanted { body() }
  }
}

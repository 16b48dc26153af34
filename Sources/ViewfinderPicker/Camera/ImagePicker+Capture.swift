import Foundation
public import Viewfinder

// Taking photos.
extension ImagePicker {
  /// Takes a photo.
  ///
  /// With the presenter's own controls and a limit of one, the picker then shows the photo to use, take again or, where
  /// ``Configuration/editing`` says so, crop. Otherwise it selects the photo at once. The second of two fast taps
  /// fails.
  ///
  /// - Parameter timer: When to take it; `nil`, the default, means now. Meanwhile other controls are off,
  ///   ``State/camera`` has the remaining time, and ``stopCapture()`` ends it.
  /// - Returns: The photo.
  /// - Throws: ``PickerError/busy``, ``PickerError/limitReached(_:)``, ``PickerError/camera(_:)``, also shown as
  ///   ``State/problem``; ``PickerError/notPresented`` when the picker closed meanwhile.
  @discardableResult
  public func takePicture(after timer: SelfTimer? = nil) async throws(PickerError) -> PickedPhoto {
    disarmAutomaticShutter()
    var settings = photoSettings(for: read { $0.state.camera })
    settings.selfTimer = timer
    let presentation = try begin(.capturing) { [camera, id = settings.uniqueID] in
      camera.photoOutput.cancelCapture(id)
    }
    let ticks = follow(settings.uniqueID, presentation)
    defer {
      ticks.cancel()
      end(presentation)
    }
    do {
      let taken = try await camera.photoOutput.capturePhoto(with: settings)
      let photo = try keep(taken)
      try didTake(photo, presentation)
      return photo
    } catch {
      throw report(PickerError(error), presentation)
    }
  }

  /// Ends a timer, or the repeated capture; the photos taken so far stay.
  public func stopCapture() { read { $0.stopActivity }?() }

  /// Selects the photo on the screen, with its crop as it lies.
  ///
  /// - Throws: ``PickerError/invalidRequest(reason:)`` when there is none.
  public func usePhoto() throws(PickerError) {
    let photo = try update { (model) throws(PickerError) in
      try model.requireIdle()
      var photo: PickedPhoto
      switch model.state.screen {
      case .review(let taken): photo = taken
      case .editing(let edited, let adjustment):
        photo = edited
        photo.edit = adjustment.isWhole ? nil : PhotoEdit(adjustment)
      case .correcting(let corrected, let correction):
        photo = corrected
        photo.edit = PhotoEdit(correction)
      case .source: throw .invalidRequest(reason: "Take or choose a photo first.")
      }
      // A picker that is done with this photo doesn't show its source once more.
      if configuration.selectionLimit != 1 { model.state.screen = .source }
      try model.pick(photo, configuration)
      return photo
    }
    finishIfComplete(with: photo)
  }

  /// Throws away the photo on the screen, and shows the source again.
  ///
  /// - Throws: ``PickerError/notPresented``.
  public func retake() throws(PickerError) {
    let presentation = try update { (model) throws(PickerError) in
      try model.requireIdle()
      model.state.screen = .source
      // The same card once more.
      model.lastCard = nil
      return model.presentation
    }
    armAutomaticShutter(presentation)
  }

  /// Removes a photo from the selection.
  ///
  /// - Parameter photo: One of ``State/selection``; others don't matter.
  /// - Throws: ``PickerError/notPresented``.
  public func remove(_ photo: PickedPhoto) throws(PickerError) {
    try update { (model) throws(PickerError) in
      guard model.state.isPresented else { throw .notPresented }
      model.state.selection.removeAll { $0.id == photo.id }
    }
  }

  // MARK: Steps

  func photoSettings(for camera: Camera) -> CapturePhotoSettings {
    var settings = CapturePhotoSettings()
    settings.flashMode = camera.flashMode
    settings.readinessPolicy = .fails
    return settings
  }

  /// Makes the camera busy; returns the presentation.
  func begin(_ activity: CameraActivity, stop: @escaping @Sendable () -> Void) throws(PickerError)
    -> Int
  {
    try update { (model) throws(PickerError) in
      try model.requireIdle()
      guard model.state.source == .camera, case .source = model.state.screen else {
        throw .invalidRequest(reason: "Show the camera first.")
      }
      if case .unavailable(let error) = model.state.camera.status {
        throw .sourceUnavailable(.camera, advice: error.description)
      }
      guard configuration.allowsMore(than: model.state.selection.count) else {
        throw .limitReached(configuration.selectionLimit)
      }
      model.state.camera.activity = activity
      model.state.problem = nil
      model.stopActivity = stop
      return model.presentation
    }
  }

  /// The camera is free again.
  func end(_ presentation: Int) {
    update { model in
      guard model.presentation == presentation else { return }
      model.state.camera.activity = .idle
      model.stopActivity = nil
    }
    armAutomaticShutter(presentation)
  }

  /// Shows how long a timer still runs.
  private func follow(_ request: Int64, _ presentation: Int) -> Task<Void, Never> {
    let ticks = camera.photoOutput.selfTimerTicks
    return Task { [weak self] in
      for await tick in ticks where tick.uniqueID == request {
        self?.update(presentation) { state in
          guard state.camera.activity != .idle else { return }
          state.camera.activity =
            tick.remaining > .zero ? .waiting(remaining: tick.remaining) : .capturing
        }
      }
    }
  }

  /// Puts a photo on the disk.
  func keep(_ taken: CapturePhoto) throws(PickerError) -> PickedPhoto {
    let folder = try update { (model) throws(PickerError) in
      if let folder = model.captures { return folder }
      let folder = try CaptureFolder(configuration.captureFolder)
      model.captures = folder
      return folder
    }
    let file = try folder.save(taken)
    guard let outline = configuration.cameraOutline else {
      return PickedPhoto(taken, in: file, edit: nil)
    }
    let size = taken.resolvedSettings.photoDimensions
    do throws(CaptureError) {
      guard let outline = configuration.detectedOutline else {
        let edit = try PhotoEdit(outline: outline, of: size)
        return PickedPhoto(taken, in: file, edit: edit)
      }
      let correction = try OutlineCorrection(outline, in: size) {
        least throws(CaptureError) -> [DetectedOutline] in
        try OutlineDetector().outlines(
          inPhoto: taken.fileDataRepresentation(), minimumConfidence: least)
      }
      return PickedPhoto(taken, in: file, edit: PhotoEdit(correction))
    } catch {
      throw .camera(error)
    }
  }

  /// Shows a photo that was taken, or picks it.
  func didTake(_ photo: PickedPhoto, _ presentation: Int) throws(PickerError) {
    let isPicked = try update { (model) throws(PickerError) in
      guard model.state.isPresented, model.presentation == presentation else {
        throw .notPresented
      }
      let isReviewed = configuration.showsCameraControls && configuration.selectionLimit == 1
      // Whoever sees the photo may use it at once.
      if isReviewed { (model.state.camera.activity, model.stopActivity) = (.idle, nil) }
      // What was taken under an outline is cropped already.
      if isReviewed, let correction = photo.edit?.correction {
        model.state.screen = .correcting(photo, correction)
      } else if let shape = configuration.editing, isReviewed, photo.edit == nil,
        let size = photo.originalDimensions
      {
        model.state.screen = .editing(photo, PhotoAdjustment(pictureSize: size, shape: shape))
      } else if isReviewed {
        model.state.screen = .review(photo)
      } else {
        try model.pick(photo, configuration)
      }
      return !isReviewed
    }
    read { $0.delegate }?.imagePicker(self, didTake: photo)
    if isPicked { finishIfComplete(with: photo) }
  }

  /// One photo is what was asked for: the picker is done with it.
  func finishIfComplete(with photo: PickedPhoto) {
    if configuration.selectionLimit == 1 { finish(.picked([photo])) }
  }

  /// Shows an error to the person.
  func report(_ error: PickerError, _ presentation: Int) -> PickerError {
    guard read({ $0.state.isPresented && $0.presentation == presentation }) else {
      return .notPresented
    }
    update(presentation) { $0.problem = error }
    return error
  }
}

extension ImagePicker.Model {
  /// Adds to what is picked.
  mutating func pick(_ photo: PickedPhoto, _ configuration: ImagePicker.Configuration)
    throws(PickerError)
  {
    guard configuration.allowsMore(than: state.selection.count) else {
      throw .limitReached(configuration.selectionLimit)
    }
    state.selection.append(photo)
    state.problem = nil
  }
}

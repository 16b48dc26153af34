public import Foundation
public import Viewfinder

// The camera and its controls.
extension ImagePicker {
  /// The live picture's frames, while the camera runs.
  ///
  /// ``State/camera`` tells whether to show it mirrored.
  public var previewOutput: CaptureVideoDataOutput { camera.previewOutput }

  /// What is found in the live picture while the camera runs: the card, where ``Configuration/cameraOutline`` is to be
  /// found, and bar codes of ``Configuration/codeTypes``.
  public var metadataOutput: CaptureMetadataOutput { camera.metadataOutput }

  /// How the live picture lies in a view, for drawing an outline where the crop will be.
  ///
  /// - Parameters:
  ///   - viewSize: The view's size, in points.
  ///   - videoGravity: How the picture fits into the view. The default is `.resizeAspect`.
  /// - Returns: The geometry, or `nil` while the camera doesn't run.
  public func previewGeometry(viewSize: CGSize, videoGravity: VideoGravity = .resizeAspect)
    -> PreviewGeometry?
  {
    let camera = state.camera
    guard let format = camera.format else { return nil }
    return PreviewGeometry(
      viewSize: viewSize, videoSize: format.dimensions, videoGravity: videoGravity,
      videoRotationAngle: configuration.videoRotationAngle, isMirrored: camera.isPreviewMirrored)
  }

  /// Starts the camera, also again after one that couldn't be used.
  ///
  /// A quiet start leaves the state as it is, with the reason why there is no picture, until there is one.
  func startCamera(_ presentation: Int, isQuiet: Bool = false) async {
    if !isQuiet { stopAwaitingCamera() }
    let chosen = read { $0.state.camera.device }
    let hasChosen = PickerCamera.device(chosen, of: configuration.cameras) != nil
    let wanted = hasChosen ? chosen : .rear
    guard let device = PickerCamera.device(wanted, of: configuration.cameras) else {
      let problem = PickerCamera.problem(with: configuration.cameras) ?? .noCamera
      return cameraFailed(problem, presentation)
    }
    if !isQuiet { show(device, wanted, .starting, presentation) }
    do {
      let session = try await camera.start(device, configuration)
      // Whoever ends the waiting stops the camera, or starts another one.
      if isQuiet, Task.isCancelled { return }
      let isWanted = read {
        $0.presentation == presentation && $0.state.isPresented && $0.state.source == .camera
      }
      guard isWanted else { return await camera.stop() }
      if isQuiet { show(device, wanted, state.camera.status, presentation) }
      follow(session, presentation)
    } catch CaptureError.cancelled {
      // Another source or camera was chosen, or the picker is done.
    } catch is CancellationError {
    } catch {
      cameraFailed(PickerError(error), presentation)
    }
  }

  private func show(
    _ device: CaptureDevice, _ wanted: CameraDevice, _ status: CameraStatus, _ presentation: Int
  ) {
    update { model in
      guard model.presentation == presentation, model.state.isPresented else { return }
      model.device = device
      model.state.camera = Camera(device, wanted, configuration)
      model.state.camera.status = status
    }
  }

  /// Shows what happens to the session.
  private func follow(_ session: CaptureSession, _ presentation: Int) {
    let events = session.events
    if let format = session.activeVideoFormat {
      update(presentation) { state in
        (state.camera.status, state.camera.format) = (.running, format)
        state.problem = nil
      }
      armAutomaticShutter(presentation)
    }
    let task = Task { [weak self] in
      for await event in events {
        self?.update(presentation) { state in
          guard state.camera.status != .off else { return }
          switch event {
          case .didStartRunning(let format), .interruptionEnded(let format),
            .didChangeFormat(let format):
            (state.camera.status, state.camera.format) = (.running, format)
          case .wasInterrupted(let reason): state.camera.status = .interrupted(reason)
          case .runtimeError, .didStopRunning, .framesAreHeld: break
          }
        }
        switch event {
        case .runtimeError(let error): self?.cameraFailed(.camera(error), presentation)
        case .didStopRunning: return
        case .didStartRunning, .interruptionEnded: self?.armAutomaticShutter(presentation)
        default: break
        }
      }
    }
    keep(presentation, task)
  }

  // MARK: Controls

  /// Switches between the rear and the front camera.
  ///
  /// - Throws: ``PickerError/busy``, ``PickerError/invalidRequest(reason:)`` when there is only one camera.
  public func switchCamera() async throws(PickerError) {
    let presentation = try changeCamera { (state) throws(PickerError) in
      guard state.canSwitch else {
        throw .invalidRequest(reason: "There is one camera only. Plug in another one to switch.")
      }
      state.device = state.device == .rear ? .front : .rear
    }
    await startCamera(presentation)
  }

  /// Sets whether the lamp lights for photos.
  ///
  /// - Throws: ``PickerError/busy``, ``PickerError/invalidRequest(reason:)`` for a mode that the camera doesn't
  ///   have.
  public func setFlashMode(_ mode: CapturePhotoSettings.FlashMode) throws(PickerError) {
    try changeCamera { (state) throws(PickerError) in
      guard state.flashModes.contains(mode) else {
        throw .invalidRequest(reason: "\(state.name ?? "The camera") has no lamp.")
      }
      state.flashMode = mode
    }
  }

  /// Zooms.
  ///
  /// - Parameter factor: From 1 to the camera's ``Camera/maxZoomFactor``; values outside are clamped.
  /// - Throws: ``PickerError/busy``, ``PickerError/camera(_:)``.
  public func setZoomFactor(_ factor: Double) throws(PickerError) {
    let device = try controllableDevice()
    do {
      try device.configure { device throws(CaptureError) in try device.setVideoZoomFactor(factor) }
    } catch {
      throw PickerError(error)
    }
    let zoom = device.videoZoomFactor
    try changeCamera { state in state.zoomFactor = zoom }
  }

  /// Makes the camera focus: once where it can, otherwise continuously.
  ///
  /// V4L2 has no point to focus on: cameras choose it themselves.
  ///
  /// - Throws: ``PickerError/busy``, ``PickerError/camera(_:)`` for a camera that has no such control.
  public func focus() throws(PickerError) {
    let device = try controllableDevice()
    do {
      try device.configure { device throws(CaptureError) in
        let modes: [CaptureDevice.FocusMode] = [.autoFocus, .continuousAutoFocus]
        guard let mode = modes.first(where: device.isFocusModeSupported) else {
          throw .unsupportedControl(
            name: "focus", device: device.localizedName, reason: "its focus is fixed.")
        }
        try device.setFocusMode(mode)
      }
    } catch {
      throw PickerError(error)
    }
  }

  /// Changes what the camera's controls show; returns the presentation.
  @discardableResult
  private func changeCamera(_ change: (inout Camera) throws(PickerError) -> Void)
    throws(PickerError) -> Int
  {
    try update { (model) throws(PickerError) in
      try model.requireIdle()
      try change(&model.state.camera)
      return model.presentation
    }
  }

  private func controllableDevice() throws(PickerError) -> CaptureDevice {
    try update { (model) throws(PickerError) in
      try model.requireIdle()
      guard model.state.source == .camera, let device = model.device else {
        throw .sourceUnavailable(.camera, advice: "Show the camera first.")
      }
      return device
    }
  }
}

extension ImagePicker.Camera {
  /// What a camera can do.
  init(
    _ device: CaptureDevice, _ wanted: ImagePicker.CameraDevice,
    _ configuration: ImagePicker.Configuration
  ) {
    self.device = wanted
    name = device.localizedName
    canSwitch = PickerCamera.devices(of: configuration.cameras).count > 1
    flashModes = device.hasFlash ? [.off, .on, .auto] : [.off]
    flashMode =
      flashModes.contains(configuration.cameraFlashMode) ? configuration.cameraFlashMode : .off
    zoomFactor = device.videoZoomFactor
    maxZoomFactor = device.maxAvailableVideoZoomFactor
    canFocus =
      device.isFocusModeSupported(.autoFocus)
      || device.isFocusModeSupported(.continuousAutoFocus)
    if configuration.detectedOutline != nil {
      automaticShutter = configuration.automaticShutter != nil
    }
    isPreviewMirrored =
      configuration.mirrorsPreview ?? (wanted == .front || device.position == .front)
  }
}

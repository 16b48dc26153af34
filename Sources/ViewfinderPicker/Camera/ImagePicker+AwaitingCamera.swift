import Viewfinder

// Cameras that can't be used yet.
extension ImagePicker {
  /// How long the picker waits before it tries again a camera that it couldn't use.
  private static let retryInterval = Duration.seconds(3)

  /// Shows why there is no picture, and waits for one if it may come by itself.
  func cameraFailed(_ problem: PickerError, _ presentation: Int) {
    // The same once more is no news.
    if read({ $0.state.camera.status }) != .unavailable(problem) {
      update(presentation) { state in
        if state.source == .camera { state.camera.status = .unavailable(problem) }
      }
    }
    if problem.mayPass { awaitCamera(presentation) } else { stopAwaitingCamera() }
  }

  /// Tries the camera again every few seconds, and when one was plugged in, until it runs.
  ///
  /// Nobody tells when another program gives a camera back.
  private func awaitCamera(_ presentation: Int) {
    let task = update { model -> Task<Void, Never>? in
      guard model.waiting == nil, model.presentation == presentation, model.isWithoutCamera else {
        return nil
      }
      let task = Task { [weak self, cameras = configuration.cameras] in
        for await _ in Self.chances(of: cameras) {
          guard let self, !self.hasCamera(presentation) else { break }
          await self.startCamera(presentation, isQuiet: true)
        }
      }
      model.waiting = task
      return task
    }
    if let task { keep(presentation, task) }
  }

  /// Whether the waiting has come to its end: there is a camera, or none is shown.
  private func hasCamera(_ presentation: Int) -> Bool {
    let isWithout = { @Sendable (model: Model) in
      model.presentation == presentation && model.isWithoutCamera
    }
    if read(isWithout) { return false }
    return update { model in
      // It may have failed again in between, and counted on this.
      if isWithout(model) { return false }
      if !Task.isCancelled { model.waiting = nil }
      return true
    }
  }

  /// Waits for no camera any more.
  func stopAwaitingCamera() { update { $0.waiting.take() }?.cancel() }

  /// The moments at which a camera may have become usable.
  private static func chances(of cameras: [CaptureDevice]?) -> AsyncStream<Void> {
    let (chances, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let clock = Task {
      while !Task.isCancelled {
        try? await Task.sleep(for: retryInterval)
        continuation.yield()
      }
    }
    let plugs = Task {
      guard cameras == nil else { return }
      for await change in CaptureDevice.changes {
        if case .connected = change { continuation.yield() }
      }
    }
    continuation.onTermination = { _ in
      clock.cancel()
      plugs.cancel()
    }
    return chances
  }
}

extension ImagePicker.Model {
  /// Whether the camera is shown, and there is none that can be used.
  fileprivate var isWithoutCamera: Bool {
    guard state.isPresented, state.source == .camera else { return false }
    if case .unavailable = state.camera.status { return true }
    return false
  }
}

extension PickerError {
  /// Whether it may go away while the picker is shown.
  fileprivate var mayPass: Bool {
    switch self {
    case .noCamera: true
    case .camera(.unsupportedFormat), .camera(.invalidSettings), .camera(.valueOutOfRange): false
    case .camera: true
    default: false
    }
  }
}

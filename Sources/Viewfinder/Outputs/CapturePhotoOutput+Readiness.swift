// Whether the shutter can be pressed.
extension CapturePhotoOutput {
  /// Whether the output would take a photo at once; Apple's
  /// `AVCapturePhotoOutput.CaptureReadiness`.
  public enum CaptureReadiness: Hashable, Sendable {
    /// The output's session doesn't run, or has no camera.
    case sessionNotRunning
    /// The next frame would become the photo.
    case ready
    /// No frames come for now: the session starts, is interrupted, or takes up another format.
    case notReadyMomentarily
    /// A requested photo waits for its frame, or its self-timer runs.
    case notReadyWaitingForCapture
    /// The output is encoding a photo.
    case notReadyWaitingForProcessing

    /// In the words of an error.
    var explanation: String {
      switch self {
      case .sessionNotRunning: "the session isn't running"
      case .ready: "it was a moment ago"
      case .notReadyMomentarily: "the camera delivers no frames at the moment"
      case .notReadyWaitingForCapture: "another photo is about to be taken"
      case .notReadyWaitingForProcessing: "the last photo is still being processed"
      }
    }
  }

  /// Whether the output would take a photo at once.
  ///
  /// It can change before a request comes: for a request that must not wait, set
  /// ``CapturePhotoSettings/ReadinessPolicy/fails``.
  public var captureReadiness: CaptureReadiness { update { $0.readiness } }

  /// The readiness now, and each change: use it to enable a shutter button.
  ///
  /// Each use makes a sequence of its own, which ends with the output. A reader who falls behind
  /// gets the newest value.
  public var captureReadinessUpdates: AsyncStream<CaptureReadiness> {
    update { readinessBroadcast.subscribe(beginningWith: $0.readiness) }
  }

  /// Uses or changes the state of the requests, with the readiness as it is then; tells what readiness
  /// that makes.
  ///
  /// Changes are told in their order, which is why they are told inside the lock.
  func update<R: Sendable, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
    // Held until the lock is free: a session that ends calls its outputs.
    let session = session
    defer { withExtendedLifetime(session) {} }
    return try state.withLock { state throws(E) in
      tellReadiness(&state, in: session)
      defer { tellReadiness(&state, in: session) }
      return try body(&state)
    }
  }

  private func tellReadiness(_ state: inout State, in session: CaptureSession?) {
    let readiness = readiness(state, in: session)
    guard readiness != state.readiness else { return }
    state.readiness = readiness
    readinessBroadcast.send(readiness)
  }

  private func readiness(_ state: State, in session: CaptureSession?) -> CaptureReadiness {
    guard let session, session.isRunning, connection != nil else { return .sessionNotRunning }
    let interruption = session.interruption
    if let interruption, !interruption.isPassing { return .notReadyMomentarily }
    if !state.timed.isEmpty || !state.waiting.isEmpty || !state.stills.isEmpty {
      return .notReadyWaitingForCapture
    }
    if state.processingCount > 0 { return .notReadyWaitingForProcessing }
    let isDelivering = interruption == nil && session.activeVideoFormat != nil
    return isDelivering ? .ready : .notReadyMomentarily
  }
}

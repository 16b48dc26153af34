public import Foundation

extension CaptureSession {
  /// What a session's ``events`` tell.
  ///
  /// A session sends each once, in the order in which they happen. A start ends in
  /// ``didStartRunning(_:)``, or in ``runtimeError(_:)`` and ``didStopRunning``, or in
  /// ``didStopRunning`` alone when somebody ended it early. <doc:SessionEvents> says what each
  /// means for photos and frames.
  public enum Event: Hashable, Sendable {
    /// Frames flow, in this format.
    case didStartRunning(VideoFormat)
    /// Somebody stopped the session, or it failed.
    case didStopRunning
    /// The session couldn't start, or stopped for good.
    case runtimeError(CaptureError)
    /// No frames for now; the session keeps trying.
    case wasInterrupted(CaptureError)
    /// Frames flow again, in this format.
    case interruptionEnded(VideoFormat)
    /// The program chose another format or camera, from which frames flow now.
    case didChangeFormat(VideoFormat)
    /// The program holds so many frames, the number in the value, that it gets no more until it
    /// lets go of some; it can still take photos.
    ///
    /// Nothing is wrong with the camera. Copy what you want to keep (``VideoFrame/data``), or keep
    /// fewer frames.
    case framesAreHeld(Int)
  }

  // Notifications, for those who know them from Apple.

  /// Posted when frames begin to flow.
  public static let didStartRunningNotification = Notification.Name(
    "CaptureSessionDidStartRunning")
  /// Posted when the session has stopped.
  public static let didStopRunningNotification = Notification.Name("CaptureSessionDidStopRunning")
  /// Posted when the session couldn't start, or stopped for good; ``errorKey`` has the
  /// ``CaptureError``.
  public static let runtimeErrorNotification = Notification.Name("CaptureSessionRuntimeError")
  /// Posted when frames stop for now; ``errorKey`` has the reason.
  public static let wasInterruptedNotification = Notification.Name("CaptureSessionWasInterrupted")
  /// Posted when frames flow again.
  public static let interruptionEndedNotification = Notification.Name(
    "CaptureSessionInterruptionEnded")
  /// The key of the ``CaptureError`` in a notification's `userInfo`.
  public static let errorKey = "CaptureSessionErrorKey"

  /// Tells outputs, then readers, then observers.
  func publish(_ event: Event) {
    let outputs = outputs
    for output in outputs {
      switch event {
      case .didStartRunning(let format), .interruptionEnded(let format),
        .didChangeFormat(let format):
        output.streamDidStart(format)
      case .wasInterrupted(let reason) where !reason.isPassing:
        output.streamWasInterrupted(reason)
      // Photos that were asked for in the stream's own format wait.
      case .wasInterrupted, .runtimeError, .didStopRunning, .framesAreHeld: break
      }
    }
    for output in outputs { output.sessionDidChange() }
    eventBroadcast.send(event)
    guard let name = event.notification else { return }
    eventQueue.async { [self] in
      NotificationCenter.default.post(
        name: name, object: self, userInfo: event.error.map { [Self.errorKey: $0] })
    }
  }
}

extension CaptureSession.Event {
  fileprivate var notification: Notification.Name? {
    switch self {
    case .didStartRunning: CaptureSession.didStartRunningNotification
    case .didStopRunning: CaptureSession.didStopRunningNotification
    case .runtimeError: CaptureSession.runtimeErrorNotification
    case .wasInterrupted: CaptureSession.wasInterruptedNotification
    case .interruptionEnded: CaptureSession.interruptionEndedNotification
    case .didChangeFormat, .framesAreHeld: nil
    }
  }

  fileprivate var error: CaptureError? {
    switch self {
    case .runtimeError(let error), .wasInterrupted(let error): error
    case .didStartRunning, .didStopRunning, .interruptionEnded, .didChangeFormat, .framesAreHeld:
      nil
    }
  }
}

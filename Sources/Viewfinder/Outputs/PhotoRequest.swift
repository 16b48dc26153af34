import Foundation

/// A photo that was asked for.
final class PhotoRequest: Sendable {
  /// How far the request has come while it waits for its frame.
  enum Stage: Equatable {
    /// Its settings aren't resolved: no format is known yet, or not whether it is dark.
    case accepted
    /// The delegate is told that the photo will be taken; its turn, the exposure or the lamp is waited for.
    case begun
    /// The delegate is told that the picture is taken now, and hasn't returned from that.
    case announcing
    /// Frames captured from now on, on the monotonic clock, can be the photo.
    case armed(since: Duration)
  }

  private struct Progress {
    var stage = Stage.accepted
    var lampIsSteadyAt = Duration.zero
    var isFlashLit = false
    var resolved: CaptureResolvedPhotoSettings?
    var isCaptured = false
    var steadyFrame: VideoFrame?
    var steadyOutline: TrackedOutline?
    weak var watchedInput: CaptureDeviceInput?
  }

  let settings: CapturePhotoSettings
  let delegate: any CapturePhotoCaptureDelegate
  /// The self-timer, if there is one.
  let countdown: Countdown?
  private let calls: DelegateQueues.Line
  private let progress = Mutex(Progress())

  var stage: Stage {
    get { progress.withLock { $0.stage } }
    set { progress.withLock { $0.stage = newValue } }
  }

  /// When the lamp has its full light, on the monotonic clock.
  var lampIsSteadyAt: Duration {
    get { progress.withLock { $0.lampIsSteadyAt } }
    set { progress.withLock { $0.lampIsSteadyAt = newValue } }
  }

  /// Whether the lamp was lit for this photo.
  var isFlashLit: Bool {
    get { progress.withLock { $0.isFlashLit } }
    set { progress.withLock { $0.isFlashLit = newValue } }
  }

  /// What the delegate was told that the settings became.
  var resolved: CaptureResolvedPhotoSettings? {
    get { progress.withLock { $0.resolved } }
    set { progress.withLock { $0.resolved = newValue } }
  }

  /// Whether the request has its frame.
  var isCaptured: Bool {
    get { progress.withLock { $0.isCaptured } }
    set { progress.withLock { $0.isCaptured = newValue } }
  }

  /// The frame that an automatic shutter chose.
  var steadyFrame: VideoFrame? {
    get { progress.withLock { $0.steadyFrame } }
    set {
      // Let go of when the lock is free.
      let before = progress.withLock { progress in
        defer { progress.steadyFrame = newValue }
        return progress.steadyFrame
      }
      withExtendedLifetime(before) {}
    }
  }

  /// The card in it.
  var steadyOutline: TrackedOutline? {
    get { progress.withLock { $0.steadyOutline } }
    set { progress.withLock { $0.steadyOutline = newValue } }
  }

  /// The input whose frames an automatic shutter looks at.
  var watchedInput: CaptureDeviceInput? {
    get { progress.withLock { $0.watchedInput } }
    set { progress.withLock { $0.watchedInput = newValue } }
  }

  init(
    settings: CapturePhotoSettings, delegate: any CapturePhotoCaptureDelegate,
    calls: DelegateQueues.Line
  ) {
    self.settings = settings
    self.delegate = delegate
    self.calls = calls
    countdown = settings.selfTimer.map { Countdown($0) }
  }

  /// Calls the delegate, after the calls that were asked for before.
  func tell(_ body: @escaping @Sendable (any CapturePhotoCaptureDelegate) -> Void) {
    calls.queue.async { [self] in body(delegate) }
  }
}

extension [PhotoRequest] {
  /// Takes a request off the list; `false` when it wasn't there.
  mutating func take(_ request: PhotoRequest) -> Bool {
    guard let index = firstIndex(where: { $0 === request }) else { return false }
    remove(at: index)
    return true
  }
}

/// Turns the delegate's calls into one call with the result.
package final class PhotoCompletion: CapturePhotoCaptureDelegate, @unchecked Sendable {
  private let completion: @Sendable (Result<CapturePhoto, CaptureError>) -> Void
  /// Set and read on the delegate's queue.
  private var photo: CapturePhoto?

  package init(_ completion: @escaping @Sendable (Result<CapturePhoto, CaptureError>) -> Void) {
    self.completion = completion
  }

  package func photoOutput(
    _ output: CapturePhotoOutput, didFinishProcessingPhoto photo: CapturePhoto?,
    error: CaptureError?
  ) {
    self.photo = photo
  }

  package func photoOutput(
    _ output: CapturePhotoOutput,
    didFinishCaptureFor resolvedSettings: CaptureResolvedPhotoSettings, error: CaptureError?
  ) {
    if let photo, error == nil {
      completion(.success(photo))
    } else {
      completion(.failure(error ?? .cancelled(reason: "No photo was made.")))
    }
  }
}

/// The time on the clock of frames' time stamps.
func monotonicTime() -> Duration {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

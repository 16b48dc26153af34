import Foundation

/// A photo that was asked for.
final class PhotoRequest: Sendable {
  private struct Progress {
    var noFrameBefore = Duration.zero
    var isFlashLit = false
    var resolved: CaptureResolvedPhotoSettings?
  }

  let settings: CapturePhotoSettings
  let delegate: any CapturePhotoCaptureDelegate
  /// The self-timer, if there is one.
  let countdown: Countdown?
  private let progress = Mutex(Progress())

  /// Frames captured earlier, on the monotonic clock, are too old.
  var noFrameBefore: Duration {
    get { progress.withLock { $0.noFrameBefore } }
    set { progress.withLock { $0.noFrameBefore = newValue } }
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

  init(settings: CapturePhotoSettings, delegate: any CapturePhotoCaptureDelegate) {
    self.settings = settings
    self.delegate = delegate
    countdown = settings.selfTimer.map { Countdown($0) }
  }

  /// Whether a frame is new enough for the photo and well exposed.
  func accepts(_ frame: VideoFrame, _ meter: inout ExposureMeter) -> Bool {
    meter.begin(at: frame.timestamp)
    guard frame.timestamp >= noFrameBefore else { return false }
    return !settings.waitsForExposure || meter.isSettled(by: frame)
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

/// Turns the delegate's calls into the result of an async function.
final class PhotoContinuation: CapturePhotoCaptureDelegate, @unchecked Sendable {
  private let continuation: CheckedContinuation<Result<CapturePhoto, CaptureError>, Never>
  /// Set and read on the output's queue.
  private var photo: CapturePhoto?

  init(_ continuation: CheckedContinuation<Result<CapturePhoto, CaptureError>, Never>) {
    self.continuation = continuation
  }

  func photoOutput(
    _ output: CapturePhotoOutput, didFinishProcessingPhoto photo: CapturePhoto?,
    error: CaptureError?
  ) {
    self.photo = photo
  }

  func photoOutput(
    _ output: CapturePhotoOutput,
    didFinishCaptureFor resolvedSettings: CaptureResolvedPhotoSettings, error: CaptureError?
  ) {
    if let photo, error == nil {
      continuation.resume(returning: .success(photo))
    } else {
      continuation.resume(returning: .failure(error ?? .cancelled(reason: "No photo was made.")))
    }
  }
}

/// The time on the clock of frames' time stamps.
func monotonicTime() -> Duration {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

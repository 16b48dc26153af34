import Synchronization
import Viewfinder

/// Takes a photo by delegate, and notes the calls in their order.
final class PhotoDelegate: CapturePhotoCaptureDelegate {
  private struct State {
    var steps: [String] = []
    var photo: CapturePhoto?
    var continuation: CheckedContinuation<Result<CapturePhoto, CaptureError>, Never>?
  }

  private let state = Mutex(State())

  /// The calls, as in "willBegin → willCapture".
  var steps: String { state.withLock { $0.steps.joined(separator: " → ") } }

  /// Takes a photo; returns after the delegate's last call.
  func take(with output: CapturePhotoOutput, _ settings: CapturePhotoSettings)
    async throws(CaptureError) -> CapturePhoto
  {
    let result = await withCheckedContinuation { continuation in
      state.withLock { $0.continuation = continuation }
      output.capturePhoto(with: settings, delegate: self)
    }
    return try result.get()
  }

  private func note(_ step: String) { state.withLock { $0.steps.append(step) } }

  func photoOutput(
    _ output: CapturePhotoOutput,
    willBeginCaptureFor resolvedSettings: CaptureResolvedPhotoSettings
  ) { note("willBegin") }

  func photoOutput(
    _ output: CapturePhotoOutput, willCapturePhotoFor resolvedSettings: CaptureResolvedPhotoSettings
  ) { note("willCapture") }

  func photoOutput(
    _ output: CapturePhotoOutput, didCapturePhotoFor resolvedSettings: CaptureResolvedPhotoSettings
  ) { note("didCapture") }

  func photoOutput(
    _ output: CapturePhotoOutput, didFinishProcessingPhoto photo: CapturePhoto?,
    error: CaptureError?
  ) {
    note("didFinishProcessing")
    state.withLock { $0.photo = photo }
  }

  func photoOutput(
    _ output: CapturePhotoOutput,
    didFinishCaptureFor resolvedSettings: CaptureResolvedPhotoSettings, error: CaptureError?
  ) {
    note("didFinish")
    let (photo, continuation) = state.withLock { ($0.photo, $0.continuation) }
    if let photo {
      continuation?.resume(returning: .success(photo))
    } else {
      continuation?.resume(
        returning: .failure(error ?? .cancelled(reason: "The delegate got no photo.")))
    }
  }
}

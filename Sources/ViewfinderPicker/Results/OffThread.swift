import Dispatch
import Viewfinder

/// Runs what computes or waits for disks off the threads on which tasks run.
func offThread<R: Sendable>(
  _ body: @escaping @Sendable () throws(CaptureError) -> R
) async throws(PickerError) -> R {
  guard !Task.isCancelled else { throw .cancelled }
  let result: Result<R, CaptureError> = await withCheckedContinuation { continuation in
    DispatchQueue.global(qos: .userInitiated).async {
      continuation.resume(returning: Result { () throws(CaptureError) in try body() })
    }
  }
  do throws(CaptureError) {
    return try result.get()
  } catch {
    throw .camera(error)
  }
}

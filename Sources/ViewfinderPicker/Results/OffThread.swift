import Viewfinder

/// Runs what computes or waits for disks off the threads on which tasks run, with the picker's errors.
func offThread<R: Sendable>(
  _ body: @escaping @Sendable () throws(CaptureError) -> R
) async throws(PickerError) -> R {
  guard !Task.isCancelled else { throw .cancelled }
  do throws(CaptureError) {
    return try await Blocking.run(body)
  } catch {
    throw .camera(error)
  }
}

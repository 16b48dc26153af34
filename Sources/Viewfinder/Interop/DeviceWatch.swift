import CViewfinder

/// A `vf_watch`, closed on deinit.
///
/// ``wait(seconds:)`` is one thread's; ``interrupt()`` any's.
@safe final class DeviceWatch: @unchecked Sendable {
  private let handle: OpaquePointer

  /// Starts watching `root` and "/dev": empty on a real machine, a folder in tests.
  init(root: String = "") throws(CaptureError) {
    var failure = unsafe vf_failure()
    guard let handle = unsafe vf_watch_open(root, &failure) else {
      throw unsafe .system(call: failure.stepText, code: failure.code, subject: "/dev")
    }
    unsafe self.handle = handle
  }

  deinit { unsafe vf_watch_close(handle) }

  /// Waits for a change among the video nodes; `nil` waits for ever.
  ///
  /// `false` after the time, and after an interruption.
  func wait(seconds: Double? = nil) -> Bool {
    unsafe vf_watch_wait(handle, seconds.map { Int32($0 * 1000) } ?? -1) == 1
  }

  func interrupt() { unsafe vf_watch_interrupt(handle) }
}

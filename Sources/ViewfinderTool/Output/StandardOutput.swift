import Foundation
import Viewfinder

/// The bytes that go to stdout.
enum StandardOutput {
  /// Writes all of `data`.
  ///
  /// - Throws: ``CaptureError/cannotWrite(path:code:)``, with `EPIPE` when the reader is gone.
  static func write(_ data: Data) throws(CaptureError) {
    let code = unsafe data.withUnsafeBytes { bytes -> Int32 in
      var rest = unsafe bytes[...]
      while unsafe !rest.isEmpty {
        let count = unsafe Foundation.write(
          STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno != EINTR, errno != EAGAIN { return errno }
        // A pipe that another program made non-blocking: wait for room.
        if count < 0, errno == EAGAIN {
          var descriptor = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
          _ = unsafe poll(&descriptor, 1, 1000)
        }
        unsafe rest = unsafe rest.dropFirst(max(count, 0))
      }
      return 0
    }
    guard code == 0 else { throw .cannotWrite(path: "standard output", code: code) }
  }

  /// Whether bytes would end up on somebody's screen.
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
}

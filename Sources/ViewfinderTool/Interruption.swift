import Dispatch
import Foundation
import Synchronization

/// SIGINT and SIGTERM: the first ends the work cleanly, the second ends the process.
enum Interruption {
  private static let received = Mutex<Int32?>(nil)

  /// The signal that came, if one did.
  static var signal: Int32? { received.withLock { $0 } }

  /// Calls `handler` at the first signal, as long as the result is kept.
  static func watch(_ handler: @escaping @Sendable () -> Void) -> [any DispatchSourceSignal] {
    [SIGINT, SIGTERM].map { number in
      // Until libdispatch has taken the signal over, by a handler of its own, it ends the process; it must not be
      // ignored meanwhile, which would lose it.
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        received.withLock { $0 = number }
        _ = Foundation.signal(number, SIG_DFL)
        handler()
      }
      source.resume()
      return source
    }
  }

  /// Ends the process soon after a signal even if a write to a reader that doesn't read hangs.
  ///
  /// Only for output that nobody expects to be whole.
  static func endEvenIfStuck() {
    Thread.detachNewThread {
      while signal == nil { Thread.sleep(forTimeInterval: 0.2) }
      Thread.sleep(forTimeInterval: 2)
      _exit(128 + (signal ?? SIGINT))
    }
  }
}

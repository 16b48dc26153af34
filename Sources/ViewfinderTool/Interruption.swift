import Foundation
import TerminationSignals

extension Interruption {
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

import Foundation
import Synchronization
import ViewfinderLibrary

/// A line on stderr that tells how far long work is, if a person is there to read it.
final class ProgressLine: Sendable {
  private struct State {
    /// Work that is done in no time needs no line.
    var next = ContinuousClock.now + .milliseconds(300)
    var isShown = false
  }

  private let state = Mutex(State())

  /// Work that fails or is interrupted leaves no line behind.
  deinit { clear() }

  /// Writes the line again, but not more often than a person can read it.
  func show(_ text: @autoclosure () -> String) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    state.withLock { state in
      guard ContinuousClock.now >= state.next else { return }
      state = State(next: .now + .milliseconds(100), isShown: true)
      Self.write("\r\u{1b}[K\(text())")
    }
  }

  /// Takes the line away.
  func clear() {
    state.withLock { state in
      if state.isShown { Self.write("\r\u{1b}[K") }
      state = State()
    }
  }

  private static func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

  /// Tells how far a scan is.
  func show(scan: ScanProgress) {
    show("\(scan.filesFound) files; \(scan.filesRead) of \(scan.filesToRead) new ones read")
  }
}

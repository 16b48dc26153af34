import Foundation
import Synchronization

/// SIGINT and SIGTERM, which ask a program to end: the first ends its work, a second ends the process at once.
///
/// ```swift
/// let work = Task { await record() }
/// let watch = Interruption.watch { work.cancel() }
/// await work.value
/// withExtendedLifetime(watch) {}
/// ```
///
/// A handler writes the signal into a pipe, and a thread reads it there. libdispatch's signal sources lost one now and
/// then on a busy machine.
public enum Interruption {
  /// Keeps a handler.
  public final class Watch: Sendable {
    private let number: Int

    fileprivate init(number: Int) { self.number = number }

    deinit { Interruption.state.withLock { $0.handlers[number] = nil } }
  }

  private struct State {
    var isTakenOver = false
    var signal: Int32?
    var handlers: [Int: @Sendable () -> Void] = [:]
    var lastNumber = 0
  }

  private static let state = Mutex(State())

  /// The signal that came, if one did.
  public static var signal: Int32? { state.withLock { $0.signal } }

  /// Takes SIGINT and SIGTERM over, which end the process before.
  ///
  /// - Parameter handler: Called at the first signal, on a thread of its own; at once if it came already.
  /// - Returns: What keeps the handler. Without one a signal ends the process again.
  public static func watch(_ handler: @escaping @Sendable () -> Void) -> Watch {
    let (watch, hasCome) = state.withLock { state in
      if !state.isTakenOver { state.isTakenOver = takeOver() }
      state.lastNumber += 1
      if state.signal == nil { state.handlers[state.lastNumber] = handler }
      return (Watch(number: state.lastNumber), state.signal != nil)
    }
    if hasCome { Thread.detachNewThread(handler) }
    return watch
  }

  /// Lets the handler get the signals; without a pipe to tell of them they go on ending the process.
  private static func takeOver() -> Bool {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let reading = ends[0]
    unsafe writingEnd = ends[1]
    let thread = Thread {
      while let signal = next(from: reading) { received(signal) }
    }
    thread.name = "signals"
    thread.start()
    for signal in [SIGINT, SIGTERM] { _ = Foundation.signal(signal, tell) }
    return true
  }

  private static func next(from descriptor: Int32) -> Int32? {
    var signal: UInt8 = 0
    while true {
      let count = unsafe read(descriptor, &signal, 1)
      if count == 1 { return Int32(signal) }
      guard count < 0, errno == EINTR else { return nil }
    }
  }

  private static func received(_ signal: Int32) {
    let handlers = state.withLock { state in
      defer { (state.signal, state.handlers) = (state.signal ?? signal, [:]) }
      return state.signal == nil ? Array(state.handlers.values) : []
    }
    // Nobody listens, or it is the second: as if it had never been taken over.
    if handlers.isEmpty { kill(getpid(), signal) }
    for handler in handlers { handler() }
  }
}

/// Where the handler writes; set once, before there is one.
nonisolated(unsafe) private var writingEnd: Int32 = -1

/// The handler: nothing but calls that are allowed in one (signal-safety(7)).
private func tell(_ signal: Int32) {
  let code = errno
  // The next one ends the process at once, whatever its threads are at.
  _ = Foundation.signal(SIGINT, SIG_DFL)
  _ = Foundation.signal(SIGTERM, SIG_DFL)
  var byte = UInt8(truncatingIfNeeded: signal)
  unsafe write(writingEnd, &byte, 1)
  errno = code
}

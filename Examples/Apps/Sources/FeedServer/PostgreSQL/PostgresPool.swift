import Foundation
import NIOCore
import Synchronization

/// Threads with a connection each, which do one thing after the other.
///
/// libpq waits where Swift's own threads mustn't. A connection that was lost is made anew by the next who needs it.
final class PostgresPool: Sendable {
  /// What a thread does with its connection.
  typealias Job = @Sendable (inout PostgresConnection?) -> Void

  private let line = Line()

  /// Starts threads, which connect when there is something to do.
  init(connections: Int) {
    for number in 0..<connections {
      let thread = Thread { [line] in
        var connection: PostgresConnection?
        while let job = line.next() { job(&connection) }
      }
      thread.name = "postgres-\(number)"
      thread.start()
    }
  }

  deinit { line.close() }

  /// Puts something in line; `false` where the line is too long.
  func add(_ job: @escaping Job) -> Bool { line.add(job) }

  private final class Line: Sendable {
    /// More would wait for longer than their clients do.
    private static let maximum = 2000

    private struct State {
      var jobs = CircularBuffer<Job>()
      var isClosed = false
    }

    private let state = Mutex(State())
    private let signal = DispatchSemaphore(value: 0)

    func add(_ job: @escaping Job) -> Bool {
      let isTaken = state.withLock { state in
        guard state.jobs.count < Self.maximum, !state.isClosed else { return false }
        state.jobs.append(job)
        return true
      }
      if isTaken { signal.signal() }
      return isTaken
    }

    func close() {
      state.withLock { $0.isClosed = true }
      signal.signal()
    }

    /// Waits for something to do; `nil` when it is closed and all is done.
    func next() -> Job? {
      signal.wait()
      let job = state.withLock { $0.jobs.popFirst() }
      // The next thread is to hear of the end, too.
      if job == nil { signal.signal() }
      return job
    }
  }
}

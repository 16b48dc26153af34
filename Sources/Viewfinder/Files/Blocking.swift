import Dispatch

/// Work that waits for disks, devices or other programs, or computes for long, off the threads on
/// which tasks run: those are as few as the processors, and all tasks of the process share them.
///
/// Work that is to run on several threads at once takes a concurrent queue and a group, never
/// `DispatchQueue.concurrentPerform`: called on a Foundation `Thread`, it damaged the heap (Swift 6.3,
/// Linux).
package enum Blocking {
  private static let queue = DispatchQueue(
    label: "viewfinder.blocking", qos: .userInitiated, attributes: .concurrent)

  /// Runs what nobody waits for.
  package static func later(_ body: @escaping @Sendable () -> Void) {
    queue.async(qos: .utility) { body() }
  }

  /// Runs what the caller waits for, cancelled or not.
  package static func run<R: Sendable, E: Error>(
    _ body: @escaping @Sendable () throws(E) -> R
  ) async throws(E) -> R {
    let result: Result<R, E> = await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(returning: Result { () throws(E) in try body() })
      }
    }
    return try result.get()
  }

  /// Runs `body` with each number below `count`, on several threads at once as far as there are free
  /// ones, and returns when all calls have returned.
  ///
  /// The caller's thread takes part, so that it never waits for one to be had.
  package static func spread(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let next = Turns(count)
    let group = DispatchGroup()
    for _ in 0..<count { group.enter() }
    let work = { @Sendable in
      while let number = next.take() {
        body(number)
        group.leave()
      }
    }
    for _ in 0..<max(count - 1, 0) { queue.async(execute: work) }
    work()
    // For the others' last calls, not for threads that find nothing to do.
    group.wait()
  }

  /// Numbers that are given out once each.
  private final class Turns: Sendable {
    private let left: Mutex<Range<Int>>

    init(_ count: Int) { left = Mutex(0..<count) }

    func take() -> Int? { left.withLock { $0.popFirst() } }
  }
}

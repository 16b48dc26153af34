import Dispatch
import Foundation

/// Threads that ask drivers, which may hang: a call has one to itself.
///
/// A thread stays for a while after its call and takes the next. One that hangs is nobody's until its call
/// returns.
final class DriverThreads: Sendable {
  /// What a call found, told to whoever waits for it.
  typealias Tell = @Sendable () -> Void

  static let shared = DriverThreads()

  /// How long a thread without work stays.
  private static let patience = DispatchTimeInterval.seconds(5)

  private let idle = Mutex<[Worker]>([])

  /// Does `work` on a thread of its own, and then what it returns, when the thread is free again.
  func run(_ work: @escaping @Sendable () -> Tell) {
    if let worker = idle.withLock({ $0.popLast() }) {
      worker.take(work)
    } else {
      let worker = Worker(work)
      Thread.detachNewThread { [self] in live(worker) }
    }
  }

  private func live(_ worker: Worker) {
    while true {
      worker.work { tell in
        // First, so that the caller's next call finds it.
        idle.withLock { $0.append(worker) }
        tell()
      }
      if worker.waitForWork(Self.patience) { continue }
      let isFree = idle.withLock { idle in
        let place = idle.firstIndex { $0 === worker }
        if let place { idle.remove(at: place) }
        return place != nil
      }
      // It was given work in this very moment.
      guard isFree else {
        worker.waitForWork()
        continue
      }
      return
    }
  }

  /// A thread's next work.
  private final class Worker: Sendable {
    private let next: Mutex<(@Sendable () -> Tell)?>
    private let hasWork = DispatchSemaphore(value: 0)

    init(_ first: @escaping @Sendable () -> Tell) { next = Mutex(first) }

    func take(_ work: @escaping @Sendable () -> Tell) {
      next.withLock { $0 = work }
      hasWork.signal()
    }

    /// Does what it was given, and hands on what that tells.
    func work(_ body: (Tell) -> Void) {
      // What the work holds is let go of here, not by the thread that sleeps.
      guard let work = next.withLock({ $0.take() }) else { return }
      body(work())
    }

    func waitForWork(_ patience: DispatchTimeInterval) -> Bool {
      hasWork.wait(timeout: .now() + patience) == .success
    }

    func waitForWork() { hasWork.wait() }
  }
}

import Dispatch

/// Threads for work that waits for disks, databases and other programs.
///
/// Swift's own threads are as few as the processor's cores, and everybody's: while all of them wait, nothing goes on.
public final class BlockingExecutor: TaskExecutor {
  /// One for the whole program.
  public static let shared = BlockingExecutor()

  private let queue = DispatchQueue(label: "blocking work", attributes: .concurrent)

  private init() {}

  /// Runs a job on one of the threads.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// A place for an actor whose own work waits.
public final class BlockingSerialExecutor: SerialExecutor {
  private let queue: DispatchQueue

  /// Creates an executor.
  ///
  /// - Parameter label: Names it in debuggers.
  public init(_ label: String) { queue = DispatchQueue(label: label) }

  /// Runs a job after those before it.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

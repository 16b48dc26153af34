import Foundation
import Viewfinder

/// Which thumbnail is wanted; of a file that changed, another one.
struct ThumbnailRequest: Hashable, Sendable {
  var path: FilePath
  var status: FileStatus
  var size: ThumbnailSize
  var shape: ThumbnailShape

  init(_ item: ThumbnailItem, size: ThumbnailSize, shape: ThumbnailShape = .whole) {
    path = item.path
    status = item.status
    self.size = size
    self.shape = shape
  }
}

/// How much a library's thumbnails may take.
public struct ThumbnailLimits: Hashable, Sendable {
  /// How many thumbnails the library makes at once.
  ///
  /// The default is the number of cores, but at most 4.
  public var workers = min(ProcessInfo.processInfo.activeProcessorCount, 4)

  /// How much memory the thumbnails that the library keeps may take, in bytes.
  ///
  /// The default is 64 MiB.
  public var memory = 64 << 20

  /// Creates limits with default values.
  public init() {}
}

/// Loads thumbnails on a few threads of its own, and keeps those used last in memory.
///
/// The last request comes first, since that is what a person looks at; prefetching comes after all
/// requests. Nobody waits for a thumbnail that nobody wants any more.
final class ThumbnailLoader: Sendable {
  typealias Make =
    @Sendable (
      ThumbnailItem, ThumbnailSize, ThumbnailShape, _ isCancelled: () -> Bool
    ) throws(PhotoLibraryError) -> MadeThumbnail
  private typealias Outcome = Result<PixelBuffer, PhotoLibraryError>

  /// Where thumbnails are kept, if anywhere.
  let cache: ThumbnailCache?
  private let make: Make
  private let limits: ThumbnailLimits
  private let state: Mutex<State>
  /// Decoding blocks, so it has no place among Swift's own threads.
  private let queue = DispatchQueue(
    label: "viewfinder.thumbnails", qos: .utility, attributes: .concurrent)

  /// A loader of thumbnails that `make` makes, on any thread.
  init(
    limits: ThumbnailLimits = ThumbnailLimits(), cache: ThumbnailCache? = nil, make: @escaping Make
  ) {
    self.make = make
    self.cache = cache
    self.limits = limits
    state = Mutex(State(memory: ThumbnailMemory(limit: limits.memory)))
  }

  convenience init(cache: ThumbnailCache?, limits: ThumbnailLimits = ThumbnailLimits()) {
    let maker = ThumbnailMaker(cache: cache)
    self.init(limits: limits, cache: cache) {
      item, size, shape, isCancelled throws(PhotoLibraryError) in
      try maker.make(item, size: size, shape: shape, isCancelled: isCancelled)
    }
  }

  /// The thumbnail of a file.
  ///
  /// Throws ``PhotoLibraryError/cancelled`` as soon as the task is cancelled.
  func thumbnail(of item: ThumbnailItem, size: ThumbnailSize, shape: ThumbnailShape = .whole)
    async throws(PhotoLibraryError) -> PixelBuffer
  {
    let request = ThumbnailRequest(item, size: size, shape: shape)
    let waiter = state.withLock { $0.nextNumber() }
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        wait(waiter, for: request, item, continuation)
      }
    } onCancel: {
      let continuation = state.withLock { $0.removeWaiter(waiter, of: request) }
      continuation?.resume(returning: .failure(.cancelled))
    }
    // The worker held the lock after it made the picture. When it is done before this task waits, the thread sanitizer
    // sees no other way on which the picture came.
    state.withLock { _ in }
    return try outcome.get()
  }

  private func wait(
    _ waiter: UInt64, for request: ThumbnailRequest, _ item: ThumbnailItem,
    _ continuation: CheckedContinuation<Outcome, Never>
  ) {
    let outcome: Outcome? = state.withLock { state in
      // Under the lock: a cancellation from here on finds the waiter.
      if Task.isCancelled { return .failure(.cancelled) }
      if let picture = state.memory.picture(request) { return .success(picture) }
      state.jobs[request, default: Job(item: item)].add(continuation, waiter)
      return nil
    }
    if let outcome { return continuation.resume(returning: outcome) }
    startWorkers()
  }

  /// Loads thumbnails that will be asked for, the nearest to `position` in the list first.
  ///
  /// It takes the place of what was to be prefetched before. The first to fill half the memory are kept
  /// there; all are kept in the shared cache.
  func prefetch(
    _ items: [ThumbnailItem], around position: Int, size: ThumbnailSize,
    shape: ThumbnailShape = .whole
  ) {
    state.withLock { state in
      state.stopPrefetching()
      for (index, item) in items.enumerated() {
        let request = ThumbnailRequest(item, size: size, shape: shape)
        guard !state.memory.contains(request) else { continue }
        let position = min(max(position, 0), items.count - 1)
        // Of what is equally near, what follows comes first.
        let distance = index > position ? 2 * (index - position) - 1 : 2 * (position - index)
        let job = state.jobs[request, default: Job(item: item)]
        state.jobs[request] = job.prefetched(distance)
      }
    }
    startWorkers()
  }

  /// Gives up what is to be prefetched and hasn't begun.
  func stopPrefetching() { state.withLock { $0.stopPrefetching() } }

  /// Waits until the thumbnails of a file that were given out are in the cache.
  func waitUntilKept(_ path: FilePath) async {
    await withCheckedContinuation { continuation in
      let isKept = state.withLock { state in
        guard state.keeping[path] != nil else { return true }
        state.keeping[path]?.waiters.append(continuation)
        return false
      }
      if isKept { continuation.resume() }
    }
  }

  /// How many thumbnails are still to be begun.
  var waitingCount: Int { state.withLock { $0.waitingCount } }

  /// How much memory the kept thumbnails take, in bytes.
  var memoryUse: Int { state.withLock { $0.memory.byteCount } }

  /// Forgets the thumbnails in memory.
  func removeAllFromMemory() { state.withLock { $0.memory.removeAll() } }

  // MARK: Workers

  private func startWorkers() {
    let count = state.withLock { state in
      let free = max(limits.workers, 1) - state.workerCount
      let count = max(min(free, state.waitingCount), 0)
      state.workerCount += count
      return count
    }
    for _ in 0..<count {
      // A loader that nobody has any more doesn't prefetch on.
      queue.async { [weak self] in
        while self?.work() == true {}
      }
    }
  }

  /// Does the first job; `false` when there is none, and the worker is done.
  private func work() -> Bool {
    guard let (request, item) = state.withLock({ $0.begin() }) else { return false }
    var keep: (@Sendable () -> Void)?
    let outcome = Outcome { () throws(PhotoLibraryError) in
      let made = try make(item, request.size, request.shape) {
        !state.withLock { $0.jobs[request]?.isAwaited ?? false }
      }
      keep = made.keep
      return made.picture
    }
    let waiters = state.withLock { state in
      if keep != nil { state.keeping[item.path, default: Keeping()].count += 1 }
      return state.finish(request, outcome)
    }
    for waiter in waiters { waiter.resume(returning: outcome) }
    if let keep {
      keep()
      for waiter in state.withLock({ $0.endKeeping(item.path) }) { waiter.resume() }
    }
    return true
  }

  /// Thumbnails of a file that are being written to the cache.
  private struct Keeping {
    var count = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  /// A thumbnail to be made, or being made.
  private struct Job {
    let item: ThumbnailItem
    var isRunning = false
    var waiters: [UInt64: CheckedContinuation<Outcome, Never>] = [:]
    /// The number of the latest request.
    var latest: UInt64 = 0
    /// How far it is from what a person looks at, when it is to be prefetched.
    var distance: Int?

    init(item: ThumbnailItem) { self.item = item }

    mutating func add(_ continuation: CheckedContinuation<Outcome, Never>, _ waiter: UInt64) {
      waiters[waiter] = continuation
      latest = max(latest, waiter)
    }

    func prefetched(_ distance: Int) -> Job {
      var job = self
      job.distance = min(self.distance ?? .max, distance)
      return job
    }

    var isAwaited: Bool { distance != nil || !waiters.isEmpty }
    var isWanted: Bool { isRunning || isAwaited }

    /// Requests before prefetching, the newest first; then what is nearest.
    func comes(before other: Job) -> Bool {
      if waiters.isEmpty != other.waiters.isEmpty { return other.waiters.isEmpty }
      return waiters.isEmpty
        ? (distance ?? .max) < (other.distance ?? .max) : latest > other.latest
    }
  }

  private struct State {
    var memory: ThumbnailMemory
    var jobs: [ThumbnailRequest: Job] = [:]
    var keeping: [FilePath: Keeping] = [:]
    var workerCount = 0
    private var lastNumber: UInt64 = 0
    /// How much the present prefetching has put into memory, in bytes.
    private var prefetchedBytes = 0

    init(memory: ThumbnailMemory) { self.memory = memory }

    var waitingCount: Int { jobs.count { !$0.value.isRunning } }

    mutating func nextNumber() -> UInt64 {
      lastNumber += 1
      return lastNumber
    }

    mutating func removeWaiter(_ waiter: UInt64, of request: ThumbnailRequest)
      -> CheckedContinuation<Outcome, Never>?
    {
      let continuation = jobs[request]?.waiters.removeValue(forKey: waiter)
      if jobs[request]?.isWanted == false { jobs[request] = nil }
      return continuation
    }

    mutating func stopPrefetching() {
      prefetchedBytes = 0
      for request in jobs.keys { jobs[request]?.distance = nil }
      jobs = jobs.filter(\.value.isWanted)
    }

    /// Takes up the first job, or counts the worker out.
    mutating func begin() -> (ThumbnailRequest, ThumbnailItem)? {
      let waiting = jobs.lazy.filter { !$0.value.isRunning }
      guard let (request, job) = waiting.min(by: { $0.value.comes(before: $1.value) }) else {
        workerCount -= 1
        return nil
      }
      jobs[request]?.isRunning = true
      return (request, job.item)
    }

    /// Counts what was kept, and returns those who wait for the last.
    mutating func endKeeping(_ path: FilePath) -> [CheckedContinuation<Void, Never>] {
      keeping[path]?.count -= 1
      guard keeping[path]?.count == 0 else { return [] }
      return keeping.removeValue(forKey: path)?.waiters ?? []
    }

    /// Keeps what was made in memory, and returns those who wait for it.
    mutating func finish(_ request: ThumbnailRequest, _ outcome: Outcome)
      -> [CheckedContinuation<Outcome, Never>]
    {
      // Somebody may have come after it was given up.
      if case .failure(.cancelled) = outcome, jobs[request]?.isAwaited == true {
        jobs[request]?.isRunning = false
        return []
      }
      let waiters = jobs.removeValue(forKey: request).map { Array($0.waiters.values) } ?? []
      guard case .success(let picture) = outcome else { return waiters }
      if waiters.isEmpty {
        // What is far away mustn't push out what is near.
        guard prefetchedBytes + picture.byteCount <= memory.limit / 2 else { return [] }
        prefetchedBytes += picture.byteCount
      }
      memory.insert(picture, for: request)
      return waiters
    }
  }
}

import BlockingWork
import Checksums
import ErrorWords
import FeedClient
import Foundation

/// Keeps a store and a server in agreement: gets what is new there, lets the store merge it, and sends what is new here.
///
/// ```swift
/// let server = FeedClient(url: url, token: token, feed: "notes")
/// let sync = FeedSync(store: store, source: server, target: server)
/// async let ended: Void = sync.run()
/// for await status in sync.statuses { show(status) }
/// ```
public actor FeedSync<Store: FeedStore> {
  nonisolated let store: Store
  nonisolated let source: any FeedSource
  nonisolated let target: (any FeedTarget)?
  nonisolated let options: Options
  nonisolated let board: StatusBoard<SyncStatus>
  /// Blobs that the server doesn't have, with when to ask again.
  var missing: [BlobName: (next: ContinuousClock.Instant, pause: Pause)] = [:]
  /// Records that came and can't be read, with the reasons.
  var unreadable: [UUID: String] = [:]
  /// Whether the server said whose the records are.
  private var isKnown = false
  /// Whether the server knows of devices, and maybe not what this one calls itself in records.
  private var isUnintroduced = false
  private var pause: Pause
  private var nextTry = ContinuousClock.now
  private var running: Task<SyncReport, any Error>?
  private var refusedAgain: RefusedAgain
  private nonisolated let executor = BlockingSerialExecutor("exchange of records")

  /// Where the exchange waits for the store.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Creates an exchange that does nothing yet.
  ///
  /// - Parameters:
  ///   - store: The records here.
  ///   - source: Where records come from.
  ///   - target: Where records go, the same place; `nil` when it can only be read.
  ///   - options: When to exchange.
  public init(
    store: Store, source: any FeedSource, target: (any FeedTarget)?, options: Options = Options()
  ) {
    self.store = store
    self.source = source
    self.target = target
    self.options = options
    board = StatusBoard(SyncStatus(isReadOnly: target == nil))
    pause = Pause(first: options.firstPause, longest: options.longestPause)
    refusedAgain = RefusedAgain(
      first: options.refusalPause, longest: options.longestRefusalPause)
  }

  /// Where the records come from.
  public nonisolated var address: String { source.address }

  /// How far the exchange is.
  public nonisolated var status: SyncStatus { board.status }

  /// How far the exchange is, at once and after each change, the newest only.
  public nonisolated var statuses: AsyncStream<SyncStatus> { board.watch() }

  /// Exchanges now; joins an exchange that is going on.
  ///
  /// - Parameter isAsked: Whether a person asks: what the server refused is tried again, too. The default is `false`.
  /// - Returns: What was done.
  /// - Throws: ``FeedError``, or the store's error; what was done before stays done.
  @discardableResult
  public func sync(isAsked: Bool = false) async throws -> SyncReport {
    if isAsked {
      // One that goes on may have passed over what was refused.
      while let running { _ = try await running.value }
      refusedAgain.ask()
    }
    if let running { return try await running.value }
    let task = Task {
      defer { running = nil }
      return try await exchange()
    }
    running = task
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Exchanges until the task is cancelled: when something changes here, and at intervals; after failures later and
  /// later.
  public func run() async {
    while !Task.isCancelled {
      do {
        try await sync()
        await waitForWork()
      } catch {
        try? await Task.sleep(until: nextTry, clock: .continuous)
      }
    }
  }

  private func exchange() async throws -> SyncReport {
    board.change { $0.phase = .syncing(done: 0, of: 0) }
    do {
      var report = SyncReport()
      let link = try store.link(to: source.address)
      try await know(link)
      let isDue = refusedAgain.isDue()
      if isDue { try link.forgetRefusals() }
      // Also where something else is in the way.
      defer { noteRefused(link, wasTried: isDue) }
      try await receive(link, &report)
      try await fetchWanted(link, &report)
      if let target, try await send(link, target, &report) {
        // Its own writes come back as nothing new, and the cursor passes them.
        try await receive(link, &report)
        try await fetchWanted(link, &report)
      }
      try didSucceed(link)
      await introduce()
      return report
    } catch {
      didFail(error)
      throw error
    }
  }

  private func noteRefused(_ link: FeedLink<Store>, wasTried: Bool) {
    let refused = (try? link.refusals()) ?? []
    refusedAgain.note(Set(refused.map(\.id)), wasTried: wasTried)
  }

  /// Sees to it that nobody gets another person's records.
  ///
  /// A server that was replaced has another database, where the person goes by the same name.
  private func know(_ link: FeedLink<Store>) async throws {
    guard !isKnown else { return }
    if let account = try await source.accountIfTold() {
      let known = try link.account
      if let known, account.person.name != known.person.name || account.server == known.server,
        account.key != known.key
      {
        throw FeedError.otherPerson(
          address: source.address, name: account.person.name, before: known.person.name)
      }
      if account != known { try link.setAccount(account) }
      isUnintroduced = true
    }
    isKnown = true
  }

  /// Lets others find this device's name; it is tried again with the next exchange, and keeps nothing from it.
  private func introduce() async {
    guard isUnintroduced, let target else { return }
    if (try? await target.introduce(as: store.device)) != nil { isUnintroduced = false }
  }

  private func didSucceed(_ link: FeedLink<Store>) throws {
    pause.reset()
    let problems = try link.refusals().map { SyncStatus.Problem(record: $0.id, reason: $0.reason) }
    let missing = try link.wantedBlobs().count
    let unreadable = unreadable.map {
      SyncStatus.Problem(record: $0.key, reason: ErrorWords($0.value))
    }
    board.change { status in
      status.phase = .idle
      status.lastSuccess = store.now()
      status.problems = problems
      status.missingBlobs = missing
      status.unreadable = unreadable.sorted { $0.record.uuidString < $1.record.uuidString }
    }
  }

  private func didFail(_ error: any Error) {
    let failure = error as? FeedError
    let wait = pause.next(atLeast: failure?.retryAfter)
    nextTry = .now + wait
    board.change { status in
      if error is CancellationError {
        status.phase = .idle
      } else if failure?.needsPerson == true {
        status.phase = .refused(reason: ErrorWords(error))
      } else {
        status.phase = .waiting(
          until: Date(timeIntervalSinceNow: wait / .seconds(1)), reason: ErrorWords(error))
      }
    }
  }

  private var hasWork: Bool {
    (try? store.link(to: source.address).waiting().isEmpty) == false
  }

  /// Waits until something is to be sent, or the interval is over.
  private func waitForWork() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [options] in try? await Task.sleep(for: options.interval) }
      if target != nil {
        group.addTask { [store] in
          for await _ in store.changes() where await self.hasWork { return }
        }
      }
      await group.next()
      group.cancelAll()
    }
    // What a person does in one go is sent in one go.
    try? await Task.sleep(for: .milliseconds(200))
  }
}

/// Sends values to any number of async sequences, by the one rule for sequences
/// (`Viewfinder.docc/Sequences.md`).
///
/// Each subscription is a sequence of its own, which begins then and there, and keeps a limited
/// number of values for a reader who falls behind. It ends with the broadcast, and delivers what
/// came before first.
package final class Broadcast<Value: Sendable>: Sendable {
  /// What is told, and so how much is kept.
  package enum Kind: Sendable {
    /// What happens: the newest 256 are kept.
    case events
    /// What is now: the newest alone is kept.
    case states
    /// What happens to something that ends: a sequence begins with what has happened before, as far
    /// as that is among the newest 256.
    case story

    /// How many values a sequence keeps.
    fileprivate var limit: Int { self == .states ? 1 : sequenceLimit }
  }

  private struct Subscriber {
    let continuation: AsyncStream<Value>.Continuation
    let limit: Int
    /// How many values were sent since ``Broadcast/loss`` was, while the sequence was full.
    var sentSinceLoss = Int.max

    mutating func take(_ value: Value, loss: Value?) {
      if sentSinceLoss < .max { sentSinceLoss += 1 }
      guard case .dropped = continuation.yield(value), let loss, limit > 1 else { return }
      // While the last such value waits to be read, all that is dropped came before it.
      guard sentSinceLoss >= limit else { return }
      continuation.yield(loss)
      sentSinceLoss = 0
    }
  }

  private struct State {
    var next = 0
    var subscribers: [Int: Subscriber] = [:]
    /// What a story's sequences begin with.
    var past: [Value] = []
    var isFinished = false
  }

  private let state = Mutex(State())
  /// Sequences that have ended, and aren't let go of yet.
  ///
  /// Whoever cancels a task ends its sequence with the task's lock held, and a value that wakes the task takes that
  /// lock in turn. So the end mustn't wait for ``state``, which is held while values are sent.
  private let ended = Mutex<[Int]>([])
  private let kind: Kind
  /// Sent to a reader who lost values.
  private let loss: Value?

  /// - Parameters:
  ///   - kind: What is told.
  ///   - loss: A value that tells a reader who lost others of it; `nil` where they are just gone.
  package init(_ kind: Kind, loss: Value? = nil) {
    self.kind = kind
    self.loss = loss
  }

  var hasSubscribers: Bool {
    withState { !$0.subscribers.isEmpty }
  }

  /// Calls with what there is, without the sequences that have ended.
  private func withState<Result>(_ body: (inout State) -> Result) -> Result {
    sweep()
    defer { sweep() }
    return state.withLock { body(&$0) }
  }

  /// Lets go of sequences that have ended, with the values that nobody will read.
  ///
  /// Waits for nobody: whoever has the lock sweeps when it is free.
  private func sweep() {
    while !ended.withLock(\.isEmpty) {
      let gone = state.withLockIfAvailable { state in
        ended.withLock { ended in
          defer { ended = [] }
          return ended
        }.compactMap { state.subscribers.removeValue(forKey: $0) }
      }
      guard gone != nil else { return }
    }
  }

  /// A new sequence of the values from now on, after `first` if there is one.
  ///
  /// - Parameters:
  ///   - first: What the sequence begins with.
  ///   - limit: How many values it keeps, if that isn't what the kind says.
  /// - Returns: The sequence, for one reader.
  package func subscribe(beginningWith first: Value? = nil, keeping limit: Int? = nil)
    -> AsyncStream<Value>
  {
    let limit = limit ?? kind.limit
    let (stream, continuation) = AsyncStream.makeStream(
      of: Value.self, bufferingPolicy: .bufferingNewest(limit))
    if let first { continuation.yield(first) }
    let key = withState { state in
      for value in state.past { continuation.yield(value) }
      defer { state.next += 1 }
      if state.isFinished {
        continuation.finish()
      } else {
        state.subscribers[state.next] = Subscriber(continuation: continuation, limit: limit)
      }
      return state.next
    }
    continuation.onTermination = { [weak self] _ in
      guard let self else { return }
      ended.withLock { $0.append(key) }
      sweep()
    }
    return stream
  }

  /// Sends a value.
  ///
  /// Values reach all sequences in one order.
  package func send(_ value: Value) {
    withState { state in
      guard !state.isFinished else { return }
      if kind == .story {
        state.past.append(value)
        if state.past.count > sequenceLimit { state.past.removeFirst() }
      }
      for key in state.subscribers.keys { state.subscribers[key]!.take(value, loss: loss) }
    }
  }

  /// Ends all sequences, and those that begin later after what they begin with.
  package func finish() {
    let subscribers = state.withLock { state in
      state.isFinished = true
      defer { state.subscribers = [:] }
      return Array(state.subscribers.values)
    }
    for subscriber in subscribers { subscriber.continuation.finish() }
  }

  deinit { finish() }
}

/// How many events a sequence keeps for a reader who falls behind.
package let sequenceLimit = 256

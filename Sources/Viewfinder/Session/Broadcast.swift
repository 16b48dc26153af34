/// Sends values to any number of async sequences.
package final class Broadcast<Value: Sendable>: Sendable {
  private struct State {
    var next = 0
    var continuations: [Int: AsyncStream<Value>.Continuation] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  var hasSubscribers: Bool { state.withLock { !$0.continuations.isEmpty } }

  /// A new sequence of the values from now on, after `first` if there is one.
  package func subscribe(
    _ policy: AsyncStream<Value>.Continuation.BufferingPolicy, beginningWith first: Value? = nil
  ) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: policy)
    if let first { continuation.yield(first) }
    let key = state.withLock { state in
      defer { state.next += 1 }
      state.continuations[state.next] = continuation
      return state.next
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.continuations.removeValue(forKey: key) }
    }
    return stream
  }

  /// Sends a value, and returns how many sequences dropped one for it.
  @discardableResult
  package func send(_ value: Value) -> Int {
    let continuations = state.withLock { Array($0.continuations.values) }
    return continuations.count { continuation in
      if case .dropped = continuation.yield(value) { true } else { false }
    }
  }

  deinit {
    for continuation in state.withLock({ $0.continuations.values.map(\.self) }) {
      continuation.finish()
    }
  }
}

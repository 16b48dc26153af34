import Synchronization

/// Hands values to any number of readers; each gets the newest and misses what it was too slow for.
public final class Watchers<Value: Sendable>: Sendable {
  private struct State {
    var nextKey = 0
    var continuations: [Int: AsyncStream<Value>.Continuation] = [:]
  }

  private let state = Mutex(State())

  /// Creates a hub that nobody reads from.
  public init() {}

  /// How many read.
  public var count: Int { state.withLock { $0.continuations.count } }

  /// The values from now on, until the reader ends the sequence or goes away.
  ///
  /// - Parameters:
  ///   - first: Called when there was no reader before.
  ///   - last: Called when no reader is left.
  /// - Returns: The values, and what ends them.
  public func watch(
    first: () -> Void = {}, last: @escaping @Sendable () -> Void = {}
  ) -> (values: AsyncStream<Value>, end: @Sendable () -> Void) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let key = state.withLock { state in
      let key = state.nextKey
      state.nextKey += 1
      state.continuations[key] = continuation
      // With the lock held, so that first and last happen in order.
      if state.continuations.count == 1 { first() }
      return key
    }
    continuation.onTermination = { [self] _ in remove(key, last) }
    return (stream, { continuation.finish() })
  }

  /// Hands a value to all who read.
  public func send(_ value: Value) {
    let continuations = state.withLock { Array($0.continuations.values) }
    for continuation in continuations { continuation.yield(value) }
  }

  private func remove(_ key: Int, _ last: () -> Void) {
    state.withLock { state in
      guard state.continuations.removeValue(forKey: key) != nil else { return }
      if state.continuations.isEmpty { last() }
    }
  }
}

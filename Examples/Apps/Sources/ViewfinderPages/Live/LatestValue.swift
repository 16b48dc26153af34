import Foundation
import Synchronization

/// A value that changes: who watches it gets it at once, and after that the newest one each time.
public final class LatestValue<Value: Sendable>: Sendable {
  private struct State {
    var value: Value
    var watchers: [UUID: AsyncStream<Value>.Continuation] = [:]
  }

  private let state: Mutex<State>

  /// Creates it with what is so at first.
  public init(_ value: Value) { state = Mutex(State(value: value)) }

  /// What is so now.
  public var value: Value { state.withLock { $0.value } }

  /// Changes the value and tells of it.
  public func change(_ body: (inout Value) -> Void) {
    // With the lock held, so that the newest is told last.
    state.withLock { state in
      body(&state.value)
      for watcher in state.watchers.values { watcher.yield(state.value) }
    }
  }

  /// The values, and what ends them.
  public func watch() -> (values: AsyncStream<Value>, end: @Sendable () -> Void) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let id = UUID()
    state.withLock { state in
      state.watchers[id] = continuation
      continuation.yield(state.value)
    }
    return (
      stream,
      { [weak self] in
        _ = self?.state.withLock { $0.watchers.removeValue(forKey: id) }
        continuation.finish()
      }
    )
  }
}

import Foundation
import Synchronization

/// Shows the newest status to everybody who looks.
public final class StatusBoard<Status: Hashable & Sendable>: Sendable {
  private struct State {
    var status: Status
    var watchers: [UUID: AsyncStream<Status>.Continuation] = [:]
  }
  private let state: Mutex<State>

  /// Creates a board that shows a status.
  public init(_ status: Status) { state = Mutex(State(status: status)) }

  /// The newest status.
  public var status: Status { state.withLock { $0.status } }

  /// Changes the status.
  ///
  /// - Parameter body: Changes it; who looks is told if it became another one.
  public func change(_ body: (inout Status) -> Void) {
    state.withLock { state in
      let before = state.status
      body(&state.status)
      guard state.status != before else { return }
      for watcher in state.watchers.values { watcher.yield(state.status) }
    }
  }

  /// The status at once and after each change, the newest only.
  ///
  /// - Returns: The statuses, until nobody reads them any more.
  public func watch() -> AsyncStream<Status> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Status.self, bufferingPolicy: .bufferingNewest(1))
    let id = UUID()
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.watchers.removeValue(forKey: id) }
    }
    state.withLock { state in
      state.watchers[id] = continuation
      continuation.yield(state.status)
    }
    return stream
  }
}

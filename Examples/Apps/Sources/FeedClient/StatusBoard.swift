import Foundation
import Synchronization

/// Shows the newest status to everybody who looks.
public final class StatusBoard<Status: Hashable & Sendable>: Sendable {
  private struct State {
    var status: Status
    var watchers: [UUID: AsyncStream<Status>.Continuation] = [:]
  }
  private let state: Mutex<State>
  /// Watchers that read no more: whoever cancels a task tells so with the task's lock held, which a new status takes
  /// in turn; that mustn't wait for `state`.
  private let ended = Mutex<[UUID]>([])

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
      let gone = ended.withLock { ended in
        defer { ended = [] }
        return ended
      }
      for id in gone { state.watchers[id] = nil }
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
      self?.ended.withLock { $0.append(id) }
    }
    state.withLock { state in
      state.watchers[id] = continuation
      continuation.yield(state.status)
    }
    return stream
  }
}

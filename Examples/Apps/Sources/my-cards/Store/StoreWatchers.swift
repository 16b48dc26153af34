import Foundation
import Synchronization

/// Tells everybody who watches that something has changed.
final class StoreWatchers: Sendable {
  private let watchers = Mutex<[UUID: AsyncStream<Void>.Continuation]>([:])

  func watch() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let id = UUID()
    continuation.onTermination = { [weak self] _ in
      self?.watchers.withLock { $0[id] = nil }
    }
    watchers.withLock { $0[id] = continuation }
    continuation.yield()
    return stream
  }

  func tell() {
    for watcher in watchers.withLock({ Array($0.values) }) { watcher.yield() }
  }

  deinit {
    for watcher in watchers.withLock({ Array($0.values) }) { watcher.finish() }
  }
}

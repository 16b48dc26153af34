import Foundation
import ServiceLifecycle
import Synchronization

/// Asks the database and the store now and then whether they answer, so that a balancer can ask as often as it likes.
final class Readiness: Service {
  private let records: any RecordEngine
  private let blobs: any BlobStore
  private let lastAnswer = Mutex<ContinuousClock.Instant?>(nil)

  /// How often both are asked.
  private static let pause = Duration.seconds(2)
  /// For how long an answer counts: a standby that takes over is faster.
  private static let patience = Duration.seconds(10)

  init(records: any RecordEngine, blobs: any BlobStore) {
    (self.records, self.blobs) = (records, blobs)
  }

  /// Whether both answered a moment ago.
  var isReady: Bool {
    lastAnswer.withLock { $0.map { ContinuousClock.now - $0 < Self.patience } ?? false }
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        if (try? await self.ask()) != nil { self.lastAnswer.withLock { $0 = .now } }
        try? await Task.sleep(for: Self.pause)
      }
    }
    // Who ends takes no more.
    lastAnswer.withLock { $0 = nil }
  }

  /// Nobody has such a token, and there is no such file: what counts is the answer.
  private func ask() async throws {
    _ = try await records.visitor(token: Data())
    _ = try await blobs.size("ready")
  }
}

import Foundation
import ServiceLifecycle

/// Forgets what was kept for long enough, now and then.
struct Sweeper: Service {
  let records: any RecordEngine
  let blobs: any BlobStore
  let limits: Limits
  let metrics: Metrics

  private static let pause = Duration.seconds(3600)

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        // What fails is tried again: nobody waits for it.
        do {
          try await sweep(at: .now)
          metrics.swept()
        } catch {
          // A server that ends in the middle of it is in no trouble.
          if !Task.isCancelled { ServerLog.tell(error) }
        }
        try? await Task.sleep(for: Self.pause)
      }
    }
  }

  func sweep(at time: Date) async throws {
    let rubbish = try await records.sweep(at: time, limits: limits)
    for upload in rubbish.uploads { try await blobs.discard(upload) }
    for place in rubbish.places { try await blobs.delete(place) }
    try await records.forget(places: rubbish.places)
    try await blobs.sweep(olderThan: time - TimeInterval(limits.upload.components.seconds))
  }
}

import Foundation

/// Work that waits for disks, off the threads on which tasks run.
enum Blocking {
  private static let queue = DispatchQueue(
    label: "Viewfinder library", qos: .userInitiated, attributes: .concurrent)

  /// Runs what nobody waits for.
  static func later(_ body: @escaping @Sendable () -> Void) {
    queue.async(qos: .utility) { body() }
  }

  static func run<R: Sendable, E: Error>(
    _ body: @escaping @Sendable () throws(E) -> R
  ) async throws(E) -> R {
    let result: Result<R, E> = await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(returning: Result { () throws(E) in try body() })
      }
    }
    return try result.get()
  }
}

import Synchronization

/// Lets so many requests at a time go to a server; the others wait in line, as long as it takes.
///
/// AsyncHTTPClient queues them, too, but a request that finds no free connection within the time for connecting fails there
/// (1.37), though the server is only busy with what it has.
final class HTTPTurns: Sendable {
  private struct Line {
    var taken = 0
    var waiting: [(id: UInt64, continuation: CheckedContinuation<Void, any Error>)] = []
  }

  private let limit: Int
  private let lines = Mutex<[String: Line]>([:])
  private let ids = Atomic<UInt64>(0)

  init(limit: Int) { self.limit = limit }

  /// Does what `body` does, once it is its turn.
  ///
  /// - Throws: `CancellationError` when the task is cancelled in the line, and what `body` throws.
  func take<R: Sendable>(at server: String, _ body: () async throws -> R) async throws -> R {
    let id = ids.add(1, ordering: .relaxed).newValue
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { enter($0, id, server) }
    } onCancel: {
      leave(id, server)
    }
    defer { end(at: server) }
    return try await body()
  }

  private func enter(
    _ continuation: CheckedContinuation<Void, any Error>, _ id: UInt64, _ server: String
  ) {
    let answer: Result<Void, any Error>? = lines.withLock {
      // Cancelled before it was in line: `leave` found nothing.
      guard !Task.isCancelled else { return .failure(CancellationError()) }
      guard $0[server, default: Line()].taken >= limit else {
        $0[server, default: Line()].taken += 1
        return .success(())
      }
      $0[server]?.waiting.append((id, continuation))
      return nil
    }
    if let answer { continuation.resume(with: answer) }
  }

  private func leave(_ id: UInt64, _ server: String) {
    let continuation = lines.withLock { lines in
      lines[server]?.waiting.firstIndex { $0.id == id }.map { index in
        lines[server]!.waiting.remove(at: index).continuation
      }
    }
    continuation?.resume(throwing: CancellationError())
  }

  /// Gives the turn to the next in line.
  private func end(at server: String) {
    let next = lines.withLock { lines in
      guard var line = lines[server] else { return nil as CheckedContinuation<Void, any Error>? }
      let next = line.waiting.isEmpty ? nil : line.waiting.removeFirst().continuation
      if next == nil { line.taken -= 1 }
      lines[server] = line.taken == 0 ? nil : line
      return next
    }
    next?.resume()
  }
}

import Foundation
import ServiceLifecycle

/// Whose news, and of what.
struct NewsKey: Hashable, Sendable {
  let person: Int64
  let feed: String
}

/// Tells requests that wait for news when there is some, here and in other copies of the server.
///
/// It is a hint: what is new is asked of the engine, and asked again after a while without a hint, so that a lost one
/// costs some seconds.
actor News: Service {
  private let hints: (any Hints)?
  /// After how long the engine is asked without a hint.
  private let pause: Duration
  private var waiting: [NewsKey: [UUID: AsyncStream<Void>.Continuation]] = [:]

  /// Tells this copy alone, or others by hints.
  init(hints: (any Hints)?, pause: Duration = .seconds(15)) {
    (self.hints, self.pause) = (hints, pause)
  }

  /// Hears what other copies tell.
  nonisolated func run() async throws {
    await cancelWhenGracefulShutdown { [self] in
      if let hints { for await key in hints.heard { await wake(key) } }
      // Without others it has nothing to do, and doesn't end the program by that.
      try? await gracefulShutdown()
    }
  }

  /// Wakes who waits.
  func tell(_ key: NewsKey) {
    wake(key)
    hints?.tell(key)
  }

  /// Wakes who waits here; all with `nil`.
  private func wake(_ key: NewsKey?) {
    let woken = key.map { waiting[$0].map { [$0] } ?? [] } ?? Array(waiting.values)
    for continuation in woken.joined().map(\.value) { continuation.yield() }
  }

  /// Asks until there is news, or the time is over.
  ///
  /// - Parameters:
  ///   - key: What the news is of.
  ///   - time: How long to wait; 0 asks once.
  ///   - maximum: How many may wait for the same person; one more is answered at once.
  ///   - ask: Asks the engine.
  /// - Returns: The last answer.
  /// - Throws: What `ask` throws.
  nonisolated func wait<Answer: Sendable>(
    _ key: NewsKey, for time: Duration, atMost maximum: Int,
    ask: @Sendable () async throws -> (Answer, isNews: Bool)
  ) async throws -> Answer {
    let id = UUID()
    // From before the first look on, so that nothing comes in between unheard.
    let own = time > .zero ? await begin(key, id, atMost: maximum) : nil
    guard let (hints, hint) = own else { return try await ask().0 }
    let end = ContinuousClock.now + time
    do {
      let answer = try await withGracefulShutdownHandler {
        try await self.answer(until: end, hints, hint, ask)
      } onGracefulShutdown: {
        hint.finish()
      }
      await self.end(key, id)
      return answer
    } catch {
      await self.end(key, id)
      throw error
    }
  }

  private nonisolated func answer<Answer: Sendable>(
    until end: ContinuousClock.Instant, _ hints: AsyncStream<Void>,
    _ hint: AsyncStream<Void>.Continuation,
    _ ask: @Sendable () async throws -> (Answer, isNews: Bool)
  ) async throws -> Answer {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        while true {
          try await Task.sleep(until: min(.now + self.pause, end))
          hint.yield()
        }
      }
      defer { group.cancelAll() }
      hint.yield()
      for await _ in hints {
        let (answer, isNews) = try await ask()
        if isNews || ContinuousClock.now >= end { return answer }
      }
      // The server ends, or the visitor went away.
      return try await ask().0
    }
  }

  private func begin(
    _ key: NewsKey, _ id: UUID, atMost maximum: Int
  ) -> (AsyncStream<Void>, AsyncStream<Void>.Continuation)? {
    let count = waiting.reduce(0) { $0 + ($1.key.person == key.person ? $1.value.count : 0) }
    guard count < maximum else { return nil }
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    waiting[key, default: [:]][id] = continuation
    return (stream, continuation)
  }

  private func end(_ key: NewsKey, _ id: UUID) {
    waiting[key]?[id] = nil
    if waiting[key]?.isEmpty == true { waiting[key] = nil }
  }
}

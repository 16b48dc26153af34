/// Tells a loop that there is something to do; rung often, it is heard once.
struct Bell: Sendable {
  private let rings: AsyncStream<Void>
  private let ringing: AsyncStream<Void>.Continuation

  init() { (rings, ringing) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  func ring() { ringing.yield() }

  /// Waits until it is rung, and does something; what couldn't be done rings once more.
  ///
  /// - Parameter body: What to do.
  /// - Throws: What the body throws, and `CancellationError` when the task was cancelled.
  func answer(_ body: () async throws -> Void) async throws {
    var waiting = rings.makeAsyncIterator()
    guard await waiting.next() != nil else { throw CancellationError() }
    do { try await body() } catch {
      ring()
      throw error
    }
  }
}

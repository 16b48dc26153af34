import Hummingbird
import ServiceLifecycle

/// Values that are sent as long as somebody takes them.
public enum ServerEvents {
  /// Sends values until the server ends or the visitor goes away, also while there are none.
  public static func send<Values: AsyncSequence & Sendable>(
    _ watch: (values: Values, end: @Sendable () -> Void), to request: Request,
    write: (Values.Element) async throws -> Void
  ) async throws where Values.Element: Sendable {
    try await request.body.consumeWithInboundCloseHandler { _ in
      defer { watch.end() }
      for try await value in watch.values.cancelOnGracefulShutdown() { try await write(value) }
    } onInboundClosed: {
      watch.end()
    }
  }
}

import AsyncAlgorithms
import Foundation
import Hummingbird
import NIOCore
import ServiceLifecycle

/// Values that are sent as long as somebody takes them.
public enum ServerEvents {
  /// What a stream of events consists of.
  private enum Event<Value: Sendable>: Sendable {
    case value(Value)
    /// A comment: a connection over which nothing goes counts as one whose visitor is gone.
    case signOfLife
    case end

    var isEnd: Bool {
      if case .end = self { true } else { false }
    }
  }

  /// Answers with values as Server-Sent Events, one JSON each, until the server ends or the visitor goes away.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - pause: After how long a comment is sent, so that a quiet stream stays open. The default is 10 seconds.
  ///   - watch: Begins to watch; called when the answer has begun.
  /// - Returns: The answer.
  public static func response<Value: Encodable & Sendable>(
    to request: Request, signOfLifeEvery pause: Duration = .seconds(10),
    watch: @escaping @Sendable () -> (values: AsyncStream<Value>, end: @Sendable () -> Void)
  ) -> Response {
    let body = ResponseBody { writer in
      let (values, end) = watch()
      let events = merge(
        chain(values.map { Event.value($0) }, [Event.end].async),
        AsyncTimerSequence.repeating(every: pause).map { _ in Event.signOfLife }
      ).prefix { !$0.isEnd }
      try await send((events, end), to: request) { event in
        try await writer.write(ByteBuffer(string: text(of: event)))
      }
      try await writer.finish(nil)
    }
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
      body: body)
  }

  private static func text(of event: Event<some Encodable>) throws -> String {
    guard case .value(let value) = event else { return ":\n\n" }
    return "data: \(String(decoding: try JSONEncoder().encode(value), as: UTF8.self))\n\n"
  }

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

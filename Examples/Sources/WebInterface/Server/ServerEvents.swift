import Foundation
import Hummingbird
import NIOCore
import ServiceLifecycle

/// Values that are sent as long as somebody takes them.
public enum ServerEvents {
  /// Answers with values as Server-Sent Events, one JSON each, until the server ends or the visitor goes away.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - watch: Begins to watch; called when the answer has begun.
  /// - Returns: The answer.
  public static func response<Value: Encodable & Sendable>(
    to request: Request,
    watch: @escaping @Sendable () -> (values: AsyncStream<Value>, end: @Sendable () -> Void)
  ) -> Response {
    let body = ResponseBody { writer in
      try await send(watch(), to: request) { value in
        let json = try JSONEncoder().encode(value)
        try await writer.write(
          ByteBuffer(string: "data: \(String(decoding: json, as: UTF8.self))\n\n"))
      }
      try await writer.finish(nil)
    }
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
      body: body)
  }

  /// Sends values until the server ends or the visitor goes away, also while there are none.
  static func send<Value: Sendable>(
    _ watch: (values: AsyncStream<Value>, end: @Sendable () -> Void), to request: Request,
    write: (Value) async throws -> Void
  ) async throws {
    try await request.body.consumeWithInboundCloseHandler { _ in
      defer { watch.end() }
      for await value in watch.values.cancelOnGracefulShutdown() { try await write(value) }
    } onInboundClosed: {
      watch.end()
    }
  }
}

import Hummingbird

/// How large a request's body may be, and how long it may take.
public struct BodyLimit: Sendable {
  /// In bytes.
  public var size: Int
  /// From the request's head to the body's end.
  public var time: Duration

  /// Creates a limit.
  public init(size: Int, time: Duration) { (self.size, self.time) = (size, time) }

  var tooLarge: WebError {
    WebError(.contentTooLarge, "That is more than \(size) bytes. Send less.", code: "tooMuch")
  }

  var tooSlow: WebError {
    WebError(
      .requestTimeout, "The request came too slowly. Send it again.", code: "sentTooSlowly")
  }
}

/// Sees to it that no route gets more of a body than it wants.
///
/// Most get it whole. A route that has a limit of its own gets it as it comes, and need not have it in memory.
struct BodyLimits: RouterMiddleware {
  let most: BodyLimit
  /// By the routes' paths.
  let own: [String: BodyLimit]

  func handle(
    _ request: Request, context: WebContext,
    next: (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    guard request.hasBody else { return try await next(request, context) }
    let own = context.endpointPath.flatMap { self.own[$0] }
    let limit = own ?? most
    // Also before the visitor has sent it all.
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit.size {
      throw limit.tooLarge
    }
    var request = request
    if own == nil {
      request.body = RequestBody(buffer: try await collect(request.body, limit))
    } else {
      request.body = RequestBody(asyncSequence: LimitedBody(body: request.body, limit: limit))
    }
    return try await next(request, context)
  }

  private func collect(_ body: RequestBody, _ limit: BodyLimit) async throws -> ByteBuffer {
    try await withThrowingTaskGroup(of: ByteBuffer.self) { group in
      group.addTask { try await body.collect(upTo: limit.size) }
      group.addTask {
        try await Task.sleep(for: limit.time)
        throw limit.tooSlow
      }
      defer { group.cancelAll() }
      return try await group.next()!
    }
  }
}

/// A body as it comes, up to a limit; what sends nothing at all is ended with its connection.
private struct LimitedBody: AsyncSequence, Sendable {
  let body: RequestBody
  let limit: BodyLimit

  struct AsyncIterator: AsyncIteratorProtocol {
    var rest: RequestBody.AsyncIterator
    let limit: BodyLimit
    let end: ContinuousClock.Instant
    var count = 0

    mutating func next() async throws -> ByteBuffer? {
      guard let part = try await rest.next() else { return nil }
      count += part.readableBytes
      guard count <= limit.size else { throw limit.tooLarge }
      guard ContinuousClock.now < end else { throw limit.tooSlow }
      return part
    }
  }

  func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(rest: body.makeAsyncIterator(), limit: limit, end: .now + limit.time)
  }
}

import Hummingbird

/// Reads a request's body before its route does: no more than a number of bytes, within a time.
struct BodyLimit: RouterMiddleware {
  /// In bytes.
  let size: Int
  let time: Duration

  func handle(
    _ request: Request, context: WebContext,
    next: (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    guard request.hasBody else { return try await next(request, context) }
    // Also before the visitor has sent it all.
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > size {
      throw WebError(.contentTooLarge, "That is more than \(size) bytes. Send less.")
    }
    var request = request
    request.body = RequestBody(buffer: try await body(of: request))
    return try await next(request, context)
  }

  private func body(of request: Request) async throws -> ByteBuffer {
    try await withThrowingTaskGroup(of: ByteBuffer.self) { group in
      group.addTask { try await request.body.collect(upTo: size) }
      group.addTask {
        try await Task.sleep(for: time)
        throw WebError(.requestTimeout, "The request came too slowly. Send it again.")
      }
      defer { group.cancelAll() }
      return try await group.next()!
    }
  }
}

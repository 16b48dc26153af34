import Hummingbird

/// Answers, on this machine alone, only requests that name this machine.
///
/// Otherwise any web site could let its own name lead to 127.0.0.1 and read what is served here,
/// because for the browser that is the same site (DNS rebinding).
struct HostGuard: RouterMiddleware {
  static let names: Set<String> = ["localhost", "127.0.0.1", "[::1]"]

  func handle(
    _ request: Request, context: WebContext,
    next: (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    let host = request.head.authority?.lowercased().replacing(/:[0-9]+$/, with: "") ?? ""
    guard Self.names.contains(host) else {
      throw WebError(
        .misdirectedRequest,
        "This server answers to localhost and 127.0.0.1 only. Use the address that it printed.")
    }
    return try await next(request, context)
  }
}

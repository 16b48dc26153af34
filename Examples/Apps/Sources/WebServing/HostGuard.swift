import Hummingbird

/// Answers, on this machine alone, only requests that name this machine.
///
/// Otherwise any web site could let its own name lead to 127.0.0.1 and read what is served here,
/// because for the browser that is the same site (DNS rebinding).
struct HostGuard: RouterMiddleware {
  private let names: Set<String>

  /// Answers to this machine's own names, and to the one under which visitors of a server before this one come.
  init(publicURL: PublicURL?) {
    names = Set(["localhost", "127.0.0.1", "[::1]"] + (publicURL.map { [$0.host] } ?? []))
  }

  func handle(
    _ request: Request, context: WebContext,
    next: (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    let host = request.head.authority?.lowercased().replacing(/:[0-9]+$/, with: "") ?? ""
    guard names.contains(host) else {
      throw WebError(
        .misdirectedRequest,
        "This server answers to localhost and 127.0.0.1 only. Use the address that it printed, or start it with --public-url."
      )
    }
    return try await next(request, context)
  }
}

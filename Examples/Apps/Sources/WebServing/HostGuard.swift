import Hummingbird

/// Answers only requests that name one host, and on this machine alone only its own names.
///
/// Otherwise any web site could let its own name lead to 127.0.0.1 and read what is served here,
/// because for the browser that is the same site (DNS rebinding).
struct HostGuard: RouterMiddleware {
  /// `nil` where the names by which visitors call the machine aren't known.
  private let names: [String]?

  /// Answers to this machine's own names, to the address where it listens, and to the name under which visitors of a
  /// server before this one come.
  init(_ address: ListenAddress, publicURL: PublicURL?) {
    guard address.isLoopback else {
      names = nil
      return
    }
    let own = ["localhost", "127.0.0.1", "[::1]"]
    let further = [address.urlHost.lowercased(), publicURL?.host].compactMap(\.self)
    names = own + further.filter { !own.contains($0) }
  }

  func handle(
    _ request: Request, context: WebContext,
    next: (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    // The first is the authority; more of them are for servers that disagree about which counts.
    guard request.headers[.furtherHost] == nil else {
      throw WebError(.badRequest, "The request names two hosts. Name one.")
    }
    let host = request.head.authority?.lowercased().replacing(/:[0-9]+$/, with: "") ?? ""
    guard names?.contains(host) ?? true else {
      let known = names?.joined(separator: ", ") ?? ""
      throw WebError(
        .misdirectedRequest,
        "This server answers to \(known) only. Use the address that it printed, or start it with --public-url."
      )
    }
    return try await next(request, context)
  }
}

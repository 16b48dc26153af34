import Hummingbird

/// Refuses requests that a page of another site makes: neither its forms and scripts nor its
/// picture elements reach the camera.
struct OriginGuard: RouterMiddleware {
  /// Where visitors come from whom another server leads here, maybe under another name.
  let publicURL: PublicURL?

  func handle(
    _ request: Request, context: WebContext,
    next: (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    guard isFromHere(request) || request.isVisit else {
      throw WebError(
        .forbidden, "Pages of other sites may not use this server. Open it itself.",
        code: "otherSite")
    }
    return try await next(request, context)
  }

  /// Whether the page that asks came from here, or no page asks.
  private func isFromHere(_ request: Request) -> Bool {
    if let site = request.headers[.secFetchSite], site != "same-origin", site != "none" {
      return false
    }
    guard let origin = request.headers[.origin] else { return true }
    if origin == publicURL?.origin { return true }
    guard let authority = request.head.authority else { return false }
    return origin == "http://\(authority)" || origin == "https://\(authority)"
  }
}

extension Request {
  /// Whether a person follows a link to a page here, which then fills a tab of its own.
  fileprivate var isVisit: Bool {
    method == .get && headers[.secFetchDest] == "document" && headers[.origin] == nil
  }
}

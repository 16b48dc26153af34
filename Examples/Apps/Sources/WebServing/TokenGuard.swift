import HTTPTypes
import Hummingbird

/// Answers only who knows the token: from the URL, a cookie, or an Authorization field.
struct TokenGuard: RouterMiddleware {
  let token: AccessToken
  /// Whether browsers may send the token over TLS only.
  let isSecure: Bool

  func handle(
    _ request: Request, context: WebContext,
    next: (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    let inURL = request.uri.queryParameters["token"].map(token.matches) ?? false
    if inURL, request.isPageLoad { return rememberToken(request) }
    guard inURL || isInCookie(request) || isInHeader(request) else {
      throw WebError(
        .unauthorized,
        "This needs the token. Open the address that the program printed when it started.")
    }
    return try await next(request, context)
  }

  private func isInCookie(_ request: Request) -> Bool {
    request.cookies[request.tokenCookie].map { token.matches($0.value) } ?? false
  }

  private func isInHeader(_ request: Request) -> Bool {
    guard let field = request.headers[.authorization] else { return false }
    let parts = field.split(separator: " ", maxSplits: 1)
    return parts.count == 2 && parts[0].lowercased() == "bearer" && token.matches(parts[1])
  }

  /// Puts the token into a cookie and shows the page at an address without it, which may be seen
  /// and shared.
  private func rememberToken(_ request: Request) -> Response {
    let path = "/" + request.uri.path.drop { $0 == "/" }
    let query = (request.uri.query ?? "").split(separator: "&").filter {
      !$0.hasPrefix("token=")
    }
    let address = query.isEmpty ? path : "\(path)?\(query.joined(separator: "&"))"
    // A browser that comes from another site's link sends the cookie only to what this answer
    // itself leads to.
    let isFromElsewhere = request.headers[.secFetchSite].map { $0 != "none" } ?? false
    var response = Response(status: isFromElsewhere ? .ok : .seeOther)
    if isFromElsewhere {
      response.headers[HTTPField.Name("Refresh")!] = "0; url=\(address)"
    } else {
      response.headers[.location] = address
    }
    response.headers[.setCookie] =
      "\(request.tokenCookie)=\(token.text); Path=/; HttpOnly; SameSite=Strict\(isSecure ? "; Secure" : "")"
    return response
  }
}

extension Request {
  /// Whether a browser asks for a page, and not a program for a picture.
  fileprivate var isPageLoad: Bool {
    guard method == .get else { return false }
    if let destination = headers[.secFetchDest] { return destination == "document" }
    return headers[.accept]?.contains("text/html") ?? false
  }

  /// Browsers keep one set of cookies for all ports of a host.
  fileprivate var tokenCookie: String {
    let port = head.authority?.firstMatch(of: /:([0-9]+)$/)?.1 ?? "80"
    return "viewfinder-\(port)"
  }
}

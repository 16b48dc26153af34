import HTTPTypes
import Hummingbird

/// Answers only who knows the token: from the URL, a cookie, or an Authorization field.
struct TokenGuard: RouterMiddleware {
  let token: AccessToken
  /// Where visitors come from whom another server leads here.
  let publicURL: PublicURL?
  private let wrongTokens = WrongTokens()

  init(token: AccessToken, publicURL: PublicURL?) {
    (self.token, self.publicURL) = (token, publicURL)
  }

  func handle(
    _ request: Request, context: WebContext,
    next: (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    let inURL = request.uri.queryParameters["token"]
    let inCookie = request.cookies[request.tokenCookie].map { Substring($0.value) }
    let given = [inURL, request.bearerToken, inCookie].compactMap(\.self).filter { !$0.isEmpty }
    guard given.contains(where: token.matches) else {
      throw await refusal(of: given.first, request, context)
    }
    guard request.isPageLoad else { return try await next(request, context) }
    let isNew = inURL.map(token.matches) ?? false
    var response = isNew ? Self.withoutToken(request) : try await next(request, context)
    // Also again: browsers forget it some time after they got it.
    response.headers.append(HTTPField(name: .setCookie, value: cookie(for: request)))
    return response
  }

  private func refusal(
    of wrong: Substring?, _ request: Request, _ context: WebContext
  ) async -> any Error {
    guard let wrong else {
      return WebError(
        .unauthorized,
        "This needs the token. Open the address that the program printed when it started.",
        code: "tokenMissing")
    }
    let address = VisitorAddress(
      of: request, context.channel, isForwarded: publicURL != nil)
    do {
      try await Task.sleep(for: wrongTokens.delay(of: wrong, from: address))
    } catch {
      return error
    }
    return WebError(
      .unauthorized,
      "That isn't the token. Open the address that the program printed when it started.",
      code: "tokenWrong")
  }

  /// Lasts as long as browsers allow: bookmarks and installed pages have no other key.
  private func cookie(for request: Request) -> String {
    let fields = [
      "\(request.tokenCookie)=\(token.text)", "Path=/", "Max-Age=34560000", "HttpOnly",
      // With a link of another site it comes along, with what that site loads or sends it doesn't.
      "SameSite=Lax",
    ]
    let isSecure = publicURL?.isSecure ?? false
    return (isSecure ? fields + ["Secure"] : fields).joined(separator: "; ")
  }

  /// Leads to the page at an address without the token, which may be seen and shared.
  private static func withoutToken(_ request: Request) -> Response {
    let path = "/" + request.uri.path.drop { $0 == "/" }
    let query = (request.uri.query ?? "").split(separator: "&").filter {
      !$0.hasPrefix("token=")
    }
    let address = query.isEmpty ? path : "\(path)?\(query.joined(separator: "&"))"
    return Response(
      status: .seeOther, headers: [.location: address, .cacheControl: "no-store"])
  }
}

extension Request {
  fileprivate var bearerToken: Substring? {
    let parts = headers[.authorization]?.split(separator: " ", maxSplits: 1) ?? []
    return parts.count == 2 && parts[0].lowercased() == "bearer" ? parts[1] : nil
  }

  /// Browsers keep one set of cookies for all ports of a host.
  fileprivate var tokenCookie: String {
    let port = head.authority?.firstMatch(of: /:([0-9]+)$/)?.1 ?? "80"
    return "viewfinder-\(port)"
  }
}

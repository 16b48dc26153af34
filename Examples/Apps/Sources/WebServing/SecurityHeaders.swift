import HTTPTypes
import Hummingbird

/// Tells browsers what pages of this server may do: run its own scripts, show its own pictures and videos,
/// in no frame of another site, and send nobody the address.
struct SecurityHeaders: RouterMiddleware {
  private static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:",
    "media-src 'self'", "worker-src 'self'", "manifest-src 'self'",
    "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
  ].joined(separator: "; ")

  private static let fields: [(HTTPField.Name, String)] = [
    (.contentSecurityPolicy, policy),
    (.xContentTypeOptions, "nosniff"),
    (HTTPField.Name("Referrer-Policy")!, "no-referrer"),
    (HTTPField.Name("Cross-Origin-Resource-Policy")!, "same-origin"),
    (HTTPField.Name("Cross-Origin-Opener-Policy")!, "same-origin"),
    (HTTPField.Name("X-Frame-Options")!, "DENY"),
  ]

  func handle(
    _ request: Request, context: WebContext,
    next: (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    for (name, value) in Self.fields { response.headers[name] = value }
    return response
  }
}

import Checksums
import Foundation
import HTTPTypes
import Hummingbird
import WebServing

/// Lets nobody in who has no token, and says who has it.
struct BearerGuard: RouterMiddleware {
  let records: any RecordEngine

  func handle(
    _ request: Request, context: FeedContext,
    next: (Request, FeedContext) async throws -> Response
  ) async throws -> Response {
    guard let token = Self.token(of: request),
      let visitor = try await records.visitor(token: Self.hash(token))
    else { throw WebError(.unauthorized, "This needs a token that the server's keeper gives out.") }
    var context = context
    context.visitor = visitor
    return try await next(request, context)
  }

  /// The token that a request has (RFC 6750).
  static func token(of request: Request) -> String? {
    let parts = request.headers[.authorization]?.split(separator: " ") ?? []
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return String(parts[1])
  }

  /// What is kept of a token.
  static func hash(_ token: String) -> Data { Data(SHA256.hash(data: Data(token.utf8))) }
}

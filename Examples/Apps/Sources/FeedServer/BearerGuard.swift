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
    let parts = request.headers[.authorization]?.split(separator: " ") ?? []
    guard parts.count == 2, parts[0].lowercased() == "bearer",
      let visitor = try await records.visitor(token: Self.hash(String(parts[1])))
    else { throw WebError(.unauthorized, "This needs a token that the server's keeper gives out.") }
    var context = context
    context.visitor = visitor
    return try await next(request, context)
  }

  /// What is kept of a token.
  static func hash(_ token: String) -> Data { Data(SHA256.hash(data: Data(token.utf8))) }
}

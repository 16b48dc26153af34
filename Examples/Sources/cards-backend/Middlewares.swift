import Checksums
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Viewfinder
import WebInterface

/// Lets nobody in who has no token, and says who has it.
struct BearerGuard: RouterMiddleware {
  let database: BackendDatabase

  func handle(
    _ request: Request, context: BackendContext,
    next: (Request, BackendContext) async throws -> Response
  ) async throws -> Response {
    let parts = request.headers[.authorization]?.split(separator: " ") ?? []
    guard parts.count == 2, parts[0].lowercased() == "bearer",
      let person = try await database.person(with: String(parts[1]))
    else { throw WebError(.unauthorized, "This needs a token that the server's keeper gives out.") }
    var context = context
    context.person = person
    return try await next(request, context)
  }
}

/// Answers what a route throws with `{"error": "…"}`.
struct ErrorsAsJSON: RouterMiddleware {
  func handle(
    _ request: Request, context: BackendContext,
    next: (Request, BackendContext) async throws -> Response
  ) async throws -> Response {
    do {
      var response = try await next(request, context)
      response.headers[.xContentTypeOptions] = "nosniff"
      return response
    } catch {
      let error = Self.webError(error)
      var response = try Response.json(["error": error.message])
      response.status = error.status
      if error.status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
      // What is still being sent isn't read. A moment later: an end at once could overtake the answer.
      if request.headers[.contentLength].map({ $0 != "0" })
        ?? (request.headers[.transferEncoding] != nil)
      {
        response.headers[.connection] = "close"
        context.channel.eventLoop.scheduleTask(in: .seconds(1)) { [channel = context.channel] in
          channel.close(promise: nil)
        }
      }
      return response
    }
  }

  private static func webError(_ error: any Error) -> WebError {
    switch error {
    case let error as WebError: error
    case CaptureError.cannotWrite(_, ENOSPC), CaptureError.cannotWrite(_, EDQUOT): .diskFull
    case let error as any HTTPResponseError:
      WebError(
        error.status, error.status == .notFound ? "There is nothing here." : "That can't be.")
    default: WebError(.internalServerError, "Something went wrong here.")
    }
  }
}

extension Request {
  /// How much of what is too large is read, so that who sends it gets the answer.
  private static let patience = 64 << 20

  /// The body, if it is no larger than a limit and comes within half a minute.
  func body(upTo limit: Int) async throws -> ByteBuffer {
    let tooLarge = WebError(.contentTooLarge, "That is more than \(limit) bytes, the most for one.")
    let length = headers[.contentLength].flatMap { Int($0) } ?? 0
    if length > limit + Self.patience { throw tooLarge }
    return try await withThrowingTaskGroup(of: ByteBuffer.self) { group in
      group.addTask {
        var (bytes, count) = (ByteBuffer(), 0)
        for try await chunk in body {
          count += chunk.readableBytes
          if count <= limit { bytes.writeImmutableBuffer(chunk) }
          if count > limit + Self.patience { throw tooLarge }
        }
        guard count <= limit else { throw tooLarge }
        return bytes
      }
      group.addTask {
        try await Task.sleep(for: .seconds(30))
        throw WebError(.requestTimeout, "The request came too slowly. Send it again.")
      }
      defer { group.cancelAll() }
      return try await group.next()!
    }
  }
}

extension HTTPField.Name {
  /// What proves a write (RFC 9530).
  static let reprDigest = HTTPField.Name(ReprDigest.name)!
}

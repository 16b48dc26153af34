import Hummingbird
import ViewfinderLibrary
import WebInterface

/// Answers what the library says, with a status for programs.
struct LibraryErrors: RouterMiddleware {
  func handle(
    _ request: Request, context: WebContext,
    next: (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as PhotoLibraryError {
      throw WebError(error.status, error.description)
    }
  }
}

extension PhotoLibraryError {
  fileprivate var status: HTTPResponse.Status {
    switch self {
    case .notFound: .notFound
    case .damaged, .unsupported: .unprocessableContent
    case .invalidRequest: .badRequest
    default: .serviceUnavailable
    }
  }
}

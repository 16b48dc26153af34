import BlockingWork
import Hummingbird

/// Answers requests on threads that may wait for a disk or a database.
struct BlockingRoutes: RouterMiddleware {
  func handle(
    _ request: Request, context: WebContext,
    next: (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    try await withTaskExecutorPreference(BlockingExecutor.shared) {
      try await next(request, context)
    }
  }
}

extension Router<WebContext> {
  /// Routes whose handlers may wait for a disk or a database: they keep nobody else waiting.
  public var blocking: RouterGroup<WebContext> { group().add(middleware: BlockingRoutes()) }
}

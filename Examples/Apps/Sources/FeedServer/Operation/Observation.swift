import HTTPTypes
import Hummingbird
import WebServing

/// Counts requests, and writes a line for each if that is asked for.
///
/// It stands before what turns errors into answers.
struct Observation: RouterMiddleware {
  let metrics: Metrics
  let logsRequests: Bool

  private static let methods: Set<HTTPRequest.Method> = [.get, .head, .put, .patch, .post, .delete]

  func handle(
    _ request: Request, context: FeedContext,
    next: (Request, FeedContext) async throws -> Response
  ) async throws -> Response {
    metrics.begin()
    let start = ContinuousClock.now
    // Whatever a visitor makes up is one word here.
    let method = Self.methods.contains(request.method) ? request.method.rawValue : "other"
    func end(_ status: HTTPResponse.Status) {
      // Who waits for news waits for long.
      let waits = request.uri.queryParameters["wait"] == nil ? "" : "?wait"
      let route = context.endpointPath.map { $0 + waits } ?? "NotFound"
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      metrics.end(method, route, status.code, seconds: seconds)
      guard logsRequests else { return }
      var event = ServerLog.Event("request")
      (event.method, event.route, event.status) = (method, route, status.code)
      event.milliseconds = (seconds * 100_000).rounded() / 100
      ServerLog.write(event)
    }
    do {
      let response = try await next(request, context)
      end(response.status)
      return response
    } catch {
      end(.internalServerError)
      throw error
    }
  }
}

/// Tells the keeper of what visitors can't help.
struct TroubleLog: RouterMiddleware {
  func handle(
    _ request: Request, context: FeedContext,
    next: (Request, FeedContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch {
      let status = WebError(error).status
      let isFull = (error as? WebError)?.message == WebError.diskFull.message
      // A person who has no room left can help it.
      if status.code >= 500, status != .insufficientStorage || isFull, !(error is CancellationError)
      {
        ServerLog.tell(error)
      }
      throw error
    }
  }
}

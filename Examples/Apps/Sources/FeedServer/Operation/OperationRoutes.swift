import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import WebServing

/// What balancers and Prometheus ask, who are nobody's devices.
struct OperationRoutes: Sendable {
  let readiness: Readiness
  let metrics: Metrics
  /// The hash of the token for `/metrics`; nobody gets them without one.
  let metricsToken: Data?

  func add(to router: Router<FeedContext>) {
    router.get("health") { _, _ in try Response.json(["healthy": true]) }
    router.get("ready") { _, _ in
      guard readiness.isReady else {
        throw WebError(.serviceUnavailable, "The database or the store doesn't answer.")
      }
      return try Response.json(["ready": true])
    }
    guard let metricsToken else { return }
    router.get("metrics") { request, _ in
      guard let token = BearerGuard.token(of: request), BearerGuard.hash(token) == metricsToken
      else {
        throw WebError(.unauthorized, "This needs the token of --metrics-token.")
      }
      let text = metrics.text(isReady: readiness.isReady)
      return Response(
        status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
  }
}

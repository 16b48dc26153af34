import Hummingbird
import WebServing

/// Joins and leaves the photo stream; how it is going is part of the state.
struct StreamRoutes: Sendable {
  private struct Place: Decodable {
    var address: String
    var token: String
  }

  private let membership: StreamMembership

  init(_ membership: StreamMembership) { self.membership = membership }

  func add(to router: some RouterMethods<WebContext>) {
    router.post("stream") { request, context in
      let place = try await request.decode(as: Place.self, context: context)
      try await membership.join(place.address, token: place.token)
      return Response(status: .noContent)
    }
    router.post("stream/leave") { _, _ in
      try membership.leave()
      return Response(status: .noContent)
    }
  }
}

import Hummingbird
import Synchronization

/// What is sent to a visitor as long as he likes.
public enum StreamKind: Sendable {
  /// A live picture.
  case pictures
  /// What a page hears of.
  case events
}

/// The answers without an end that a server gives: so many of each kind at a time, so that viewers of a picture neither
/// keep pages from being loaded nor from hearing of what happens.
final class StreamPlaces: Sendable {
  /// Gives a place back when it goes.
  final class Place: Sendable {
    private let kind: StreamKind
    private let places: StreamPlaces

    fileprivate init(_ kind: StreamKind, _ places: StreamPlaces) {
      (self.kind, self.places) = (kind, places)
    }

    deinit { places.taken.withLock { $0[kind, default: 0] -= 1 } }
  }

  private let limits: [StreamKind: Int]
  private let taken = Mutex<[StreamKind: Int]>([:])

  init(_ limits: [StreamKind: Int]) { self.limits = limits }

  /// Takes a place.
  ///
  /// - Throws: ``WebError`` where there is none.
  func take(_ kind: StreamKind) throws(WebError) -> Place {
    let limit = limits[kind] ?? .max
    let isFree = taken.withLock { taken in
      guard taken[kind, default: 0] < limit else { return false }
      taken[kind, default: 0] += 1
      return true
    }
    guard isFree else {
      var error = WebError(
        .serviceUnavailable,
        "\(limit) visitors follow this already, which is the limit. Try again in 10 seconds.",
        code: "busy")
      error.retryAfter = 10
      throw error
    }
    return Place(kind, self)
  }
}

/// Takes a place for an answer without an end.
private struct StreamLimit: RouterMiddleware {
  let kind: StreamKind

  func handle(
    _ request: Request, context: WebContext,
    next: (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    let place = try context.streams?.take(kind)
    var response = try await next(request, context)
    let answer = response.body
    response.body = ResponseBody(contentLength: answer.contentLength) { writer in
      defer { withExtendedLifetime(place) {} }
      try await answer.write(writer)
    }
    return response
  }
}

extension RouterMethods<WebContext> {
  /// Routes whose answers have no end, each of which takes one of the places for such.
  public func streams(_ kind: StreamKind) -> RouterGroup<WebContext> {
    group().add(middleware: StreamLimit(kind: kind))
  }
}

/// Lets the routes of a server share its places.
struct StreamPlacesOfServer: RouterMiddleware {
  let places: StreamPlaces

  func handle(
    _ request: Request, context: WebContext,
    next: (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    var context = context
    context.streams = places
    return try await next(request, context)
  }
}

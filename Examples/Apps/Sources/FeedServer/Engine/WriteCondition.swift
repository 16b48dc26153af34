import HTTPTypes
import WebServing

/// What must hold for a write (RFC 9110, section 13; RFC 6585, section 3).
enum WriteCondition: Sendable {
  /// Nothing is there: `If-None-Match: *`.
  case isMissing
  /// Something is there: `If-Match: *`.
  case isThere
  /// One of these versions is there: `If-Match` with their ETags.
  case isOne(of: Set<Substring>)

  init(_ headers: HTTPFields) throws {
    switch (headers[.ifMatch], headers[.ifNoneMatch]) {
    case (nil, "*"?): self = .isMissing
    case ("*"?, nil): self = .isThere
    case (let tags?, nil):
      // Weak ones never match here, and neither does anything else that isn't an ETag of this server.
      self = .isOne(
        of: Set(
          tags.split(separator: ",").map { Substring($0.trimmingPrefix(while: \.isWhitespace)) }))
    case (nil, nil):
      throw WebError(
        .preconditionRequired,
        "Writes need If-Match with the ETag that is replaced, or If-None-Match: * for a new record."
      )
    default:
      throw WebError(.badRequest, "Send If-Match, or If-None-Match: *, and not both.")
    }
  }

  /// Whether it holds where the present version has a tag, or nothing is there.
  func holds(for tag: String?) -> Bool {
    switch self {
    case .isMissing: tag == nil
    case .isThere: tag != nil
    case .isOne(let tags): tag.map { tags.contains("\"\($0)\"") } ?? false
    }
  }
}

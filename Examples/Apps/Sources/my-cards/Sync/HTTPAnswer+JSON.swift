import CardModel
import FeedClient
import Foundation

extension HTTPAnswer {
  /// The answer's JSON.
  func json(from address: String) throws -> JSONValue {
    do { return try JSONValue(parsing: body) } catch {
      if isPage { throw FeedError.intercepted(address: address) }
      throw FeedError.notUnderstood(address: address, reason: "what it sends isn't JSON")
    }
  }
}

import CardModel
import CardStore
import CardSync
import FeedClient
import Foundation
import ServerSupport
import Testing

@testable import FeedSync

/// A wallet that exchanges its card with servers of the test's.
struct Visit: Sendable {
  let scratch: Scratch
  let store: CardStore

  init() throws {
    scratch = try Scratch()
    store = try scratch.store()
    try store.addCard("mine")
  }

  /// Exchanges with a server, which must fail with an error that is expected, and gives the words.
  func failure(
    _ limits: HTTPLimits = HTTPLimits(), sourceLocation: SourceLocation = #_sourceLocation,
    handler: @escaping TestServer.Handler, throws isExpected: (FeedError) -> Bool
  ) async throws -> (words: String, server: TestServer) {
    let server = try TestServer(handler: handler)
    let backend = FeedClient(cards: server.url, token: "secret-token", limits: limits)
    let sync = CardSync(store, backend)
    var words = ""
    await #expect(sourceLocation: sourceLocation) {
      try await sync.sync()
    } throws: { error in
      words = "\(error)"
      return (error as? FeedError).map(isExpected) == true
    }
    // Nothing is lost, and it still waits.
    #expect(try store.cards().map(\.name) == ["mine"])
    #expect(!words.contains("secret-token") && !words.contains("mine"))
    #expect(try store.link(to: backend.address).waiting().count == 1)
    return (words, server)
  }
}

extension SyncStatus.Phase {
  var isRefused: Bool { if case .refused = self { true } else { false } }
}

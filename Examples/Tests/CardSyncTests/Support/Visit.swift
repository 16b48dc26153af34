import CardModel
import CardStore
import Foundation
import Testing

@testable import CardSync

/// A wallet that exchanges its card with servers of the test's.
struct Visit: Sendable {
  let scratch: Scratch
  let store: CardStore

  init() throws {
    scratch = try Scratch()
    store = try scratch.store()
    try store.addCard("mine")
  }

  /// Exchanges with a server, which must fail, and gives the words.
  func failure(
    _ limits: HTTPLimits = HTTPLimits(), handler: @escaping TestServer.Handler
  ) async throws -> (words: String, server: TestServer) {
    let server = try TestServer(handler: handler)
    let backend = HTTPBackend(url: server.url, token: "secret-token", limits: limits)
    let sync = CardSync(store, backend)
    let error = await #expect(throws: CardSyncError.self) { try await sync.sync() }
    // Nothing is lost, and it still waits.
    #expect(try store.cards().map(\.name) == ["mine"])
    let words = error.map { "\($0)" } ?? ""
    #expect(!words.contains("secret-token") && !words.contains("mine"))
    #expect(try store.link(to: backend.address).waiting().count == 1)
    return (words, server)
  }
}

extension SyncStatus.Phase {
  var isRefused: Bool { if case .refused = self { true } else { false } }
}

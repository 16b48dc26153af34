import CardModel
import CardStore
import CardSync
import FeedClient
import Foundation
import ServerSupport
import Testing

@testable import FeedSync

/// Two wallets of one person, a backend, and a network between them.
struct TwoWallets: Sendable {
  let scratch: Scratch
  let backend: Backend
  let proxy: Proxy
  let first: CardStore
  let second: CardStore
  let firstSync: CardSync
  let secondSync: CardSync

  init() async throws {
    scratch = try Scratch()
    backend = try await Backend(in: scratch.url)
    proxy = try Proxy(to: backend.process.port)
    (first, second) = (try scratch.store("first"), try scratch.store("second"))
    let client = FeedClient(cards: proxy.url, token: backend.token)
    (firstSync, secondSync) = (CardSync(first, client), CardSync(second, client))
  }

  /// Exchanges until both wallets have all, in which they agree.
  func exchangeAll() async throws {
    for sync in [firstSync, secondSync, firstSync, secondSync] { try await sync.sync() }
    #expect(try first.state() == second.state())
  }
}

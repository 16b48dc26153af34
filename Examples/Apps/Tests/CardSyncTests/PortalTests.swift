import CardModel
import CardStore
import CardSync
import FeedClient
import Foundation
import ServerSupport
import Synchronization
import Testing

@testable import FeedSync

/// A network that answers in the server's place until somebody signs in.
@Suite("A captive portal")
struct PortalTests {
  /// Passes requests on, but for those that are as given while the portal is closed.
  private final class Portal: Sendable {
    let isOpen = Flag()
    let server: TestServer

    init(
      before backend: Backend, answering isCaught: @escaping @Sendable (TestRequest) -> Bool
    ) throws {
      let (isOpen, proxy) = (isOpen, try Proxy(to: backend.process.port))
      server = try TestServer { request, connection in
        guard isOpen.isSet || !isCaught(request) else {
          // As a page with a strong ETag comes from any web server.
          return connection.answer(
            "200 OK", request.method == "HEAD" ? "" : "<html>Sign in</html>",
            fields: ["Content-Type: text/html", "ETag: \"65a1-2f\""])
        }
        guard let next = Connection(port: proxy.server.port) else { return }
        next.send(request.data)
        connection.send(next.receiveAll())
        connection.awaitEnd()
      }
    }
  }

  @Test(
    "Its page counts for nothing, whatever it answers, and is told; behind it all is sent",
    arguments: ["GET /v1/records", "PUT /v1/records", "HEAD /v1/pictures", "PUT /v1/pictures"])
  func page(caught: String) async throws {
    let scratch = try Scratch()
    let backend = try await Backend(in: scratch.url)
    let portal = try Portal(before: backend) { "\($0.method) \($0.target)".hasPrefix(caught) }
    let store = try scratch.store()
    try store.addCard("mine")
    let client = FeedClient(cards: portal.server.url, token: backend.token)
    let sync = CardSync(store, client)
    await #expect { try await sync.sync() } throws: { error in
      guard case FeedError.intercepted = error else { return false }
      return "\(error)".contains("sign in")
    }
    // A card goes before its two pictures.
    let link = try store.link(to: client.address)
    #expect(
      try caught.hasSuffix("pictures")
        ? link.waitingBlobs().count == 2 : link.waiting().count == 1)
    portal.isOpen.set()
    try await sync.sync()
    let other = try scratch.store("other")
    try await CardSync(other, backend.client()).sync()
    let card = try #require(try other.cards().first)
    #expect(card.name == "mine" && card.pictures.allSatisfy(other.hasPicture))
  }
}

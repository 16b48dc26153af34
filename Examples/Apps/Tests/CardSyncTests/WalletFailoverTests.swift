import CardModel
import CardStore
import CardSync
import FeedClient
import FeedSync
import Foundation
import ServerSupport
import Testing

@Suite(
  "A backend whose database another takes the place of", .serialized, .timeLimit(.minutes(2)),
  .enabled("Tests/with-postgres starts PostgreSQL") { TestPostgres.address != nil })
struct WalletFailoverTests {
  private let scratch: Scratch
  private let databases: PostgresPair
  private let options: [String]

  init() async throws {
    scratch = try Scratch()
    databases = try await PostgresPair()
    options = ["--data", scratch.url.appending(component: "backend").path] + databases.options
  }

  @Test(
    "What a standby never had is sent again, whether the wallet had seen it listed or not",
    arguments: [true, false])
  func asynchronous(isListed: Bool) async throws {
    let failure = await #expect(throws: ServerProcess.Failure.self) {
      _ = try await ServerProcess("cards-backend", options + ["--add-token", "anna"])
    }
    let token = try #require(failure?.description)
    let server = try await ServerProcess("cards-backend", options)
    let proxy = try Proxy(to: server.port)
    let client = FeedClient(cards: proxy.url, token: token)
    let (first, second) = (try scratch.store("first"), try scratch.store("second"))
    let (sync, other) = (CardSync(first, client), CardSync(second, client))
    let card = try first.addCard("old")
    for exchange in [sync, other] { try await exchange.sync() }
    try await databases.silence()
    try first.edit(card.id) { $0.name = "new" }
    try first.addCard("added") { ($0.front, $0.back) = (card.front, card.back) }
    if isListed {
      try await sync.sync()
    } else {
      // What is new, and two writes that are acknowledged.
      proxy.plan = [.pass, .pass, .pass, .cut]
      await #expect(throws: FeedError.self) { try await sync.sync() }
    }
    #expect(try first.link(to: client.address).waiting().isEmpty)
    try databases.failOver()
    for exchange in [sync, other] { try await exchange.sync() }
    #expect(try second.cards().map(\.name) == ["added", "new"])
    #expect(try first.keptCopies(of: nil).isEmpty)
    #expect(await server.end() == 0)
  }
}

import CardModel
import CardStore
import CardSync
import FeedClient
import Foundation
import ServerSupport
import Testing

@testable import FeedSync

@Suite("An exchange that runs", .serialized)
struct RunningTests {
  private let world: TwoWallets

  init() async throws { world = try await TwoWallets() }

  @Test("Who runs sends edits at once, and comes back with longer and longer pauses after failures")
  func running() async throws {
    var options = CardSync.Options()
    options.firstPause = .milliseconds(20)
    let sync = CardSync(
      store: world.first, source: FeedClient(cards: world.proxy.url, token: world.backend.token),
      target: FeedClient(cards: world.proxy.url, token: world.backend.token), options: options)
    world.proxy.plan = Array(repeating: .cut, count: 4)
    let card = try world.first.addCard("a")
    let task = Task { await sync.run() }
    try await wait("the first wallet to have sent all") {
      try world.first.link(to: HTTPExchange.name(of: world.proxy.url)).waiting().isEmpty
    }
    #expect(world.proxy.count.cuts == 4)
    try world.first.edit(card.id) { $0.name = "b" }
    try await wait("the edit") {
      try await world.secondSync.sync()
      return try world.second.cards().map(\.name) == ["b"]
    }
    task.cancel()
    await task.value
  }

  @Test("Retry-After is honoured")
  func retryAfter() async throws {
    let server = try TestServer { $1.answer("503 Busy", fields: ["Retry-After: 120"]) }
    let sync = CardSync(world.first, FeedClient(cards: server.url, token: "t"))
    await #expect { try await sync.sync() } throws: { error in
      guard case FeedError.failed(_, 503, _, let pause) = error else { return false }
      return pause == .seconds(120)
    }
    guard case .waiting(let until, let reason) = sync.status.phase else {
      Issue.record("\(sync.status.phase)")
      return
    }
    #expect(until.timeIntervalSinceNow > 110)
    #expect(reason.message.contains("503") && reason.code == "serverFails")
  }

  @Test("Pauses double up to the longest, with jitter")
  func pauses() {
    var pause = Pause(first: .seconds(1), longest: .seconds(300))
    for full in [1.0, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
      let next = pause.next() / .seconds(1)
      #expect(next >= full / 2 && next <= full)
    }
    pause.reset()
    #expect(pause.next() <= .seconds(1))
    #expect(pause.next(atLeast: .seconds(9)) == .seconds(9))
  }
}

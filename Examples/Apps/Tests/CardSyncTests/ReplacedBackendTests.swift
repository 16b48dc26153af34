import CardModel
import CardStore
import CardSync
import FeedClient
import Foundation
import ServerSupport
import Testing

@testable import FeedSync

@Suite("A backend that isn't what it was", .serialized)
struct ReplacedBackendTests {
  private let world: TwoWallets

  init() async throws { world = try await TwoWallets() }

  @Test("A backend that was replaced is filled again, and no delete comes back")
  func replaced() async throws {
    let stays = try world.first.addCard("stays")
    let goes = try world.first.addCard("goes")
    try await world.exchangeAll()
    let other = try await Backend(in: world.scratch.url.appending(component: "replacement"))
    // The other one has the deleted card still.
    let wallet = try world.scratch.store("third")
    try wallet.addCard("third")
    let record = try #require(try world.first.records().first { $0.id == goes.id })
    try world.first.delete(goes.id)
    try await world.exchangeAll()
    _ = try await other.client().put(record.data, id: record.id, replacing: nil)
    try await CardSync(wallet, other.client()).sync()
    #expect(try wallet.cards().map(\.name) == ["goes", "third"])
    world.proxy.redirect(to: other.process.port)
    let client = FeedClient(cards: world.proxy.url, token: other.token)
    for _ in 0..<2 {
      for store in [world.first, world.second] { try await CardSync(store, client).sync() }
      try await CardSync(wallet, other.client()).sync()
    }
    for store in [world.first, world.second, wallet] {
      #expect(try store.cards().map(\.name) == ["stays", "third"])
    }
    #expect(try world.first.card(stays.id) == stays)
    #expect(try world.first.keptCopies(of: nil).isEmpty)
  }

  @Test("A write that was acknowledged is sent again when the server lost it before it was listed")
  func lostWrites() async throws {
    let (card, gone) = (try world.first.addCard("old"), try world.first.addCard("gone"))
    try await world.exchangeAll()
    let copy = world.scratch.url.appending(component: "standby")
    _ = await world.backend.process.end()
    try FeedServerProcess.copy(world.backend.folder, to: copy)
    let process = try await Backend.start(world.backend.folder)
    world.proxy.redirect(to: process.port)
    try world.first.edit(card.id) { $0.name = "new" }
    try world.first.delete(gone.id)
    try world.first.addCard("added") { ($0.front, $0.back) = (card.front, card.back) }
    // What is new, and three writes; then the server is gone.
    world.proxy.plan = Array(repeating: .pass, count: 4) + [.cut]
    await #expect(throws: FeedError.self) { try await world.firstSync.sync() }
    let link = try world.first.link(to: HTTPExchange.name(of: world.proxy.url))
    #expect(try link.waiting().isEmpty)
    _ = await process.end()
    let standby = try await Backend.start(copy)
    world.proxy.redirect(to: standby.port)
    try await world.exchangeAll()
    #expect(try world.second.cards().map(\.name) == ["added", "new"])
    #expect(try world.first.keptCopies(of: nil).isEmpty)
    // Nothing is sent twice.
    world.proxy.server.forgetRequests()
    try await world.firstSync.sync()
    #expect(world.proxy.server.requests.count == 1)
  }

  @Test("A backend restored from a backup gets again what came after it, and nothing is kept")
  func restored() async throws {
    let card = try world.first.addCard("old")
    try await world.exchangeAll()
    let copy = world.scratch.url.appending(component: "backup")
    _ = await world.backend.process.end()
    try FeedServerProcess.copy(world.backend.folder, to: copy)
    let process = try await Backend.start(world.backend.folder)
    world.proxy.redirect(to: process.port)
    try world.first.edit(card.id) { $0.name = "new" }
    let late = try world.second.addCard("late")
    try await world.exchangeAll()
    _ = await process.end()
    let restored = try await Backend.start(copy)
    world.proxy.redirect(to: restored.port)
    try await world.exchangeAll()
    #expect(try world.first.cards().map(\.name) == ["late", "new"])
    #expect(try world.first.keptCopies(of: nil).isEmpty)
    let third = try world.scratch.store("third")
    try await CardSync(third, FeedClient(cards: world.proxy.url, token: world.backend.token)).sync()
    #expect(try third.cards().map(\.name) == ["late", "new"])
    #expect(try third.card(late.id) == late)
  }
}

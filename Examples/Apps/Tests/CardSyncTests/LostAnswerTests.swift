import CardModel
import CardStore
import FeedClient
import Foundation
import Testing

@testable import FeedSync

@Suite("Answers that are lost", .serialized)
struct LostAnswerTests {
  private let world: TwoWallets

  init() async throws { world = try await TwoWallets() }

  @Test("After a lost answer the card is there once, with all edits, and nothing is kept")
  func lostAnswer() async throws {
    let card = try world.first.addCard("a")
    // Whose the cards are, what is new, and whether conditions count.
    world.proxy.plan = Array(repeating: .pass, count: 6) + [.loseAnswer]
    await #expect { try await world.firstSync.sync() } throws: { error in
      if case FeedError.unreachable = error { true } else { false }
    }
    #expect(
      try await world.backend.client().changes(since: nil).entries.filter {
        $0.id == card.id
      }
      .count == 1)
    try world.first.edit(card.id) { $0.name = "b" }
    try await world.exchangeAll()
    #expect(try world.second.cards().map(\.name) == ["b"])
    #expect(try world.first.keptCopies(of: nil).isEmpty)
  }

  @Test("Somebody who takes back what arrived without an answer isn't overruled by it")
  func setBackAfterLostAnswer() async throws {
    let card = try world.first.addCard("a")
    try await world.exchangeAll()
    try world.first.edit(card.id) { $0.starStatus = true }
    world.proxy.plan = [.pass, .loseAnswer]
    await #expect { try await world.firstSync.sync() } throws: { error in
      if case FeedError.unreachable = error { true } else { false }
    }
    try await world.secondSync.sync()
    #expect(try world.second.card(card.id)?.starStatus == true)
    try world.second.edit(card.id) { $0.starStatus = false }
    try await world.secondSync.sync()
    // The first wallet goes on meanwhile.
    try world.first.edit(card.id) { $0.note = "more" }
    try await world.exchangeAll()
    #expect(try world.first.card(card.id)?.starStatus == false)
    #expect(try world.second.card(card.id)?.note == "more")
    #expect(try world.first.keptCopies(of: nil).isEmpty)
  }
}

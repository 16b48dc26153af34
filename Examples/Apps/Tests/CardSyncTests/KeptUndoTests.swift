import CardModel
import Foundation
import Testing

@testable import CardStore
@testable import FeedSync

@Suite("A choice between two devices' values that is taken back", .serialized)
struct KeptUndoTests {
  private let world: TwoWallets
  private let card: UUID
  private var first: CardStore { world.first }
  private var second: CardStore { world.second }

  /// Both changed the note and the number; of the first wallet's values all won.
  init() async throws {
    world = try await TwoWallets()
    card = try world.first.addCard("a").id
    try await world.exchangeAll()
    try world.first.edit(card) { ($0.note, $0.cardId) = ("first", "1") }
    try world.second.edit(card) { ($0.note, $0.cardId) = ("second", "2") }
    try await world.exchangeAll()
    #expect(try world.first.keptCopies(of: card).count == 2)
  }

  /// What there is to choose from: each value once, by the field.
  private func conflicts(_ store: CardStore) throws -> [String: [String]] {
    let members = try #require(try store.card(card)).members
    var values: [String: Set<String>] = [:]
    for copy in try store.keptCopies(of: card) {
      let field = try #require(copy.field)
      let isNew = values[field, default: [members[field]?.text ?? ""]]
        .insert(copy.value.text ?? "").inserted
      #expect(isNew)
    }
    return values.mapValues { $0.sorted() }
  }

  private static let both = ["note": ["first", "second"], "cardId": ["1", "2"]]

  /// Chooses as a page does, and gives what takes it back, by way of the page.
  private func choose(_ choice: KeptChoice, in store: CardStore) throws -> [KeptUndo] {
    let undo = try store.settle(try store.keptCopies(of: card).map { ($0, choice) })
    return try undo.map { try #require(KeptUndo(try JSONValue(parsing: $0.json.data))) }
  }

  @Test(
    "The conflict is there again with both values, before others know of the choice and after",
    arguments: [KeptChoice.use, .dismiss], [false, true])
  func takenBack(choice: KeptChoice, isSent: Bool) async throws {
    let before = try #require(try first.records().first)
    let undo = try choose(choice, in: first)
    #expect(undo.count == 2)
    #expect(try conflicts(first).isEmpty)
    let note = choice == .use ? "second" : "first"
    #expect(try first.card(card)?.note == note)
    if isSent {
      try await world.exchangeAll()
      #expect(try second.card(card)?.note == note)
      #expect(try conflicts(second).isEmpty)
    }
    try first.undo(undo)
    let after = try #require(try first.records().first)
    #expect(after.members == before.members && after.kept == before.kept)
    try await world.exchangeAll()
    for store in [first, second] { #expect(try conflicts(store) == Self.both) }
    // Whose values they are is known as before.
    let copies = try first.keptCopies(of: card)
    #expect(copies.map(\.wallet) == [second.device, second.device])
    #expect(copies.map(\.winner) == [first.device, first.device])
  }

  @Test(
    "A value that came since stands, and both of before are kept beside it",
    arguments: [KeptChoice.use, .dismiss])
  func changedSince(choice: KeptChoice) async throws {
    let undo = try choose(choice, in: first)
    try await world.exchangeAll()
    try second.edit(card) { $0.note = "third" }
    try await world.exchangeAll()
    try first.undo(undo)
    try await world.exchangeAll()
    for store in [first, second] {
      #expect(try store.card(card)?.note == "third")
      #expect(try conflicts(store)["note"] == ["first", "second", "third"])
      #expect(try conflicts(store)["cardId"] == ["1", "2"])
    }
  }

  @Test("What another device chose otherwise meanwhile loses no value, and none stands twice")
  func chosenElsewhere() async throws {
    let undo = try choose(.dismiss, in: first)
    _ = try choose(.use, in: second)
    try await world.exchangeAll()
    try first.undo(undo)
    try await world.exchangeAll()
    for store in [first, second] {
      #expect(try store.card(card)?.note == "second")
      #expect(try conflicts(store) == Self.both)
    }
  }

  @Test("After a delete nothing is changed, and the error says so")
  func deletedSince() async throws {
    let undo = try choose(.use, in: first)
    try first.delete(card)
    let before = try first.state()
    #expect(throws: CardStoreError.deleted) { try first.undo(undo) }
    #expect(try first.state() == before)
  }

  @Test("A card that was let go after it was deleted elsewhere can be chosen again")
  func wholeCard() async throws {
    try first.edit(card) { $0.note = "edited" }
    try second.delete(card)
    try await world.secondSync.sync()
    try await world.firstSync.sync()
    let copy = try #require(try first.keptCopies(of: card).first { $0.field == nil })
    #expect(copy.isOwn && copy.winner == second.device)
    let undo = try first.settle([(copy, .dismiss)])
    try await world.exchangeAll()
    try first.undo(undo)
    try await world.exchangeAll()
    let again = try #require(try first.keptCopies(of: card).first { $0.field == nil })
    #expect(again.value == copy.value && again.isOwn)
    // One that is kept is a card of its own.
    #expect(try first.settle([(again, .use)]).isEmpty)
    #expect(try first.cards().map(\.note) == ["edited"])
  }

  @Test(
    "What isn't a choice is none", arguments: ["1", "{}", #"{"card":"x","kept":{"edit":"e"}}"#])
  func noChoice(text: String) throws {
    #expect(KeptUndo(try JSONValue(parsing: Data(text.utf8))) == nil)
  }
}

import CardModel
import Foundation
import ServerSupport
import Testing

@testable import CardStore

@Suite("The store")
struct CardStoreTests {
  private let scratch: Scratch
  private let store: CardStore

  init() throws {
    scratch = try Scratch()
    store = try scratch.store()
  }

  @Test("A card is there again after the program ended, with members that nobody knows")
  func survives() throws {
    let card = try store.addCard("Café") { $0.members["points"] = .number(12) }
    let again = try scratch.store()
    #expect(try again.card(card.id) == card)
    #expect(try again.cards() == [card])
  }

  @Test("Starred cards come first, then names without case and accents; archived ones on demand")
  func order() throws {
    for name in ["école", "Zebra", "apple", "Éclair", "eclipse"] { try store.addCard(name) }
    try store.addCard("starred") { $0.starStatus = true }
    try store.addCard("old") { $0.archiveStatus = true }
    let names = ["starred", "apple", "Éclair", "eclipse", "école", "Zebra"]
    #expect(try store.cards().map(\.name) == names)
    var filter = CardStore.Filter()
    filter.isArchived = true
    #expect(try store.cards(filter).map(\.name) == ["old"])
    filter.isArchived = nil
    #expect(try store.cards(filter).count == 7)
  }

  @Test(
    "A search looks into name, note, number and groups, for each word",
    arguments: [
      ("creme", 1), ("CRÈME brulee", 1), ("4711", 1), ("food", 1), ("sweet 47", 1),
      ("sweet xyz", 0),
      ("%", 0), ("_", 0), ("'", 0), ("  ", 1),
    ])
  func search(text: String, count: Int) throws {
    try store.addCard("Crème Brûlée") { card in
      card.note = "sweet"
      card.cardId = "4711"
      card.groups = ["Food"]
    }
    var filter = CardStore.Filter()
    filter.text = text
    #expect(try store.cards(filter).count == count)
  }

  @Test("Groups are counted without archived and deleted cards")
  func groups() throws {
    let card = try store.addCard("a") { $0.groups = ["Food", "été"] }
    try store.addCard("b") { $0.groups = ["Food"] }
    try store.addCard("c") { card in
      card.groups = ["Food"]
      card.archiveStatus = true
    }
    #expect(try store.groups().map(\.name) == ["été", "Food"])
    #expect(try store.groups().map(\.count) == [1, 2])
    try store.delete(card.id)
    #expect(try store.groups().map(\.name) == ["Food"])
    var filter = CardStore.Filter()
    filter.group = "Food"
    #expect(try store.cards(filter).map(\.name) == ["b"])
  }

  @Test("What isn't a valid card isn't saved, and the words say why")
  func incomplete() throws {
    #expect(throws: CardStoreError.incomplete([.noName])) {
      try store.save(Card())
    }
    var card = try store.addCard("a")
    card.name = String(repeating: "ä", count: 10_000)
    let error = CardStoreError.incomplete([
      .tooLong(field: "name", characters: 10_000, limit: 200)
    ])
    #expect(throws: error) { try store.save(card) }
    #expect(error.description == "The name has 10000 characters; make it 200 at most.")
    #expect(try store.cards().map(\.name) == ["a"])
  }

  @Test("A card whose photo isn't there isn't saved, unless it was missing before")
  func missingPicture() throws {
    var card = try store.addCard("a")
    let hash = PictureHash(of: Data("nowhere".utf8))
    card.front = CardPicture(picture: hash)
    #expect(throws: CardStoreError.missingPicture(hash)) { try store.save(card) }
    let link = try store.link(to: "x")
    let record = CardRecord(id: card.id, edit: "other", members: card.members)
    _ = try link.receive(CardVersion(record: record, etag: "1"))
    #expect(try link.wantedBlobs() == [hash])
    card.name = "b"
    try store.save(card)
    #expect(try store.card(card.id)?.name == "b")
  }

  @Test("Members of the exchange can't be smuggled in with a card")
  func reserved() throws {
    let card = try store.addCard("a") { card in
      card.members["deleted"] = .bool(true)
      card.members["edit"] = "forged"
      card.members["kept"] = .array([.null])
    }
    #expect(try store.card(card.id)?.name == "a")
    #expect(try store.records().first?.edit != "forged")
    #expect(try store.keptCopies(of: nil).isEmpty)
  }

  @Test("Whoever watches hears at once and after each change")
  func changes() async throws {
    var changes = store.changes().makeAsyncIterator()
    await changes.next()
    let card = try store.addCard("a")
    await changes.next()
    try store.delete(card.id)
    await changes.next()
  }

  @Test("A thousand cards are listed by name; how long that takes is printed")
  func thousandCards() throws {
    let front = CardPicture(picture: try store.addPicture(TestJPEG.make()))
    try store.change { table in
      for number in 0..<1000 {
        var card = Card()
        card.name = "Card \(number * 7919 % 1000)"
        card.note = String(repeating: "A note of some length. ", count: 5)
        card.cardId = "\(4_000_000_000_000 + number)"
        card.groups = ["Group \(number % 10)"]
        (card.front, card.back, card.lastUsed) = (front, front, Date())
        try table.putSigned(CardRecord(id: card.id, members: card.members))
      }
    }
    let fresh = try scratch.store()
    let times = try (0..<6).map { _ in
      try ContinuousClock().measure { _ = try fresh.cards() }
    }
    let names = try fresh.cards().map(\.name)
    #expect(names.count == 1000 && names == names.sorted())
    let median = times.dropFirst().sorted()[2]
    print("1,000 cards listed in \(median), the first time in \(times[0])")
  }
}

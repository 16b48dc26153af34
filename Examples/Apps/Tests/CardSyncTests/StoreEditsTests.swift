import CardModel
import Foundation
import ServerSupport
import Testing

@testable import CardStore

@Suite("Edits that cross in the store")
struct StoreEditsTests {
  private let scratch: Scratch
  private let store: CardStore

  init() throws {
    scratch = try Scratch()
    store = try scratch.store()
  }

  @Test("A delete can be undone: the same card before its tombstone was sent, another one after")
  func undelete() throws {
    let link = try store.link(to: "x")
    let card = try store.addCard("a")
    try store.delete(card.id)
    #expect(try store.card(card.id) == nil)
    #expect(throws: CardStoreError.deleted) { try store.save(card) }
    #expect(try store.undelete(card.id) == card)
    #expect(try store.undelete(card.id) == nil)
    try store.delete(card.id)
    let tombstone = try #require(try link.next(card.id)).record
    #expect(try link.offer(tombstone))
    let copy = try #require(try store.undelete(card.id))
    #expect(copy.id != card.id)
    #expect(copy.members == card.members)
    #expect(try store.cards() == [copy])
    #expect(try store.undelete(card.id) == nil)
  }

  @Test("What was deleted is listed, the last first, until it is brought back or given up")
  func deleted() throws {
    let clock = Date(timeIntervalSince1970: 1_700_000_000)
    let store = try CardStore(folder: scratch.url.appending(component: "listed")) { clock }
    let cards = try ["a", "b", "c"].map { try store.addCard($0) }
    for card in cards { try store.delete(card.id) }
    let listed = try store.deletedCards()
    #expect(Set(listed.map(\.card)) == Set(cards))
    #expect(listed.allSatisfy { $0.date == clock && $0.end == clock + 30 * 86_400 })
    #expect(try store.undelete(cards[0].id) == cards[0])
    try store.forgetDeleted([cards[1].id])
    #expect(try store.deletedCards().map(\.card) == [cards[2]])
    #expect(try store.undelete(cards[1].id) == nil)
    try store.forgetDeleted()
    #expect(try store.deletedCards().isEmpty && store.cards() == [cards[0]])
  }

  @Test("What is saved of a deleted card says that it was deleted, also when it isn't whole")
  func savedAfterDelete() throws {
    let card = try store.addCard("a")
    try store.delete(card.id)
    #expect(throws: CardStoreError.deleted) { try store.save(Card(id: card.id)) }
  }

  @Test(
    "A deleted card can be brought back for thirty days, though the clock was wrong once",
    arguments: [
      // Deleted before the clock was set; looked at by a clock that is far ahead, and then right again.
      (1.0, [20_000.0, 20_029], 20_031.0), (20_000, [30_000, 20_001, 20_029], 20_062.5),
    ])
  func wrongClock(deleted: Double, looks: [Double], end: Double) throws {
    let folder = scratch.url.appending(component: "clocks")
    func open(_ day: Double) throws -> CardStore {
      try CardStore(folder: folder) { Date(timeIntervalSince1970: day * 86_400) }
    }
    let store = try open(deleted)
    let (card, other) = (try store.addCard("a"), try store.addCard("b"))
    for id in [card.id, other.id] { try store.delete(id) }
    for day in looks { _ = try open(day) }
    #expect(try open(looks.last ?? 0).undelete(card.id) == card)
    _ = try open(end - 31)
    _ = try open(end - 30.5)
    #expect(try open(end).undelete(other.id) == nil)
  }

  @Test("A tombstone holds nothing of the card")
  func tombstone() throws {
    let card = try store.addCard("secret")
    try store.delete(card.id)
    let record = try #require(try store.records().first)
    #expect(record.isDeleted && record.members.isEmpty && record.kept.isEmpty)
  }

  @Test("What came while the person was editing isn't overwritten unseen")
  func changedMeanwhile() throws {
    let shown = try store.addCard("a") { $0.note = "old" }
    try store.edit(shown.id) { card in
      card.name = "came"
      card.cardId = "came"
    }
    var card = shown
    card.name = "typed"
    card.note = "typed"
    try store.save(card, changedFrom: shown)
    let saved = try #require(try store.card(shown.id))
    #expect([saved.name, saved.note, saved.cardId] == ["typed", "typed", "came"])
    let kept = try store.keptCopies(of: shown.id)
    #expect(kept.map(\.field) == ["name"])
    #expect(kept.map(\.value) == ["came"])
  }

  @Test("A kept value can be taken or dismissed, each an edit that waits to be sent")
  func keptCopies() throws {
    let link = try store.link(to: "x")
    let card = try store.addCard("a")
    let theirs = CardRecord(
      id: card.id, edit: "other",
      members: card.members.merging(["name": "b", "note": "b"]) { $1 })
    try store.edit(card.id) { $0.note = "mine" }
    _ = try link.receive(CardVersion(record: theirs, etag: "1"))
    #expect(try store.card(card.id)?.name == "b")
    let copies = try store.keptCopies(of: nil)
    #expect(copies.map(\.field) == ["name", "note"])
    #expect(copies.allSatisfy { $0.card == card.id && $0.name == "b" && $0.date != nil })
    try store.use(copies[0])
    try store.dismiss(copies[1])
    #expect(try store.card(card.id)?.name == "a")
    #expect(try store.card(card.id)?.note == "b")
    #expect(try store.keptCopies(of: card.id).isEmpty)
    #expect(try link.waiting() == [card.id])
    try store.use(copies[1])
    #expect(try store.card(card.id)?.note == "b")
  }

  @Test("A card that was edited here and deleted elsewhere comes back as another one, on demand")
  func keptCard() throws {
    let link = try store.link(to: "x")
    let card = try store.addCard("edited")
    let tombstone = CardRecord(id: card.id, edit: "other", isDeleted: true)
    _ = try link.receive(CardVersion(record: tombstone, etag: "1"))
    #expect(try store.cards().isEmpty)
    let copy = try #require(try store.keptCopies(of: nil).first)
    #expect(copy.field == nil && copy.name == "edited")
    let back = try #require(try store.use(copy))
    #expect(back.id != card.id && back.members == card.members)
    #expect(try store.keptCopies(of: nil).isEmpty)
  }

  @Test("What is remembered of a card's versions, and of wallets, has a limit; the newest stay")
  func bounded() throws {
    let scratch = try Scratch()
    let store = try scratch.store()
    let card = try store.addCard("a")
    var versions: [CardRecord] = []
    for number in 0..<RecordTable.memory + 20 {
      try store.edit(card.id) { $0.note = "\(number)" }
      versions.append(try #require(try store.records().first))
    }
    try store.look { table in
      let count = try Int.fetchOne(table.db, sql: "SELECT count(*) FROM seen")
      #expect(count == RecordTable.memory)
      #expect(try table.hasSeen(versions[20]) && table.hasSeen(versions[versions.count - 1]))
      #expect(try !table.hasSeen(versions[0]))
    }
    var record = versions[0]
    for number in 0..<100 { record.sign(by: "wallet \(number)") }
    #expect(record.edits.count == CardRecord.maximumEdits)
    #expect(record.edits["wallet 99"] == record.edit)
  }
}

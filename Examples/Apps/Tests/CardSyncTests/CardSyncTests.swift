import CardModel
import CardStore
import CardSync
import FeedClient
import Foundation
import Testing

@testable import FeedSync

@Suite("Two wallets and a backend", .serialized)
struct CardSyncTests {
  private let world: TwoWallets

  init() async throws { world = try await TwoWallets() }

  @Test("A card with its photos is in the other wallet, and a delete takes it away")
  func roundTrip() async throws {
    let card = try world.first.addCard("a") {
      $0.members["unknown"] = .object(["x": .array([.null])])
    }
    let report = try await world.firstSync.sync()
    #expect(report.uploaded == 1 && report.blobsUploaded == 2)
    try await world.secondSync.sync()
    #expect(try world.second.cards() == [card])
    for hash in card.pictures {
      #expect(try world.second.picture(hash) == world.first.picture(hash))
    }
    try world.second.delete(card.id)
    try await world.exchangeAll()
    #expect(try world.first.cards().isEmpty)
    #expect(world.firstSync.status.phase == .idle && world.firstSync.status.lastSuccess != nil)
  }

  @Test("A thousand cards are exchanged, and then nothing new is one request")
  func oneRequest() async throws {
    let pictures = (
      try world.first.addPicture(TestJPEG.make()), try world.first.addPicture(TestJPEG.make())
    )
    for number in 0..<1000 {
      var card = Card()
      card.name = "Card \(number)"
      card.front = CardPicture(picture: pictures.0)
      card.back = CardPicture(picture: pictures.1)
      try world.first.save(card)
    }
    try await world.firstSync.sync()
    try await world.secondSync.sync()
    #expect(try world.second.cards().count == 1000)
    try await world.firstSync.sync()
    world.proxy.server.forgetRequests()
    let time = try await ContinuousClock().measure { try await world.secondSync.sync() }
    #expect(world.proxy.server.requests.count == 1)
    print("Nothing new among 1,000 cards: one request, \(time)")
    world.proxy.server.forgetRequests()
    try await world.firstSync.sync()
    #expect(world.proxy.server.requests.count == 1)
  }

  @Test("Edits of different fields are both there; of the same field one stands and one is kept")
  func merges() async throws {
    let card = try world.first.addCard("a")
    try await world.exchangeAll()
    try world.first.edit(card.id) { card in
      card.note = "first"
      card.name = "first"
      card.groups = ["x"]
    }
    try world.second.edit(card.id) { card in
      card.cardId = "second"
      card.name = "second"
      card.groups = ["y"]
    }
    try await world.exchangeAll()
    let merged = try #require(try world.first.card(card.id))
    #expect([merged.note, merged.cardId, merged.name] == ["first", "second", "first"])
    #expect(merged.groups == ["x", "y"])
    for store in [world.first, world.second] {
      let copies = try store.keptCopies(of: card.id)
      #expect(copies.map(\.value) == ["second"])
    }
    #expect(try world.second.keptCopies(of: card.id).map(\.isOwn) == [true])
    #expect(try world.first.keptCopies(of: card.id).map(\.isOwn) == [false])
    // Dismissing it is an edit as well.
    try world.second.dismiss(try #require(try world.second.keptCopies(of: card.id).first))
    try await world.exchangeAll()
    #expect(try world.first.keptCopies(of: nil).isEmpty)
  }

  @Test(
    "Deleting and undoing loses no kept value, before others know of it and after",
    arguments: [false, true])
  func undoneDelete(isSent: Bool) async throws {
    let card = try world.first.addCard("a")
    try await world.exchangeAll()
    try world.first.edit(card.id) { $0.note = "first" }
    try world.second.edit(card.id) { $0.note = "second" }
    try await world.exchangeAll()
    let kept = try world.first.keptCopies(of: nil).map(\.value)
    #expect(kept.count == 1)
    try world.first.delete(card.id)
    if isSent { try await world.exchangeAll() }
    let back = try #require(try world.first.undelete(card.id))
    #expect((back.id == card.id) == !isSent)
    try await world.exchangeAll()
    for store in [world.first, world.second] {
      #expect(try store.keptCopies(of: back.id).map(\.value) == kept)
    }
  }

  @Test("An edit that meets a delete is kept, and the delete doesn't come back")
  func editMeetsDelete() async throws {
    let card = try world.first.addCard("a")
    try await world.exchangeAll()
    try world.first.delete(card.id)
    try world.second.edit(card.id) { $0.note = "edited" }
    try await world.exchangeAll()
    #expect(try world.first.cards().isEmpty && world.second.cards().isEmpty)
    // Who changed it is told; who deleted it knows.
    #expect(try world.second.keptCopies(of: nil).map(\.isOwn) == [true])
    #expect(try world.first.keptCopies(of: nil).map(\.isOwn) == [false])
    let copy = try #require(try world.first.keptCopies(of: nil).first)
    #expect(copy.value.object?["note"]?.text == "edited")
    let back = try #require(try world.first.use(copy))
    try await world.exchangeAll()
    #expect(try world.second.cards() == [back])
    #expect(back.id != card.id)
  }

  @Test("What was refused is sent again by itself, when its time has come")
  func refusedAgain() async throws {
    var options = CardSync.Options()
    (options.refusalPause, options.longestRefusalPause) = (.zero, .zero)
    let client = FeedClient(cards: world.proxy.url, token: world.backend.token)
    let sync = CardSync(store: world.first, source: client, target: client, options: options)
    let large = try world.first.addCard("large") { card in
      card.members["unknown"] = .string(String(repeating: "x", count: 1_100_000))
    }
    for _ in 0..<2 {
      world.proxy.server.forgetRequests()
      try await sync.sync()
      #expect(world.proxy.server.requests.contains { $0.target.contains(large.id.key) })
    }
  }

  @Test("Who asks while an exchange goes on gets one that tries what was refused")
  func askedMeanwhile() async throws {
    try world.first.addCard("large") { card in
      card.members["unknown"] = .string(String(repeating: "x", count: 1_100_000))
    }
    try await world.firstSync.sync()
    world.proxy.server.forgetRequests()
    async let usual = world.firstSync.sync()
    async let asked = world.firstSync.sync(isAsked: true)
    async let also = world.firstSync.sync(isAsked: true)
    _ = try await (usual, asked, also)
    #expect(world.proxy.server.requests.contains { $0.method == "PUT" })
  }

  @Test("A deleted card tells which wallet deleted it, and when that was this one")
  func deletion() async throws {
    let (card, other) = (try world.first.addCard("a"), try world.first.addCard("b"))
    try await world.exchangeAll()
    #expect(try world.first.deletion(of: card.id) == nil)
    try world.second.delete(card.id)
    try world.first.delete(other.id)
    try await world.exchangeAll()
    let elsewhere = try #require(try world.first.deletion(of: card.id))
    #expect(elsewhere.wallet == world.second.device && elsewhere.date == nil)
    let own = try #require(try world.first.deletion(of: other.id))
    #expect(own.wallet == world.first.device && own.date != nil)
    try world.first.forgetDeleted()
    #expect(try world.first.deletion(of: other.id)?.date == nil)
  }

  @Test("A backend with other names for things is no trouble")
  func otherNames() async throws {
    let client = RenamedBackend(
      world.backend.client(), names: MemberNames(["name": "title", "note": "name"]))
    let card = try world.first.addCard("a") { $0.note = "b" }
    try await CardSync(world.first, client).sync()
    try await CardSync(world.second, client).sync()
    #expect(try world.second.cards() == [card])
    let page = try await world.backend.ask("GET", "v1/records")
    let records = page.json["records"]?.array?.compactMap { $0.object?["record"]?.object }
    #expect(records?.compactMap { $0["title"]?.text } == ["a"])
  }

  @Test(
    "A card that the backend doesn't take keeps the others waiting for nothing, is told of, and is sent again when asked"
  )
  func refusedCard() async throws {
    let large = try world.first.addCard("large") { card in
      card.members["unknown"] = .string(String(repeating: "x", count: 1_100_000))
    }
    try world.first.addCard("small")
    try await world.firstSync.sync()
    try await world.secondSync.sync()
    #expect(try world.second.cards().map(\.name) == ["small"])
    #expect(world.firstSync.status.problems.map(\.record) == [large.id])
    #expect(
      world.firstSync.status.problems.first?.reason.message.contains("the most for one") == true)
    // Not before its time.
    world.proxy.server.forgetRequests()
    try await world.firstSync.sync()
    #expect(world.proxy.server.requests.count == 1)
    try await world.firstSync.sync(isAsked: true)
    #expect(world.proxy.server.requests.contains { $0.method == "PUT" })
    #expect(world.firstSync.status.problems.map(\.record) == [large.id])
    try world.first.edit(large.id) { $0.members["unknown"] = nil }
    try await world.exchangeAll()
    #expect(try world.second.cards().count == 2)
    #expect(world.firstSync.status.problems.isEmpty)
  }
}

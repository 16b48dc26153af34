import CardModel
import CardStore
import CardSync
import FeedClient
import Foundation
import ServerSupport
import Testing

@Suite("Whose the values of a conflict are", .serialized)
struct ConflictNamesTests {
  private let scratch: Scratch
  private let backend: Backend
  private let phone: CardStore
  private let tablet: CardStore
  private let syncs: [CardSync]
  private let tabletID: String

  init() async throws {
    scratch = try Scratch()
    backend = try await Backend(in: scratch.url)
    (phone, tablet) = (try scratch.store("phone"), try scratch.store("tablet"))
    let device = try await backend.client().addDevice(named: "Tablet")
    tabletID = device.id
    syncs = [
      CardSync(phone, backend.client()),
      CardSync(tablet, FeedClient(cards: backend.url, token: try #require(device.token))),
    ]
  }

  /// Exchanges in turns, the phone first.
  private func exchange() async throws {
    for sync in syncs + syncs { try await sync.sync() }
  }

  /// The names of the devices, by what they call themselves.
  private func names() async throws -> [String: String] {
    let devices = try await backend.client().devices()
    return Dictionary(devices.compactMap { device in device.client.map { ($0, device.name) } }) {
      first, _ in first
    }
  }

  @Test("Each value's device is known by name in both wallets, until the device is removed")
  func byName() async throws {
    let card = try phone.addCard("a") { $0.note = "old" }
    try await exchange()
    try phone.edit(card.id) { $0.note = "phone's" }
    try tablet.edit(card.id) { $0.note = "tablet's" }
    try await exchange()
    for store in [phone, tablet] {
      let copy = try #require(try store.keptCopies(of: card.id).first)
      #expect(copy.value == "tablet's")
      #expect(try store.card(card.id)?.note == "phone's")
      let names = try await names()
      #expect(copy.wallet.flatMap { names[$0] } == "Tablet")
      #expect(copy.winner.flatMap { names[$0] } == "first")
    }
    // What is changed now is nobody's of before.
    try phone.edit(card.id) { $0.note = "newer" }
    #expect(try phone.keptCopies(of: card.id).map(\.winner) == [nil])
    try await backend.client().removeDevice(tabletID)
    #expect(try await names().values.sorted() == ["first"])
  }

  @Test(
    "A value that somebody types while another comes is this wallet's, and the one that came the other's"
  )
  func typed() async throws {
    let card = try phone.addCard("a") { $0.note = "old" }
    try await exchange()
    try tablet.edit(card.id) { $0.note = "tablet's" }
    let shown = try #require(try phone.card(card.id))
    try await syncs[1].sync()
    try await syncs[0].sync()
    var typed = shown
    typed.note = "typed"
    try phone.save(typed, changedFrom: shown)
    let copy = try #require(try phone.keptCopies(of: card.id).first)
    #expect(copy.value == "tablet's" && copy.wallet == tablet.device)
    #expect(copy.winner == phone.device)
  }

  @Test(
    "A server of before has no word for what devices call themselves, which keeps nothing from it")
  func oldServer() async throws {
    // All below this path is unknown to it.
    let old = FeedClient(
      cards: backend.url.appending(path: "before"), token: backend.token)
    try await old.introduce(as: "x")
    #expect(try await backend.client().devices().allSatisfy { $0.client == nil })
    await #expect(throws: FeedError.self) {
      try await FeedClient(cards: backend.url, token: "wrong").introduce(as: "x")
    }
  }
}

import BrowserSupport
import CardModel
import CardStore
import Foundation
import ServerSupport
import Testing
import Viewfinder

@Suite(
  "A thousand cards", .serialized,
  .disabled(if: Chromium.absence != nil, Comment(rawValue: Chromium.absence ?? "")))
struct ThousandCardsTests {
  /// How many pictures of the list are loaded.
  private static let loaded =
    "[...document.querySelectorAll('.cards img')].filter(i => i.complete && i.naturalWidth).length"

  @Test("All are listed, one is found, and no more pictures are loaded than are near the screen")
  func list() async throws {
    let folder = try WalletVisit.newFolder()
    try fill(folder.appending(component: "wallet"))
    try await WalletVisit.begin(["--no-camera"], in: folder) { visit in
      try await visit.count(".cards li", is: 1000)
      try await visit.wait("the first", "document.querySelector('.cards img').naturalWidth > 0")
      let last = "[...document.querySelectorAll('.cards img')].at(-1)"
      #expect(try await visit.browser.run("return \(last).naturalWidth") == 0)
      #expect(try await visit.browser.run("return \(Self.loaded)").number ?? 1000 < 300)
      try await visit.look("thousand")
      try await visit.browser.run("scrollTo(0, document.body.scrollHeight)")
      try await visit.wait("the last", "\(last).naturalWidth > 0")
      #expect(try await visit.browser.run("return \(Self.loaded)").number ?? 1000 < 600)
      try await visit.browser.screenshot("wallet-thousand-end")
      try await visit.browser.type("number 777 blue", into: "[type=search]")
      try await visit.count(".cards li", is: 1)
      try await visit.see("Card number 777")
      try await visit.wait("it", "document.querySelector('.cards img').naturalWidth > 0")
      try await visit.open("Card number 777")
      try await visit.see("a blue one")
      // Back, the search is as it was, and without it all are there again.
      try await visit.browser.run("location.hash = '#/'")
      try await visit.count(".cards li", is: 1)
      try await visit.clearSearch()
      try await visit.count(".cards li", is: 1000)
      try await visit.click("[data-group='Group 0']")
      try await visit.count(".cards li", is: 100)
      let complaints = try await visit.browser.complaints()
      #expect(complaints == [])
    }
  }

  /// Makes a wallet of a thousand cards, each with a front of its own.
  private func fill(_ folder: URL) throws {
    let store = try CardStore(folder: folder)
    let back = try store.addPicture(WalletVisit.grey(90, 160, 100))
    for number in 0..<1000 {
      var card = Card()
      card.name = "Card number \(number)"
      card.note = number == 777 ? "a blue one" : "one of many"
      card.cardId = "\(4_000_000_000_000 + number)"
      card.groups = ["Group \(number % 10)"]
      card.front = CardPicture(picture: try store.addPicture(front(number)))
      card.back = CardPicture(picture: back)
      try store.save(card)
    }
  }

  /// A picture with the number's digits in base two, as bars.
  private func front(_ number: Int) throws -> Data {
    let size = Dimensions(width: 160, height: 100)
    let row = (0..<size.width).map { x in
      number >> (x / 16) & 1 == 1 ? UInt8(220) : UInt8(40)
    }
    let pixels = Data((0..<size.height).flatMap { _ in row })
    return try PixelBuffer(pixelFormat: .grey, dimensions: size, data: pixels).jpegData()
  }
}

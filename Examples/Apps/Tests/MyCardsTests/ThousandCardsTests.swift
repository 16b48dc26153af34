import BrowserSupport
import CardExchange
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

  /// How much may be loaded until the list is painted: what a phone with a poor network has in a few seconds.
  private static let mostBytes = 3 << 19

  @Test("All are listed, one is found, and no more pictures are loaded than are near the screen")
  func list() async throws {
    let folder = try WalletVisit.newFolder()
    try fill(folder.appending(component: "wallet"))
    try await WalletVisit.begin(["--no-camera"], in: folder) { visit in
      try await visit.count(".cards li", is: 1000)
      try await visit.wait("the first", "document.querySelector('.cards img').naturalWidth > 0")
      let (bytes, requests) = try await firstLoad(of: visit)
      print("The list of 1,000 cards: \(bytes >> 10) kB in \(requests) requests")
      #expect(bytes <= Self.mostBytes)
      let paint = try await firstPaint(of: visit)
      try await WalletVisit.begin(["--no-camera"]) { empty in
        try await empty.see("Leave the plastic at home")
        let none = try await firstPaint(of: empty)
        print("It is painted after \(paint) ms; an empty wallet after \(none) ms")
      }
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

  /// What was transferred until all pictures in sight were there: bytes and requests.
  private func firstLoad(of visit: WalletVisit) async throws -> (bytes: Int, requests: Int) {
    let sizes = try await visit.browser.wait(
      for: "the pictures in sight",
      until: """
        const pictures = [...document.querySelectorAll(".cards img")].filter((image) => image.getBoundingClientRect().top < innerHeight);
        if (!pictures.every((image) => image.complete && image.naturalWidth)) return null;
        const names = new Set(pictures.map(({ src }) => src));
        const all = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
        // Those that the browser keeps are fetched once more, from its cache, when the page has nothing else to do.
        const shown = all.filter(({ name, initiatorType }) => initiatorType === "img" && names.has(name));
        const painted = Math.max(...shown.map(({ responseEnd }) => responseEnd));
        const before = all.filter(({ startTime }) => startTime <= painted);
        return [before.reduce((sum, { transferSize }) => sum + transferSize, 0), before.length];
        """)
    return (Int(sizes[0].number ?? 1e9), Int(sizes[1].number ?? 0))
  }

  /// When the largest part of the page was painted, in milliseconds after it was asked for.
  private func firstPaint(of visit: WalletVisit) async throws -> Int {
    let time = try await visit.browser.run(
      """
      return new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
        .observe({ type: "largest-contentful-paint", buffered: true }));
      """)
    return Int(time.number ?? 0)
  }

  /// Makes a wallet of a thousand cards, each with a front of its own.
  private func fill(_ folder: URL) throws {
    let store = try CardStore(folder: folder)
    let back = try store.addPicture(WalletVisit.grey(90, 160, 100))
    let photo = try self.photo()
    for number in 0..<1000 {
      var card = Card()
      card.name = "Card number \(number)"
      card.note = number == 777 ? "a blue one" : "one of many"
      card.cardId = "\(4_000_000_000_000 + number)"
      card.groups = ["Group \(number % 10)"]
      card.front = CardPicture(picture: try store.addPicture(photo.marked(number)))
      card.back = CardPicture(picture: back)
      try store.save(card)
    }
  }

  /// A photo of a card as phones take them: colours, fine print and noise.
  private func photo() throws -> Data {
    let size = Dimensions(width: 856, height: 540)
    var random = SystemRandomNumberGenerator()
    var pixels = Data(capacity: size.width * size.height * 3)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let isPrint = y % 40 < 14 && (x / 3 + y / 3 * 7) % 5 < 2
        let noise = Int(random.next(upperBound: 13 as UInt))
        for part in [40 + x / 8, 90 + y / 6, 150 - x / 12] {
          pixels.append(UInt8(clamping: (isPrint ? 30 : part) + noise))
        }
      }
    }
    return try PixelBuffer(pixelFormat: .rgb24, dimensions: size, data: pixels).jpegData(
      quality: CardPhoto.quality)
  }
}

extension Data {
  /// The JPEG with a number in a comment: other bytes, the same picture.
  fileprivate func marked(_ number: Int) -> Data {
    let text = Data("\(number)".utf8)
    return prefix(2) + Data([0xff, 0xfe, 0, UInt8(text.count + 2)]) + text + dropFirst(2)
  }
}

import BrowserSupport
import CardModel
import CardStore
import Foundation
import ServerSupport
import Testing

@Suite(
  "The wallet beside the program: files, browsers, devices", .serialized,
  .disabled(if: Chromium.absence != nil, Comment(rawValue: Chromium.absence ?? "")))
struct WalletBrowserTests {
  @Test("The menu exports all cards as a file")
  func export() async throws {
    try await WalletVisit.begin(["--no-camera"]) { visit in
      try await visit.addCard("Market", number: "4006381333931")
      try await visit.browser.run("location.hash = '#/'")
      // The file goes past the page; here it is what a link leads to.
      try await visit.browser.run(
        """
        HTMLAnchorElement.prototype.click = function () { window.taken = [this.href, this.download]; };
        """)
      try await visit.click("main .head [aria-label=More]")
      try await visit.click(button: "Export all cards")
      let file = try await visit.browser.wait(
        for: "the file",
        until: """
          if (!window.taken) return null;
          const answer = await fetch(window.taken[0]);
          const bytes = new Uint8Array(await answer.arrayBuffer());
          const text = new TextDecoder("latin1").decode(bytes);
          return [window.taken[1], answer.headers.get("Content-Type"), text.slice(0, 2), text.includes("catima.csv")];
          """)
      #expect(file == ["my-cards.zip", "application/zip", "PK", true])
    }
  }

  @Test(
    "What a browser keeps is cleared when somebody asks, half-typed forms too; the program keeps its cards"
  )
  func clear() async throws {
    try await WalletVisit.begin(["--no-camera"]) { visit in
      try await visit.addCard("Market", number: "4006381333931")
      try await visit.showForm()
      try await visit.fill("Name", "Half")
      try await visit.browser.run("location.hash = '#/settings'")
      try await visit.see("1 card, 0 photos")
      try await visit.wait("the worker", "navigator.serviceWorker.controller !== null")
      try await visit.wait("the form", "localStorage.getItem('wallet-draft-new')")
      try await visit.click(button: "Clear this browser")
      try await visit.see("Half-typed forms go.")
      try await visit.click(button: "Clear")
      try await visit.see("Cleared.")
      let left = try await visit.browser.run(
        """
        return [(await caches.keys()).length, (await navigator.serviceWorker.getRegistrations()).length,
          Object.keys(localStorage).filter((key) => key.startsWith("wallet-")).length];
        """)
      #expect(left == [0, 0, 0])
      try await visit.browser.open(visit.server.address)
      try await visit.see("Market")
      try await visit.showForm()
      try await visit.wait("no name", "document.querySelector('#field-name')?.value === ''")
    }
  }

  @Test(
    "Who comes to a card that is gone is told on which device, and when, as far as that is known")
  func gone() async throws {
    let (one, other) = (try WalletVisit.newFolder(), try WalletVisit.newFolder())
    defer { [one, other].forEach(Scratch.remove) }
    let backend = try await CardsBackend(in: other)
    let first = try await WalletVisit.server(
      ["--no-camera", "--backend", backend.server.address], in: one,
      environment: ["MY_CARDS_TOKEN": backend.token])
    let second = try await WalletVisit.server(["--no-camera"], in: other)
    let (phone, tablet) = (HTTPVisitor(first.address), HTTPVisitor(second.address))
    #expect(try await phone.ask("POST", "import", "_id,store\n1,Bakery\n2,Zoo\n") == 200)
    let code = try await phone.json("POST", "devices", #"{"name":"Tablet"}"#)["code"]
    #expect(try await tablet.ask("POST", "join", try JSONEncoder().encode(["code": code])) == 204)
    let ids = try await tablet.wait(for: "the cards", "cards") { list -> [String]? in
      let ids = list["cards"].array?.compactMap { $0["id"].string } ?? []
      return ids.count == 2 ? ids : nil
    }
    #expect(try await tablet.ask("DELETE", "cards/\(ids[0])") == 204)
    #expect(try await phone.ask("DELETE", "cards/\(ids[1])") == 204)
    for wallet in [tablet, phone] { #expect(try await wallet.ask("POST", "sync") == 200) }
    try await phone.wait(for: "the deletes", "cards") { list in
      list["cards"].array?.isEmpty == true ? true : nil
    }
    try await Browser.open(.phone) { browser in
      let visit = WalletVisit(browser: browser, server: first, folder: one)
      try await browser.open(first.address + "#/card/\(ids[0])")
      try await visit.see("It was deleted on “Tablet”.")
      try await browser.run("location.hash = '#/card/\(ids[1])'")
      try await visit.see("Deleted on this device:")
      #expect(try await phone.ask("DELETE", "deleted") == 204)
      try await browser.run("location.reload()")
      try await visit.see("It was deleted on this device.")
      try await visit.look("gone")
    }
    for server in [first, second] { #expect(await server.end() == 0) }
  }

  /// A card of which there is more than a server takes.
  private static var largeCard: Card {
    var card = Card()
    card.name = "Zoo"
    card.members["unknown"] = .string(String(repeating: "x", count: 1_100_000))
    return card
  }

  @Test("“Send now” tries a card again that the server doesn't take, and says what came of it")
  func sendNow() async throws {
    let folder = try WalletVisit.newFolder()
    let store = try CardStore(folder: folder.appending(component: "wallet"))
    let large = Self.largeCard
    try store.save(large)
    let backend = try await CardsBackend(in: folder)
    let proxy = try Proxy(to: backend.server.port)
    let options = ["--no-camera", "--backend", proxy.url.absoluteString]
    try await WalletVisit.begin(
      options, in: folder, environment: ["MY_CARDS_TOKEN": backend.token]
    ) { visit in
      try await visit.open("Zoo")
      try await visit.see("The server doesn’t take this card")
      try await visit.look("refused-card")
      proxy.server.forgetRequests()
      try await visit.click(button: "Send now")
      try await visit.text(".toast", contains: "A card isn’t taken: The server at")
      #expect(proxy.server.requests.contains { $0.method == "PUT" })
      // As it is mended.
      var card = large
      card.members["unknown"] = nil
      try store.save(card)
      try await visit.click(button: "Send now")
      try await visit.text(".toast", contains: "Everything is sent.")
      try await visit.count(".banner.danger", is: 0)
    }
  }
}

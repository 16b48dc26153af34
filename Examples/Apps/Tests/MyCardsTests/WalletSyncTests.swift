import BrowserSupport
import Foundation
import ServerSupport
import Testing

@Suite(
  "Two wallets of one person", .serialized,
  .disabled(if: Chromium.absence != nil, Comment(rawValue: Chromium.absence ?? "")))
struct WalletSyncTests {
  @Test("A card appears in the other wallet by itself, and both values of a quarrel are shown")
  func agree() async throws {
    let (one, other) = (try WalletVisit.newFolder(), try WalletVisit.newFolder())
    defer { Scratch.remove(other) }
    let backend = try await CardsBackend(in: other)
    let server = backend.server
    let options = ["--no-camera", "--backend", server.address]
    let environment = ["MY_CARDS_TOKEN": backend.token]
    let first = try await WalletVisit.server(options, in: one, environment: environment)
    let table = "_id,store,cardid,note\n1,Bakery,1,old\n"
    #expect(try await HTTPVisitor(first.address).ask("POST", "import", table) == 200)
    let second = try await WalletVisit.server(options, in: other, environment: environment)
    try await Browser.open(.desktop) { browser in
      let visit = WalletVisit(browser: browser, server: second, folder: other)
      try await browser.open(second.address)
      try await visit.count(".cards li", is: 1)
      try await visit.wait("the state", "document.querySelector('[aria-label=Synced]')")
      // The sheet behind it names the devices, each with when it was here.
      try await visit.click("[aria-label=Synced]")
      try await visit.wait(
        "the devices",
        """
        [...document.querySelectorAll("viewfinder-sheet[open] li")].map((row) => row.innerText.trim().split(/\\n+/).length)
          .every((lines) => lines === 2) && document.querySelector("viewfinder-sheet[open] li")
        """)
      try await browser.press(Key.escape)
      let id =
        try await browser.run("return document.querySelector('.cards li').dataset.id").string ?? ""
      try await browser.run("location.hash = '#/card/\(id)'")
      try await visit.see("old")
      // Both change the note and the number while the backend is away.
      #expect(await server.end() == 0)
      for (wallet, note, number) in [
        (first, "mine", "4006381333948"), (second, "yours", "4006381333900"),
      ] {
        let change = #"""
          {"changes":{"note":"\#(note)","cardId":"\#(number)"},"before":{"note":"old","cardId":"1"}}
          """#
        #expect(try await HTTPVisitor(wallet.address).ask("PUT", "cards/\(id)", change) == 204)
      }
      try await browser.run("location.hash = '#/'")
      try await visit.see("The server doesn’t answer")
      try await browser.run("location.hash = '#/card/\(id)'")
      try await visit.look("offline")
      let back = try await ServerProcess(
        "cards-backend",
        [
          "--data", other.appending(component: "backend").path, "--listen",
          "127.0.0.1:\(server.port)",
        ])
      // After many failures the pauses are long: a person asks.
      for wallet in [first, second] { try await HTTPVisitor(wallet.address).ask("POST", "sync") }
      try await visit.see("Changed on two devices")
      try await visit.count(".version", is: 4)
      // A number is read as one, also on a phone.
      try await browser.change(to: .phone)
      let lines = try await browser.run(
        """
        return [...document.querySelectorAll(".what.figures")].map((what) => {
          const range = document.createRange();
          range.selectNodeContents(what);
          return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
        });
        """)
      #expect(lines == [1, 1])
      try await visit.look("kept")
      try await visit.click(button: "Use the chosen ones")
      try await visit.count(".conflict", is: 0)
      #expect(await back.end() == 0)
    }
    Scratch.remove(one)
  }
}

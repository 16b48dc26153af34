import BrowserSupport
import CardBarcodes
import CardExchange
import CardModel
import CardStore
import ErrorWords
import FeedClient
import Foundation
import ServerSupport
import Testing

// For what the pages make of the errors of the wallet's parts.
@testable import my_cards

@Suite(
  "The wallet's languages", .serialized,
  .disabled(if: Chromium.absence != nil, Comment(rawValue: Chromium.absence ?? "")))
struct WalletLanguageTests {
  @Test("There are words for each code that the program has, in all languages")
  func codes() async throws {
    let codes = try PageWords.codes(
      in: "my-cards", "FeedClient", "FeedSync", "ViewfinderPages", "WebServing")
    #expect(codes.isSuperset(of: ["cardGone", "notCatima", "serverAway", "cameraLost"]))
    try await WalletVisit.begin(["--no-camera"]) { visit in
      let problems = try await visit.browser.wordProblems(
        ["/wallet-words.js", "/ui/picker-words.js"], codes: codes)
      #expect(problems == [])
    }
  }

  private static let address = "https://feeds.example"

  private static let errors: [any Error] = [
    FeedError.unreachable(address: address, reason: "nobody answers there"),
    FeedError.tooSlow(address: address, seconds: 20),
    FeedError.redirected(address: address, to: "other.example"),
    FeedError.intercepted(address: address),
    FeedError.notUnderstood(address: address, reason: "it isn't a list of cards"),
    FeedError.tooLarge(address: address, limit: 1 << 20), FeedError.notSignedOn(address: address),
    FeedError.otherPerson(address: address, name: "Ada", before: "Bob"),
    FeedError.ignoresConditions(address: address, condition: "If-Match"),
    FeedError.full(address: address, message: ""),
    FeedError.full(address: address, message: "5 GB are used."),
    FeedError.rejected(address: address, message: ""),
    FeedError.rejected(address: address, message: "That is no card."),
    FeedError.failed(address: address, status: 500, message: "", retryAfter: nil),
    FeedError.failed(address: address, status: 500, message: "Oh.", retryAfter: nil),
    FeedError.cursorUnknown(address: address), CardStoreError.incomplete([.noName]),
    CardStoreError.incomplete([
      .tooLong(field: "card number", characters: 2000, limit: 1000),
      .tooManyGroups(count: 40, limit: 32), .groupTooLong(characters: 80, limit: 60),
    ]),
    CardStoreError.notAPicture(reason: "it isn't a JPEG"), CardStoreError.deleted,
    CardStoreError.newerSchema(path: "/x"), CardStoreError.diskFull, CardStoreError.busy,
    CardStoreError.damaged(path: "/x"),
    CardStoreError.unusable(path: "/x", reason: "the folder can't be written"),
    ExchangeError.notCatima(reason: "the zip archive is damaged"), ExchangeError.encrypted,
    ExchangeError.tooLarge(what: "The table"),
    ExchangeError.badRow(line: 3, reason: "store is empty"),
    ExchangeError.cannotWrite(reason: "there is not enough memory"),
    BarcodeError.unfit(type: "EAN_13", reason: "there is no text"),
    BarcodeError.failed(library: "libzint", reason: "there is not enough memory"),
  ]

  @Test("Each error has words in both languages, of which none is missing a value")
  func words() async throws {
    try await WalletVisit.begin(["--no-camera"]) { visit in
      let errors = Self.errors.map { ErrorWords($0) }
      let problems = try await visit.browser.problems(telling: errors)
      #expect(problems == [])
    }
  }

  @Test("In German the list, the till, the form and an import say what is wrong")
  func german() async throws {
    try await WalletVisit.begin(["--no-camera"]) { visit in
      try await visit.browser.speak("de")
      try await visit.see("Lass das Plastik zu Hause")
      // It is installed under its German name.
      let name = try await visit.browser.run(
        """
        const { href } = document.querySelector("link[rel=manifest]");
        return (await (await fetch(href)).json()).name;
        """)
      #expect(name == "Karten")
      // A file of something else, then one of which a card is left out.
      try await visit.importFile("name,number\nShop,5\n")
      try await visit.see("Das ist kein Export von Catima: in catima.csv sind keine Karten")
      let long = String(repeating: "n", count: 201)
      try await visit.importFile(
        "_id,store,cardid,barcodetype\n1,Laden,5,EAN_13\n2,\(long),6,\n")
      try await visit.see("1 Karte ist neu.")
      try await visit.see("nnn ist nicht importiert. „Name“ hat 201 Zeichen; höchstens 200 gehen.")
      try await visit.count(".cards li", is: 1)
      // A number that is none of its kind.
      try await visit.open("Laden")
      try await visit.browser.run("location.hash = location.hash.replace('card', 'till')")
      try await visit.see("Diese Nummer ist kein EAN-13")
      // What the page would find by itself, and what it leaves to the program.
      try await visit.showForm()
      try await visit.fill("Name", long)
      try await visit.click("[type=submit]")
      try await visit.see("Es sind 201 Zeichen; höchstens 200 gehen.")
      let refusal = try await visit.browser.run(
        """
        const { send } = await import("/ui/requests.js");
        const id = crypto.randomUUID();
        return send("PUT", `cards/${id}`, { changes: { name: " " }, before: {}, isNew: true }).catch(({ message }) => message);
        """)
      #expect(
        refusal.string == "Die Karte lässt sich noch nicht sichern. Gib der Karte einen Namen.")
      try await visit.browser.screenshot("wallet-german-form")
    }
  }
}

extension WalletVisit {
  /// Imports a table as if somebody had chosen its file.
  fileprivate func importFile(_ table: String) async throws {
    try await browser.run(
      """
      const files = new DataTransfer();
      files.items.add(new File([arguments[0]], "catima.csv", { type: "text/csv" }));
      const input = document.querySelector("input[type=file]");
      input.files = files.files;
      input.dispatchEvent(new Event("change"));
      """, .string(table))
  }
}

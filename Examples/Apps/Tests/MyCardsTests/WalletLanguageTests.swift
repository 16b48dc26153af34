import BrowserSupport
import Foundation
import ServerSupport
import Testing

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

  @Test("In German the list, the till, the form and an import say what is wrong")
  func german() async throws {
    try await WalletVisit.begin(["--no-camera"]) { visit in
      try await visit.browser.speak("de")
      try await visit.see("Lass das Plastik zu Hause")
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

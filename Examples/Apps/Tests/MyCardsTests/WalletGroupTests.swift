import BrowserSupport
import CardModel
import CardStore
import Foundation
import ServerSupport
import Testing

@Suite(
  "Groups in number", .serialized,
  .disabled(if: Chromium.absence != nil, Comment(rawValue: Chromium.absence ?? "")))
struct WalletGroupTests {
  @Test(
    "Of two thousand groups the most used are at hand, in the list and the form; a search has all")
  func thousands() async throws {
    let folder = try WalletVisit.newFolder()
    let store = try CardStore(folder: folder.appending(component: "wallet"))
    let cards = (0..<200).map { number in
      var card = Card()
      card.name = "Card \(number)"
      card.groups = (0..<10).map { "Group \(number * 10 + $0)" } + (number < 50 ? ["Zoo"] : [])
      return card
    }
    #expect(try store.add(cards) == 200)
    try await WalletVisit.begin(["--no-camera"], in: folder) { visit in
      try await visit.count(".cards li", is: 200)
      let chips = try await visit.browser.run("return document.querySelectorAll('.chip').length")
      #expect(chips.number ?? 1000 < 30)
      try await visit.count("[data-group=Zoo]", is: 1)
      try await visit.count("[data-group='Group 1777']", is: 0)
      try await visit.look("groups")
      try await visit.click(button: "More groups")
      try await visit.see("100 of 2,001 groups.")
      try await visit.look("groups-all")
      try await visit.browser.type("group 1777", into: "viewfinder-sheet [type=search]")
      try await visit.count("viewfinder-sheet li", is: 1)
      try await visit.click("viewfinder-sheet li button")
      try await visit.count(".cards li", is: 1)
      try await visit.see("Card 177")
      try await visit.count("[data-group='Group 1777'][aria-pressed=true]", is: 1)
      // In the form, too; its field takes what the wallet takes.
      try await visit.showForm()
      try await visit.fill("Name", "New")
      try await visit.browser.run("document.querySelector('form details').open = true")
      try await visit.click(button: "More groups")
      try await visit.browser.type("1998", into: "viewfinder-sheet [type=search]")
      try await visit.click("viewfinder-sheet li button")
      try await visit.wait(
        "the group",
        "document.querySelector('form .chip:has(:checked)')?.textContent === 'Group 1998'")
      try await visit.click(button: "New group")
      try await visit.browser.type(
        String(repeating: "n", count: 70) + Key.enter, into: "viewfinder-sheet .input")
      try await visit.click("[type=submit]")
      try await visit.wait("the card", "location.hash.startsWith('#/card/')")
      try await visit.see("Group 1998, " + String(repeating: "n", count: 60))
    }
  }

  @Test("What comes from elsewhere with longer names, or in more groups, is shown in part")
  func foreign() async throws {
    let files = try FileServer()
    let groups = (0..<500).map { JSON.string("\($0) " + String(repeating: "g", count: 500)) }
    let card: JSON = [
      "id": .string(UUID().uuidString.lowercased()), "name": "Museum", "groups": .array(groups),
      "note": .string(String(repeating: "long ", count: 20_000)),
    ]
    files.put(try JSONEncoder().encode(["cards": [card]] as JSON), at: "/cards.json")
    let options = ["--no-camera", "--cards", "\(files.address)cards.json"]
    try await WalletVisit.begin(options) { visit in
      try await visit.count(".cards li", is: 1)
      let sizes = try await visit.browser.run(
        """
        const { cards: [card] } = await (await fetch("/cards")).json();
        return [card.groups.length, Math.max(...card.groups.map((name) => name.length)), card.note.length];
        """)
      #expect(sizes == [32, 60, 10_000])
      try await visit.look("groups-foreign")
    }
  }
}

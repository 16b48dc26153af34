import BrowserSupport
import Foundation
import ServerSupport
import Testing

@Suite(
  "Cards of a file on a server", .serialized,
  .disabled(if: Chromium.absence != nil, Comment(rawValue: Chromium.absence ?? "")))
struct ForeignCardsTests {
  private static let ids = (0..<2).map { _ in UUID().uuidString.lowercased() }

  /// A server with cards of these names.
  private func server(_ names: [String]) throws -> FileServer {
    let server = try FileServer()
    server.put(try WalletVisit.grey(40, 504, 318), at: "/my/photos/front.jpg")
    try put(names, on: server)
    return server
  }

  private func put(_ names: [String], on server: FileServer) throws {
    let cards = zip(Self.ids, names).map { id, name in
      ["id": .string(id), "name": .string(name), "front": "photos/front.jpg"] as JSON
    }
    let file: JSON = ["cards": .array(cards)]
    server.put(try JSONEncoder().encode(file), at: "/my/cards.json")
  }

  @Test("They are shown with the word where they come from; what is done here is never sent there")
  func readOnly() async throws {
    let files = try server(["Museum", "Harbour"])
    let address = "\(files.address)my/cards.json"
    try await WalletVisit.begin(WalletVisit.camera + ["--cards", address]) { visit in
      try await visit.count(".cards img", is: 2)
      try await visit.wait(
        "the pictures",
        "[...document.querySelectorAll('.cards img')].every(i => i.naturalWidth === 384)")
      let words = "The cards at \(address) are shown, too. What you add or change stays here."
      try await visit.see(words)
      try await visit.look("foreign")
      // An edit, a new card and a delete.
      try await visit.browser.run("location.hash = '#/card/\(Self.ids[0])'")
      try await visit.click("a[href^='#/edit/']")
      try await visit.wait("the name", "document.querySelector('#field-name').value === 'Museum'")
      try await visit.fill("Note", "my own note")
      try await visit.takePhoto(of: "back")
      try await visit.click("[type=submit]")
      try await visit.see("my own note")
      try await visit.addCard("My own card")
      try await visit.browser.run("location.hash = '#/card/\(Self.ids[1])'")
      try await visit.see("Harbour")
      try await visit.click(".bar [aria-label=More]")
      try await visit.click(button: "Delete")
      try await visit.count(".cards li", is: 2)
      // What changes there comes, and undoes nothing of that.
      try put(["Museum of Ships", "Harbour Tours"], on: files)
      try await visit.see("Museum of Ships")
      try await visit.see("My own card")
      try await visit.count(".cards li", is: 2)
      try await visit.browser.run("location.hash = '#/card/\(Self.ids[0])'")
      try await visit.see("my own note")
      let complaints = try await visit.browser.complaints()
      #expect(complaints == [])
      #expect(await visit.server.end() == 0)
    }
    #expect(files.requests.count > 2)
    #expect(Set(files.requests) == ["GET /my/cards.json", "GET /my/photos/front.jpg"])
  }

  @Test("Without the server the cards stay, and the page says that it can't be reached")
  func away() async throws {
    let files = try server(["Museum"])
    let options = ["--no-camera", "--cards", "\(files.address)my/cards.json"]
    try await WalletVisit.begin(options) { visit in
      try await visit.count(".cards img", is: 1)
      #expect(await visit.server.end() == 0)
      files.end()
      let again = try await WalletVisit.server(options, in: visit.folder)
      try await visit.browser.open(again.address)
      try await visit.see("The server at \(options[2]) can’t be reached")
      try await visit.wait(
        "the picture", "document.querySelector('.cards img')?.naturalWidth === 384")
      try await visit.look("foreign-away")
    }
  }
}

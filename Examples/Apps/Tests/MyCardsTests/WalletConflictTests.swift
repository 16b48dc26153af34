import BrowserSupport
import Foundation
import ServerSupport
import Testing

@Suite(
  "A choice between two devices' values", .serialized,
  .disabled(if: Chromium.absence != nil, Comment(rawValue: Chromium.absence ?? "")))
struct WalletConflictTests {
  /// The values that are shown, by whose they are.
  private static let shown = """
    return Object.fromEntries([...document.querySelectorAll(".version")].map((version) =>
      [version.querySelector(".who").textContent, version.querySelector(".what").textContent]));
    """

  @Test(
    "Each value has its device's name, and Undo brings both back after the choice has come there")
  func namesAndUndo() async throws {
    let (one, other) = (try WalletVisit.newFolder(), try WalletVisit.newFolder())
    defer { [one, other].forEach(Scratch.remove) }
    let backend = try await CardsBackend(in: other)
    let options = ["--data", other.appending(component: "backend").path]
    let first = try await WalletVisit.server(
      ["--no-camera", "--backend", backend.server.address], in: one,
      environment: ["MY_CARDS_TOKEN": backend.token])
    let second = try await WalletVisit.server(["--no-camera"], in: other)
    let (phone, tablet) = (HTTPVisitor(first.address), HTTPVisitor(second.address))
    #expect(
      try await phone.ask("POST", "import", "_id,store,cardid,note\n1,Bakery,1,old\n") == 200)
    let code = try await phone.json("POST", "devices", #"{"name":"Tablet"}"#)["code"]
    let join = try JSONEncoder().encode(["code": code])
    #expect(try await tablet.ask("POST", "join", join) == 204)
    let id = try await tablet.wait(for: "the card", "cards") {
      $0["cards"].array?.first?["id"].string
    }
    for wallet in [phone, tablet] { #expect(try await wallet.ask("POST", "sync") == 200) }
    // Both change the note while the backend is away.
    #expect(await backend.server.end() == 0)
    for (wallet, note) in [(phone, "mine"), (tablet, "yours")] {
      let change = #"{"changes":{"note":"\#(note)"},"before":{"note":"old"}}"#
      #expect(try await wallet.ask("PUT", "cards/\(id)", change) == 204)
    }
    let back = try await ServerProcess(
      "cards-backend", options + ["--listen", "127.0.0.1:\(backend.server.port)"])
    for wallet in [phone, tablet, phone] { #expect(try await wallet.ask("POST", "sync") == 200) }
    let isKept = { (list: JSON) in list["cards"].array?.first?["kept"].array?.first }
    try await tablet.wait(for: "the conflict", "cards", isKept)

    try await Browser.open(.desktop) { browser in
      let visit = WalletVisit(browser: browser, server: second, folder: other)
      try await browser.open(second.address + "#/card/\(id)")
      try await visit.text(".conflict", contains: "first")
      #expect(try await browser.run(Self.shown) == ["This device": "yours", "first": "mine"])
      let times = try await browser.run(
        "return [...document.querySelectorAll('.version .caption')].map((time) => time.textContent)"
      )
      #expect(times.array?.count == 2 && times[0] == times[1])
      #expect(times[0].string?.hasPrefix("Noticed") == true)
      try await visit.look("conflict")
      try await visit.click(button: "Use the chosen ones")
      try await visit.count(".conflict", is: 0)
      // With the focus it stays.
      try await browser.run("document.querySelector('.toast button').focus()")
      for wallet in [tablet, phone] { #expect(try await wallet.ask("POST", "sync") == 200) }
      try await phone.wait(for: "the choice", "cards") { list in
        isKept(list) == nil && list["cards"].array?.first?["note"] == "yours" ? true : nil
      }
      try await visit.look("conflict-chosen")
      try await visit.click(button: "Undo")
      try await visit.count(".version", is: 2)
      try await visit.text(".conflict", contains: "first")
      #expect(try await browser.run(Self.shown) == ["This device": "yours", "first": "mine"])
      try await phone.wait(for: "the conflict again", "cards", isKept)
      // By name on the other device as well.
      try await browser.open(first.address + "#/card/\(id)")
      try await visit.text(".conflict", contains: "Tablet")
      #expect(try await browser.run(Self.shown) == ["This device": "mine", "Tablet": "yours"])
      // Where nobody can be asked, it is another device.
      #expect(await back.end() == 0)
      try await browser.run("location.reload()")
      try await visit.text(".conflict", contains: "Another device")
      #expect(
        try await browser.run(Self.shown) == ["This device": "mine", "Another device": "yours"])
      try await visit.click(button: "Use the chosen ones")
      try await visit.click(button: "Undo")
      try await visit.count(".version", is: 2)
    }
    for server in [first, second] { #expect(await server.end() == 0) }
  }

  @Test("What is no choice is refused, and nothing is changed")
  func noChoice() async throws {
    try await WalletVisit.begin(["--no-camera"]) { visit in
      let wallet = HTTPVisitor(visit.server.address)
      let requests: [(path: String, body: String, status: Int)] = [
        ("kept", "{}", 400), ("kept", #"{"choices":{"x":"use"}}"#, 404),
        ("kept", #"{"choices":{"x":"both"}}"#, 400), ("kept/undo", "{}", 400),
        ("kept/undo", #"{"undo":[{"card":"x"}]}"#, 400),
      ]
      for (path, body, status) in requests {
        let answer = try await wallet.ask("POST", path, body)
        #expect(answer == status, "\(path) \(body)")
      }
    }
  }
}

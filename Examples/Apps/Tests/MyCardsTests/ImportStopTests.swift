import AsyncHTTPClient
import BrowserSupport
import Foundation
import NIOCore
import ServerSupport
import Testing
import Viewfinder

@testable import CardExchange

@Suite("Imports that are stopped", .serialized) struct ImportStopTests {
  private static let cards = 20

  /// A small file that takes long: photos of one grey, of 48 million pixels each.
  private static func slowFile() throws -> Data {
    let size = Dimensions(width: 8000, height: 6000)
    let png = try PixelBuffer(
      pixelFormat: .grey, dimensions: size, data: Data(repeating: 90, count: size.area)
    ).pngData()
    let rows = (1...cards).map { "\($0),Card \($0),\($0)\r\n" }.joined()
    let photos = (1...cards).flatMap { card in
      ["front", "back"].map { ("card_\(card)_\($0).png", png) }
    }
    return try TestZip.make([("catima.csv", Data("_id,store,cardid\r\n\(rows)".utf8))] + photos)
  }

  private static func count(_ list: JSON) -> Int { list["cards"].array?.count ?? -1 }

  @Test(
    "An import is stopped while its file comes and while it is read; what is over is told apart")
  func stops() async throws {
    let folder = try WalletVisit.newFolder()
    defer { Scratch.remove(folder) }
    let server = try await WalletVisit.server(["--no-camera"], in: folder)
    let wallet = HTTPVisitor(server.address)
    let table = "_id,store\n1,Bakery\n"

    // While it comes: the second part is sent after the stop.
    let id = UUID().uuidString.lowercased()
    var request = HTTPClientRequest(url: server.url("import?id=\(id)&name=a.csv"))
    request.method = .POST
    request.body = .stream(
      Parts(parts: [table, "2,Zoo\n"]) {
        // The program knows it as soon as its head is there.
        while try await wallet.ask("DELETE", "import/\(id)") == 404 {}
      }, length: .unknown)
    let answer = try await HTTPClient.patient.execute(request, timeout: .seconds(120))
    #expect(answer.status == .conflict)
    #expect(try await wallet.ask("DELETE", "import/\(id)") == 404)

    // While it is read.
    let file = try Self.slowFile()
    #expect(try await wallet.ask("POST", "import?id=\(id)", file) == 200)
    #expect(try await wallet.ask("POST", "import?id=\(id)", table) == 409)
    #expect(try await wallet.ask("DELETE", "import/\(id)") == 204)
    // Imports come one after the other: when this one is there, the one before is over.
    let other = UUID().uuidString
    #expect(try await wallet.ask("POST", "import?id=\(other)&name=a.csv", table) == 200)
    let list = try await wallet.wait(for: "the other's card", "cards") { list in
      Self.count(list) > 0 ? list : nil
    }
    #expect(list["cards"].array?.map { $0["name"].string } == ["Bakery"])
    #expect(try await wallet.ask("DELETE", "import/\(other)") == 409)
    #expect(try await wallet.ask("DELETE", "import/\(id)") == 404)
    #expect(try await wallet.ask("DELETE", "import/x") == 400)
    #expect(await server.end() == 0)
  }

  @Test(
    "A page stops the import that it began, and one that it finds when it is loaded anew",
    .disabled(if: Chromium.absence != nil, Comment(rawValue: Chromium.absence ?? "")))
  func page() async throws {
    let file = try Self.slowFile()
    try await WalletVisit.begin(["--no-camera"]) { visit in
      let wallet = HTTPVisitor(visit.server.address)
      for isLoadedAnew in [false, true] {
        try await visit.choose(file, name: "cards.zip")
        try await visit.text("dialog h2", contains: "Importing “cards.zip”")
        try await visit.text("viewfinder-sheet .figures", contains: "of 20 cards")
        if isLoadedAnew {
          try await visit.browser.run("location.reload()")
          try await visit.text(".banner", contains: "Importing “cards.zip”")
          try await visit.look("import-banner")
          try await visit.click(button: "Show")
          try await visit.text("viewfinder-sheet .figures", contains: "of 20 cards")
        }
        try await visit.look("import-\(isLoadedAnew ? "found" : "begun")")
        try await visit.click("viewfinder-sheet .row .button:not(.primary)")
        try await visit.text(".toast", contains: "Nothing of it is in the wallet.")
        try await visit.count("dialog[open], .banner", is: 0)
        try await visit.see("Leave the plastic at home")
        #expect(Self.count(try await wallet.json("GET", "cards")) == 0)
      }
      // The next one comes in, also after the page was on another view.
      try await visit.choose(Data("_id,store\n1,Bakery\n".utf8), name: "a.csv")
      try await visit.see("1 card is new.")
      try await visit.count(".cards li", is: 1)
      try await visit.browser.run("location.reload()")
      try await visit.count(".cards li", is: 1)
      // One that is over isn't told of again.
      try await visit.count(".toast, .banner", is: 0)
      let complaints = try await visit.browser.complaints()
      #expect(complaints == [])
    }
  }

  @Test(
    "When the program ends before the import, the page says that nothing came of it",
    .disabled(if: Chromium.absence != nil, Comment(rawValue: Chromium.absence ?? "")))
  func programEnds() async throws {
    let file = try Self.slowFile()
    let folder = try WalletVisit.newFolder()
    try await WalletVisit.begin(["--no-camera"], in: folder) { visit in
      try await visit.choose(file, name: "cards.zip")
      try await visit.text("viewfinder-sheet .figures", contains: "of 20 cards")
      let port = visit.server.port
      _ = await visit.server.end(SIGKILL)
      let again = try await WalletVisit.server(
        ["--no-camera", "--listen", "127.0.0.1:\(port)"], in: folder)
      try await visit.text(".toast", contains: "The program ended before the import did.")
      try await visit.count("dialog[open]", is: 0)
      #expect(await again.end() == 0)
    }
  }
}

/// Texts as a body, with something to wait for before the last one.
private struct Parts: AsyncSequence, AsyncIteratorProtocol, Sendable {
  var parts: [String]
  let beforeLast: @Sendable () async throws -> Void

  func makeAsyncIterator() -> Parts { self }

  mutating func next() async throws -> ByteBuffer? {
    guard !parts.isEmpty else { return nil }
    if parts.count == 1 { try await beforeLast() }
    return ByteBuffer(string: parts.removeFirst())
  }
}

extension WalletVisit {
  /// Chooses a file to be imported.
  fileprivate func choose(_ file: Data, name: String) async throws {
    try await browser.run(
      """
      const bytes = Uint8Array.from(atob(arguments[0]), (letter) => letter.charCodeAt(0));
      const files = new DataTransfer();
      files.items.add(new File([bytes], arguments[1]));
      const input = document.querySelector("[type=file]");
      input.files = files.files;
      input.dispatchEvent(new Event("change"));
      """, .string(file.base64EncodedString()), .string(name))
  }
}

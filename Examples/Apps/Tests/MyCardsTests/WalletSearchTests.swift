import BrowserSupport
import Foundation
import ServerSupport
import Testing

@Suite(
  "Search in the wallet", .serialized,
  .disabled(if: Chromium.absence != nil, Comment(rawValue: Chromium.absence ?? "")))
struct WalletSearchTests {
  private static let table = """
    2

    _id
    Food & drink

    _id,store,note
    1,Corner bakery,bread + rolls
    2,Corner shop,"100 % tea"
    3,Zoo,

    cardId,groupId
    1,Food & drink
    3,Food & drink

    """

  @Test("Cards are found by several words, and by signs that mean something in addresses")
  func words() async throws {
    try await WalletVisit.begin(["--no-camera"]) { visit in
      try await visit.fill(with: Self.table)
      for (text, names) in [
        ("corner BAK", ["Corner bakery"]), ("+ rolls", ["Corner bakery"]), ("%", ["Corner shop"]),
        ("&", ["Corner bakery", "Zoo"]), ("corner", ["Corner bakery", "Corner shop"]), ("#", []),
      ] {
        try await visit.browser.type(text, into: "[type=search]")
        try await visit.see(names)
        try await visit.browser.run("document.querySelector('[type=search]').select()")
      }
    }
  }

  @Test("A group whose name has signs in it shows its cards")
  func group() async throws {
    try await WalletVisit.begin(["--no-camera"]) { visit in
      try await visit.fill(with: Self.table)
      try await visit.click("[data-group^=Food]")
      try await visit.see(["Corner bakery", "Zoo"])
    }
  }
}

extension WalletVisit {
  /// Imports cards.
  fileprivate func fill(with table: String) async throws {
    #expect(try await HTTPVisitor(server.address).ask("POST", "import", table) == 200)
    try await count(".cards li", is: 3)
  }

  /// Waits until cards of these names alone are shown.
  fileprivate func see(_ names: [String]) async throws {
    let list = names.map { "'\($0)'" }.joined(separator: ",")
    try await wait(
      "\(names)",
      "[...document.querySelectorAll('.cards .name')].map(n => n.textContent).join()"
        + " === [\(list)].join()")
  }
}

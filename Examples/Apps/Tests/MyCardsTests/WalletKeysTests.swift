import BrowserSupport
import Foundation
import ServerSupport
import Testing

@Suite(
  "The wallet by keys and by a resting finger", .serialized,
  .disabled(if: Chromium.absence != nil, Comment(rawValue: Chromium.absence ?? "")))
struct WalletKeysTests {
  private static let names = (0..<12).map { "Card \(Character(UnicodeScalar(UInt8(65 + $0))))" }

  /// A wallet of twelve cards, which are in the order of their names.
  private func visit(_ body: @Sendable (WalletVisit) async throws -> Void) async throws {
    try await WalletVisit.begin(["--no-camera"]) { visit in
      let rows = Self.names.enumerated().map { "\($0.offset + 1),\($0.element)\n" }.joined()
      let table = "_id,store\n\(rows)"
      #expect(try await HTTPVisitor(visit.server.address).ask("POST", "import", table) == 200)
      try await visit.count(".cards li", is: 12)
      try await body(visit)
    }
  }

  @Test("A slash goes to the search, a question mark shows the keys, and Escape closes them")
  func pageKeys() async throws {
    try await visit { visit in
      try await visit.browser.press("?")
      try await visit.count("viewfinder-sheet[open] kbd", isAtLeast: 5)
      try await visit.browser.press(Key.escape)
      try await visit.count("viewfinder-sheet", is: 0)
      try await visit.browser.press("/")
      try await visit.wait("the search", "document.activeElement.type === 'search'")
      // There it is a letter like others.
      try await visit.browser.press("/?")
      try await visit.wait("both", "document.activeElement.value === '/?'")
      // From elsewhere it leads back to the list.
      try await visit.clearSearch()
      try await visit.browser.run("document.activeElement.blur(); location.hash = '#/settings'")
      try await visit.wait("settings", "document.querySelector('#language')")
      try await visit.browser.press("/")
      try await visit.count(".cards li", is: 12)
    }
  }

  @Test("In the list arrows go from card to card and row to row, Home and End to its ends")
  func arrows() async throws {
    try await visit { visit in
      let across = try await visit.browser.run(
        """
        const links = [...document.querySelectorAll(".cards a")];
        links[0].focus();
        const top = links[0].getBoundingClientRect().top;
        return links.filter((link) => Math.abs(link.getBoundingClientRect().top - top) < 2).length;
        """)
      let row = Int(across.number ?? 0)
      #expect((2..<12).contains(row))
      for (key, place) in [
        (Key.right, 1), (Key.down, 1 + row), (Key.left, row), (Key.up, 0), (Key.left, 0),
        (Key.end, 11), (Key.right, 11), (Key.home, 0),
      ] {
        try await visit.browser.press(key)
        try await visit.wait(
          Self.names[place],
          "document.activeElement.querySelector('.name')?.textContent === '\(Self.names[place])'")
        // One stop for Tab.
        try await visit.count(".cards a[tabindex='0']", is: 1)
      }
      try await visit.browser.press(Key.enter)
      try await visit.wait(
        "the till", "document.querySelector('.till h1')?.textContent === 'Card A'")
    }
  }

  @Test("Ctrl+Z takes back what was done last")
  func undo() async throws {
    try await visit { visit in
      try await visit.open("Card C")
      try await visit.click(".bar [aria-label=More]")
      try await visit.click(button: "Delete")
      try await visit.text(".toast", contains: "is deleted.")
      // With the pointer or the focus on it, it stays as long as the test takes.
      try await visit.browser.run("document.querySelector('.toast button').focus()")
      try await visit.count(".cards li", is: 11)
      try await visit.browser.type("\u{e009}z", into: ".toast button")
      try await visit.count(".cards li", is: 12)
    }
  }

  @Test("A finger that rests on a card opens its menu and no till; one that moves opens none")
  func restingFinger() async throws {
    try await visit { visit in
      try await visit.browser.run(
        """
        window.touch = (type, place, { by = 0, kind = PointerEvent } = {}) => {
          const link = document.querySelectorAll(".cards a")[place];
          const box = link.getBoundingClientRect();
          return link.dispatchEvent(new kind(type, {
            bubbles: true, cancelable: true, pointerType: "touch", isPrimary: true, detail: 1,
            clientX: box.left + 20 + by, clientY: box.top + 20,
          }));
        };
        touch("pointerdown", 0);
        touch("pointermove", 0, { by: 20 });
        touch("pointerdown", 1);
        touch("pointermove", 1, { by: 2 });
        """)
      // Its time is over after that of the first.
      try await visit.wait("the menu", "document.querySelector('.menu:popover-open')")
      try await visit.count(".menu", is: 1)
      try await visit.browser.run(
        "touch('pointerup', 1); touch('click', 1, { kind: MouseEvent })")
      try await visit.count(".menu:popover-open", is: 1)
      #expect(try await visit.browser.run("return location.hash.includes('till')") == false)
      try await visit.click(button: "Archive")
      try await visit.see("“Card B” is in the archive.")
      try await visit.count(".menu", is: 0)
      // A press is one again.
      try await visit.browser.run("touch('pointerdown', 0); touch('pointerup', 0)")
      try await visit.click(".cards a")
      try await visit.count(".till", is: 1)
    }
  }
}

extension WalletVisit {
  /// Waits until a number of elements are there, or more.
  fileprivate func count(_ selector: String, isAtLeast number: Int) async throws {
    try await wait(
      "\(number) × \(selector)", "document.querySelectorAll('\(selector)').length >= \(number)")
  }
}

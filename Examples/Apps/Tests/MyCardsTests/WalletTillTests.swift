import BrowserSupport
import CardModel
import CardStore
import Foundation
import Testing

@Suite(
  "The wallet's till", .serialized,
  .disabled(if: Chromium.absence != nil, Comment(rawValue: Chromium.absence ?? "")))
struct WalletTillTests {
  /// A wallet of one card that has a code and photos of both sides.
  private func visit(_ body: @Sendable (WalletVisit, String) async throws -> Void) async throws {
    let folder = try WalletVisit.newFolder()
    var card = Card()
    (card.name, card.cardId, card.barcodeType) = ("Market", "4006381333931", .ean13)
    let store = try CardStore(folder: folder.appending(component: "wallet"))
    card.front = CardPicture(picture: try store.addPicture(WalletVisit.grey(60, 856, 540)))
    card.back = CardPicture(picture: try store.addPicture(WalletVisit.grey(160, 856, 540)))
    try store.save(card)
    let id = card.id.uuidString.lowercased()
    try await WalletVisit.begin(["--no-camera"], in: folder) { visit in
      try await visit.count(".cards li", is: 1)
      try await body(visit, id)
    }
  }

  @Test(
    "C, F and B show the sides, Space turns over from where the focus is at first, Escape closes")
  func keys() async throws {
    try await visit { visit, _ in
      try await visit.click(".cards a")
      try await visit.wait("the code", "document.querySelector('img.code')?.naturalWidth > 0")
      for (key, side) in [
        (" ", "front"), (" ", "back"), ("c", "code"), ("f", "front"), ("b", "back"),
        (" ", "front"), ("c", "code"), (" ", "front"),
      ] {
        try await visit.browser.press(key)
        try await visit.wait(
          "the \(side) after “\(key)”",
          "document.querySelector('.segments input:checked')?.value === '\(side)'")
      }
      // Also where somebody chose a side by its button.
      try await visit.click(".segments label")
      try await visit.browser.press(" ")
      try await visit.wait("the front", "document.querySelector('.flip img')")
      try await visit.browser.press(Key.escape)
      try await visit.count(".till", is: 0)
      try await visit.wait("the list", "!location.hash.includes('till')")
    }
  }

  @Test("The brightness is hinted at the first five times")
  func hints() async throws {
    try await visit { visit, id in
      for time in 1...6 {
        let isHidden = try await visit.browser.run(
          """
          location.hash = `#/till/${arguments[0]}`;
          while (!document.querySelector(".till-hint")) await new Promise(requestAnimationFrame);
          return document.querySelector(".till-hint:not(.sideways)").hidden;
          """, .string(id))
        #expect(isHidden == .bool(time > 5), "time \(time)")
        try await visit.wait("the code", "document.querySelector('img.code')?.naturalWidth > 0")
        try await visit.browser.press(Key.escape)
        try await visit.count(".till", is: 0)
      }
    }
  }

  @Test("The screen stays on at the till, and no longer; not where somebody doesn't want it")
  func wakeLock() async throws {
    try await visit { visit, id in
      try await visit.browser.run(
        """
        window.locks = [];
        const request = async (kind) => {
          window.locks.push(kind);
          return { release: async () => { window.locks.push("released"); } };
        };
        Object.defineProperty(navigator, "wakeLock", { configurable: true, value: { request } });
        """)
      let open: JSON = .string("#/till/\(id)")
      try await visit.browser.run("location.hash = arguments[0]", open)
      try await visit.wait("the lock", "window.locks.join() === 'screen'")
      try await visit.browser.press(Key.escape)
      try await visit.wait("its end", "window.locks.join() === 'screen,released'")
      try await visit.browser.run(
        "localStorage.setItem('wallet-awake', 'false'); location.hash = arguments[0]", open)
      try await visit.wait("the code", "document.querySelector('img.code')?.naturalWidth > 0")
      try await visit.browser.press(Key.escape)
      try await visit.count(".till", is: 0)
      #expect(try await visit.browser.run("return window.locks.join()") == "screen,released")
    }
  }

  @Test("Where the browser can't keep the screen on, Settings says why")
  func noWakeLock() async throws {
    try await visit { visit, _ in
      let why = [
        ("true", "This browser can’t do that."), ("false", "This address isn’t a secure one"),
      ]
      for (isSecure, reason) in why {
        try await visit.browser.run(
          """
          Object.defineProperty(navigator, "wakeLock", { configurable: true, value: undefined });
          Object.defineProperty(window, "isSecureContext", { configurable: true, value: \(isSecure) });
          location.hash = "#/settings";
          """)
        try await visit.wait(
          "the reason",
          "document.querySelector('label:has([role=switch])')?.textContent.includes('\(reason)')")
        try await visit.browser.run("location.hash = '#/'")
        try await visit.wait("the list", "!document.querySelector('[role=switch]')")
      }
    }
  }
}

import BrowserSupport
import Foundation
import Testing

@Suite(
  "Bursts of changes", .serialized,
  .disabled(if: Chromium.absence != nil, Comment(rawValue: Chromium.absence ?? "")))
struct WalletBurstTests {
  /// Counts the page's reads of the list, which wait until `goOn` is called.
  private static let held = """
    const fetchAtOnce = window.fetch.bind(window);
    const isHeld = new Promise((goOn) => { window.goOn = goOn; });
    window.reads = 0;
    window.fetch = async (url, ...rest) => {
      if (new URL(url, location).pathname === "/cards") {
        window.reads += 1;
        await isHeld;
      }
      return fetchAtOnce(url, ...rest);
    };
    const { follow } = await import("/ui/events.js");
    follow("cards", (version) => { window.version = version; });
    """

  @Test("What changes while the list is read is read once more after it, however often it changes")
  func burst() async throws {
    try await WalletVisit.begin(["--no-camera"]) { visit in
      try await visit.see("Leave the plastic at home")
      try await visit.browser.run(Self.held)
      // Each time the page is told.
      for part in 0..<3 {
        try await visit.wait("the version", "window.version !== undefined")
        try await visit.browser.run(
          """
          window.before = window.version;
          for (let number = 0; number < 10; number += 1) {
            const changes = { name: `Card ${10 * arguments[0] + number}` };
            const answer = await fetch(`/cards/${crypto.randomUUID()}`, {
              method: "PUT", headers: { "Content-Type": "application/json" },
              body: JSON.stringify({ changes, before: {}, isNew: true }),
            });
            if (!answer.ok) throw new Error(answer.status);
          }
          """, .number(Double(part)))
        try await visit.wait("that the page hears of it", "window.version > window.before")
        // Beside the list's own read there may be one for what the browser keeps.
        let reads = try await visit.browser.run("return window.reads").number ?? 0
        #expect((1...2).contains(reads), "\(reads) reads after \(part + 1) reports")
      }
      try await visit.browser.run("window.goOn()")
      try await visit.count(".cards li", is: 30)
      // What was told last may have come while it was read again.
      let reads = try await visit.browser.run("return window.reads").number ?? 0
      #expect((2...5).contains(reads), "\(reads) reads")
      let complaints = try await visit.browser.complaints()
      #expect(complaints == [])
    }
  }
}

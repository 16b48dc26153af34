import BrowserSupport
import Foundation
import Testing
import Viewfinder

@Suite("Large libraries", .serialized, .needsBrowser)
struct LargeLibraryTests {
  @Test("Of 10,000 photos only those in or near sight are there, and have thumbnails")
  func tenThousand() async throws {
    try await NavigatorVisit.begin(prepare: { folder in
      let picture = try MadePictures.landscape(1, size: Dimensions(width: 64, height: 48))
        .jpegData()
      for number in 0..<10_000 {
        // What follows a JPEG's end makes it another file.
        try (picture + Data("\(number)".utf8)).write(
          to: folder.appending(component: "p\(number).jpg"))
      }
    }) { visit in
      try await visit.browser.run("performance.setResourceTimingBufferSize(20000)")
      try await visit.wait(
        "all", seconds: 120,
        "[...document.querySelectorAll('.cards .quiet')]"
          + ".some(p => p.textContent.startsWith('10,000 photos'))")
      // Posters changed while photos were found.
      try await visit.browser.run("performance.clearResourceTimings()")
      try await visit.open("All Photos")
      try await visit.wait("the thumbnails", Self.isWhole)
      let atOnce = try await visit.number(Self.tiles)
      #expect(atOnce > 20 && atOnce < 120)
      // As many as there are tiles; posters are the same pictures.
      #expect(try await visit.number(Self.thumbnails) <= atOnce + 10)
      #expect(try await visit.number(Self.pages) <= 2)
      // From one end to the other, as fast as frames are drawn.
      let most = try await visit.number(
        """
        const main = document.querySelector("main");
        const end = main.scrollHeight;
        let most = 0;
        for (let step = 1; step <= 40; step += 1) {
          main.scrollTop = end * step / 40;
          await new Promise(requestAnimationFrame);
          await new Promise(requestAnimationFrame);
          most = Math.max(most, document.querySelectorAll("#grid *").length);
        }
        return most;
        """)
      // An element for the place, a button, the picture, two texts.
      #expect(most < 120 * 5)
      try await visit.wait("the last ones", Self.isWhole)
      try await visit.wait(
        "the last place", "document.querySelector('#grid li:last-child').ariaPosInSet === '10000'")
      // What was passed by wasn't waited for.
      #expect(try await visit.number(Self.thumbnails) < 1500)
      try await visit.browser.screenshot("navigator-large")
      #expect(try await visit.number(Self.tiles) < 120)
      let complaints = try await visit.complaints()
      #expect(complaints == [])
    }
  }

  private static let tiles = "return document.querySelectorAll('#grid li').length"
  private static let isWhole = """
    (tiles => tiles.length > 0 && tiles.every(tile => tile.querySelector("img[src]")))
      ([...document.querySelectorAll("#grid li")])
    """
  private static let thumbnails = asked(for: "/thumbnail")
  private static let pages = asked(for: "/lists/")

  /// How many different addresses were asked for.
  private static func asked(for part: String) -> String {
    "return new Set(performance.getEntriesByType('resource').map(e => e.name)"
      + ".filter(name => name.includes('\(part)'))).size"
  }

  @Test("Thumbnails that aren't wanted any more are given up, the ones in sight come first")
  func givenUp() async throws {
    try await NavigatorVisit.begin { visit in
      let log = try await visit.browser.run(
        """
        const { Thumbnails } = await import("/thumbnails.js");
        const log = [];
        window.fetch = (path, { signal }) => new Promise((_, reject) => {
          log.push(path);
          signal.addEventListener("abort", () => {
            log.push(`-${path}`);
            reject(new Error("given up"));
          });
        });
        const thumbnails = new Thumbnails();
        thumbnails.want(["a", "b", "c", "d", "e"]);
        thumbnails.want(["e", "f", "b"]);
        return log;
        """)
      #expect(log == ["a", "b", "c", "-a", "-c", "e", "f"])
    }
  }

  @Test("Places follow what goes, comes and moves")
  func placement() async throws {
    let cases: [(change: JSON, places: [JSON])] = [
      (["removals": [], "insertions": [], "moves": []], [0, 1, 2, 3, 4]),
      (["removals": [0], "insertions": [], "moves": []], [.null, 0, 1, 2, 3]),
      (["removals": [], "insertions": [0, 1, 4], "moves": []], [2, 3, 5, 6, 7]),
      (["removals": [1, 3], "insertions": [1], "moves": []], [0, .null, 2, .null, 3]),
      (["removals": [], "insertions": [], "moves": [[0, 4]]], [4, 0, 1, 2, 3]),
      (["removals": [2], "insertions": [0], "moves": [[4, 1]]], [2, 3, .null, 4, 1]),
    ]
    try await NavigatorVisit.begin { visit in
      for (change, places) in cases {
        let found = try await visit.browser.run(
          """
          const { placement } = await import("/assets.js");
          return [0, 1, 2, 3, 4].map((place) => placement(arguments[0]).after(place) ?? null);
          """, change)
        #expect(found == .array(places), "\(change)")
      }
    }
  }
}

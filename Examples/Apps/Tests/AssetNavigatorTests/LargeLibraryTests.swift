import BrowserSupport
import Foundation
import Testing
import Viewfinder

@Suite("Large libraries", .serialized, .needsBrowser)
struct LargeLibraryTests {
  @Test(
    "Very many photos scroll from end to end without a blank moment, with few elements; all of them can be selected"
  )
  func many() async throws {
    try await NavigatorVisit.begin(prepare: { folder in
      let picture = try MadePictures.landscape(1, size: Dimensions(width: 64, height: 48))
        .jpegData()
      for number in 0..<Self.count {
        // Folders of a size that people have; what follows a JPEG's end makes it another file.
        let inner = folder.appending(component: "\(number / 5000)")
        if number % 5000 == 0 {
          try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
        }
        let file = inner.appending(component: "p\(number).jpg")
        try (picture + Data("\(number)".utf8)).write(to: file)
        // 27 a day, for ten years.
        var times = [timeval(), timeval()]
        for index in 0...1 { times[index].tv_sec = 1_400_000_000 + number * 3200 }
        utimes(file.path, times)
      }
    }) { visit in
      try await visit.wait(
        "all", limit: .seconds(400),
        "document.querySelector('#grid li')?.ariaSetSize === '\(Self.count)'"
          + " && document.querySelector('#work').textContent === ''")
      try await visit.wait("the thumbnails", Self.isWhole)
      let atOnce = try await visit.number(Self.tiles)
      #expect(atOnce > 20 && atOnce < 140)
      // From one end to the other as fast as frames are drawn, a screen and more in each.
      _ = try await visit.browser.run(
        "window.scrolled = { blank: [], pictures: 0, since: null, longest: 0, most: 0, step: 0, time: 0 }"
      )
      var found = JSON.null
      repeat {
        found = try await visit.browser.run(Self.scroll, .number(Double(Self.steps)))
      } while found["step"].number != Double(Self.steps)
      let longest = Int(try #require(found["longest"].number))
      let most = try #require(found["most"].number)
      let memory = try await visit.number(Self.memory)
      print(
        "\(Self.count) photos: at most \(Int(most)) elements; at most \(longest) ms without a picture in sight,"
          + " which \(Int(found["pictures"].number ?? 0)) of \(Self.steps) frames had;"
          + " \(Int(found["time"].number ?? 0) / Self.steps) ms a frame;"
          + " \(Int(memory / 1_000_000)) MB of JavaScript's memory, \(Int(found["kept"].number ?? 0)) pictures kept"
      )
      // How soon pictures come depends on the machine. That each place of the window has a photo, or the place of one that
      // comes, doesn't.
      #expect(found["blank"] == [])
      #expect(most < 140 * 12)
      try await visit.wait("the last ones", Self.isWhole)
      try await visit.wait(
        "the last place",
        "document.querySelector('#grid li:last-child').ariaPosInSet === '\(Self.count)'")
      try await visit.browser.screenshot("navigator-large")
      // Where frames are slow, what comes next is known before it is in sight; at the end, nothing more comes that draws.
      try await visit.browser.run("location.reload()")
      try await visit.wait("the first ones", Self.isWhole)
      _ = try await visit.browser.run(Self.scrollSlowly)
      try await visit.wait("what lies around the last place", Self.isWhole)
      // The scrubber names the month, and goes to another one.
      let month = "document.querySelector('#scrubber input').getAttribute('aria-valuetext')"
      #expect(try await visit.browser.run("return \(month)") == "May 2014")
      try await visit.browser.run(
        "const range = document.querySelector('#scrubber input'); range.value = 500;"
          + "range.dispatchEvent(new Event('input'))")
      try await visit.wait("another month", "\(month) !== 'May 2014' && \(month).length > 7")
      try await visit.wait("its thumbnails", Self.isWhole)
      try await visit.favorAll()
      let complaints = try await visit.complaints()
      #expect(complaints == [])
    }
  }

  /// `VIEWFINDER_PHOTOS`, or 100,000.
  fileprivate static let count =
    ProcessInfo.processInfo.environment["VIEWFINDER_PHOTOS"].flatMap { Int($0) } ?? 100_000

  /// 1,500 for 100,000 photos, and as far in each whatever there are.
  private static let steps = max(count * 3 / 200, 20)

  /// Scrolls over the last screens with time for each.
  private static let scrollSlowly = """
    const page = document.documentElement;
    for (let screens = 8; screens >= 0; screens -= 1) {
      page.scrollTop = page.scrollHeight - innerHeight * (1 + screens);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    """

  /// Scrolls on for some seconds; notes places of the window in which nothing lies, and how long no tile in sight has a picture.
  private static let scroll = """
    const [scrolled, steps] = [window.scrolled, arguments[0]];
    const page = document.documentElement;
    const end = page.scrollHeight - innerHeight;
    const begin = performance.now();
    while (scrolled.step < steps && performance.now() - begin < 5000) {
      scrolled.step += 1;
      page.scrollTop = (end * scrolled.step) / steps;
      // What is drawn for this place is drawn in that frame, maybe after this.
      await new Promise(requestAnimationFrame);
      await new Promise((resolve) => setTimeout(resolve));
      const isSeen = (tile) => {
        const { top, bottom } = tile.getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
      };
      const hasPicture = [...document.querySelectorAll("#grid button:has(img[src])")].some(isSeen);
      if (hasPicture) scrolled.pictures += 1;
      scrolled.since = hasPicture ? null : scrolled.since ?? performance.now();
      scrolled.longest = Math.max(scrolled.longest, performance.now() - (scrolled.since ?? performance.now()));
      // Each row has its first column, and each day its title. Between them are gaps.
      const { left, top, bottom } = document.querySelector("#frame").getBoundingClientRect();
      const isBlank = (y) => document.elementFromPoint(left + 20, y)?.matches("#frame, #days, #grid, #main, body, html");
      for (let y = Math.max(top, 0) + 10; y < Math.min(bottom, innerHeight) - 10; y += 60) {
        if (isBlank(y) && isBlank(y + 6) && scrolled.blank.length < 20) scrolled.blank.push([scrolled.step, y]);
      }
      if (scrolled.step % 50 === 0) {
        scrolled.most = Math.max(scrolled.most, document.querySelectorAll("#frame *").length);
      }
    }
    scrolled.time += performance.now() - begin;
    return { ...scrolled, kept: document.querySelectorAll("#grid img[src]").length };
    """
  private static let memory = "return performance.memory.usedJSHeapSize"
  private static let tiles = "return document.querySelectorAll('#grid li').length"
  private static let isWhole = """
    (tiles => tiles.length > 0 && tiles.every(tile => tile.querySelector("img[src]")))
      ([...document.querySelectorAll("#grid li")])
    """

  @Test("Thumbnails that aren't wanted any more are given up, the ones in sight come first")
  func givenUp() async throws {
    try await NavigatorVisit.begin { visit in
      let log = try await visit.browser.run(
        """
        const { Thumbnails } = await import("/thumbnails.js");
        const log = [];
        window.fetch = (url, { signal }) => new Promise((_, reject) => {
          const path = new URL(url).pathname.slice(1);
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
      #expect(log == ["a", "b", "c", "d", "-a", "-c", "-d", "e", "f"])
    }
  }

  @Test(
    "Thumbnails that didn't come, the server being away, are asked for again while the page rests")
  func thumbnailsAgain() async throws {
    try await NavigatorVisit.begin { visit in
      let log = try await visit.browser.run(
        """
        const { Thumbnails } = await import("/thumbnails.js");
        const log = [];
        const answers = [null, 503, 200, 200];
        const fetchOfPage = window.fetch;
        window.fetch = async (url, options) => {
          const path = new URL(url).pathname.slice(1);
          if (path !== "a" && path !== "b") return fetchOfPage(url, options);
          log.push(path);
          const status = answers.shift();
          if (!status) throw new TypeError("no connection");
          return new Response("{}", { status });
        };
        const thumbnails = new Thumbnails();
        await new Promise((resolve) => {
          thumbnails.addEventListener("load", () => thumbnails.get("a") && thumbnails.get("b") && resolve());
          thumbnails.want(["a", "b"]);
        });
        return [...log, Boolean(thumbnails.get("a").source && thumbnails.get("b").source)];
        """)
      #expect(log == ["a", "b", "a", "b", true])
    }
  }

  @Test(
    "Assets that didn't come, the server being away, are asked for again, and the page tells it once"
  )
  func assetsAgain() async throws {
    try await NavigatorVisit.begin { visit in
      let log = try await visit.browser.run(
        """
        const { Assets } = await import("/assets.js");
        const log = [];
        let failures = 2;
        const fetchOfPage = window.fetch;
        window.fetch = async (url, options) => {
          if (!new URL(url).pathname.endsWith("/lists/made")) return fetchOfPage(url, options);
          if (failures-- > 0) throw new TypeError("no connection");
          return Response.json([{ id: "1" }, { id: "2" }]);
        };
        const assets = new Assets();
        assets.addEventListener("problem", () => log.push("problem"));
        assets.begin({ id: "made", count: 2 });
        await new Promise((resolve) => {
          assets.addEventListener("load", resolve);
          assets.want(0, 1);
        });
        return [...log, assets.at(1).id];
        """)
      #expect(log == ["problem", "2"])
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

extension NavigatorVisit {
  /// Makes all photos favourites, and takes that back: more than one request has room for.
  fileprivate func favorAll() async throws {
    try await browser.run(
      "document.body.dispatchEvent("
        + "new KeyboardEvent('keydown', { key: 'a', ctrlKey: true, bubbles: true }))")
    let all = LargeLibraryTests.count.formatted(.number.locale(Locale(identifier: "en")))
    try await wait(
      "all selected", limit: .seconds(400),
      "document.querySelector('#selected').textContent === '\(all) selected'")
    try await click("#actions [data-tool=favorite]")
    try await wait(
      "all hearts", limit: .seconds(400),
      "document.querySelector('.toast:not(.work)')?.textContent.startsWith('\(all) are favourites now.')"
    )
  }
}

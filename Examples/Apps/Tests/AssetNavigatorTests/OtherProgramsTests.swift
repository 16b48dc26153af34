import BrowserSupport
import Foundation
import Testing

@Suite("Other programs", .serialized, .needsBrowser)
struct OtherProgramsTests {
  @Test("What other programs do appears by itself, and what is in sight stays where it is")
  func otherPrograms() async throws {
    try await NavigatorVisit.begin(prepare: { folder in
      for number in 10..<70 { try MadePictures.write(number, to: folder) }
    }) { visit in
      try await visit.open("All Photos")
      try await visit.tile("picture-69.jpg", "")
      // At the top what is new is seen.
      try MadePictures.write(70, to: visit.pictures)
      try await visit.tile("picture-70.jpg", "")
      try await visit.browser.run("document.documentElement.scrollTop = 700")
      try await visit.tile("picture-40.jpg", "")
      // The first two of which more than half is in sight.
      let sight = """
        // Below the day's title, which stays.
        const top = 0;
        const tiles = [...document.querySelectorAll("#grid li")].filter((tile) =>
          (tile.getBoundingClientRect().top + tile.getBoundingClientRect().bottom) / 2 > top);
        return tiles.slice(0, 2).map((tile) => tile.firstElementChild.title);
        """
      let names = try await visit.browser.run(sight)
      let (first, second) = (try #require(names[0].string), try #require(names[1].string))
      let before = try await visit.top(of: first)
      // Rows come in above, and one goes.
      for number in 71..<90 { try MadePictures.write(number, to: visit.pictures) }
      try FileManager.default.removeItem(
        at: visit.pictures.appending(component: "picture-70.jpg"))
      try await visit.wait("all of them", "document.querySelector('#grid li').ariaSetSize === '79'")
      // Browsers scroll by whole pixels.
      #expect(abs(try await visit.top(of: first) - before) <= 1)
      // What goes elsewhere doesn't take the sight with it.
      try MadePictures.write(0, to: visit.pictures, as: first)
      try await visit.wait(
        "its going",
        "(e => !e || e.dataset.place === '78')(document.querySelector('[title=\"\(first)\"]'))")
      #expect(abs(try await visit.top(of: second) - before) <= 1)
      // What is written to is shown anew.
      let source = "document.querySelector('[title=\"\(second)\"] img')?.src"
      let old = try await visit.browser.run("return \(source)").string ?? ""
      let minute = second.firstMatch(of: /[0-9]+/).flatMap { Int($0.0) }
      try MadePictures.write(5, to: visit.pictures, as: second, minute: minute)
      try await visit.wait("another picture", "\(source) && \(source) !== '\(old)'")
      let complaints = try await visit.complaints()
      #expect(complaints == [])
    }
  }

  @Test("Sixty photos that come at once are asked for in a few requests, and all are there")
  func burst() async throws {
    try await NavigatorVisit.begin { visit in
      let folder = visit.folder.appending(component: "more")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      for number in 3..<63 { try MadePictures.write(number, to: folder) }
      try await visit.open("All Photos")
      try await visit.grid(has: 3)
      try await visit.browser.run(
        """
        const fetchAtOnce = window.fetch.bind(window);
        window.reads = 0;
        window.fetch = (url, ...rest) => {
          if (new URL(url, location).pathname.startsWith("/lists/")) window.reads += 1;
          return fetchAtOnce(url, ...rest);
        };
        """)
      for number in 3..<63 {
        let name = "picture-\(number).jpg"
        try FileManager.default.moveItem(
          at: folder.appending(component: name), to: visit.pictures.appending(component: name))
      }
      try await visit.wait(
        "all of them", "document.querySelector('#grid li')?.ariaSetSize === '63'")
      let reads = try await visit.number("return window.reads")
      #expect((1...20).contains(reads), "\(reads) requests for 60 photos")
      let complaints = try await visit.complaints()
      #expect(complaints == [])
    }
  }
}

extension NavigatorVisit {
  /// How far from the window's top a tile is.
  fileprivate func top(of name: String) async throws -> Double {
    try await number(
      "return document.querySelector('[title=\"\(name)\"]').getBoundingClientRect().top")
  }
}

import BrowserSupport
import Foundation
import Testing
import Viewfinder

@Suite("Albums", .serialized, .needsBrowser)
struct AlbumTests {
  @Test("Albums have a poster, a name and their counts, and the grid has the newest first")
  func albums() async throws {
    try await NavigatorVisit.begin(prepare: { folder in
      try MadePictures.few(folder)
      let trip = folder.appending(component: "Trip")
      try FileManager.default.createDirectory(at: trip, withIntermediateDirectories: true)
      for number in 3..<11 { try MadePictures.write(number, to: trip) }
    }) { visit in
      try await visit.album("All Photos", has: 11)
      try await visit.album("Trip", has: 8)
      try await visit.album("Camera roll", has: 0)
      try await visit.wait(
        "whole posters",
        "(posters => posters.length >= 1 && posters.every(i => i.naturalWidth > 0))"
          + "([...document.querySelectorAll('#albums .poster img')])")
      try await visit.look("albums")
      try await visit.open("All Photos")
      try await visit.grid(has: 11)
      let names = try await visit.browser.run(
        "return [...document.querySelectorAll('#grid button')].map(b => b.title)")
      #expect(names == .array((0..<11).reversed().map { .string("picture-\($0).jpg") }))
      try await visit.look("grid")
      try await visit.album("Trip", has: 8)
      let complaints = try await visit.complaints()
      #expect(complaints == [])
    }
  }

  @Test("The grid works with the keyboard alone")
  func keyboard() async throws {
    try await NavigatorVisit.begin(prepare: { folder in
      for number in 0..<20 { try MadePictures.write(number, to: folder) }
    }) { visit in
      try await visit.open("All Photos")
      try await visit.grid(has: 20)
      try await visit.browser.run("document.querySelector('#grid [tabindex=\"0\"]').focus()")
      try await visit.browser.press(Key.right + Key.down)
      let columns = try await visit.browser.run(
        "const tops = [...document.querySelectorAll('#grid li')]"
          + ".map(li => li.getBoundingClientRect().top);"
          + "return tops.filter(top => top === tops[0]).length")
      let focused = "return document.activeElement.dataset.place"
      let place = try #require(columns.number.map { Int($0) + 1 })
      #expect(try await visit.browser.run(focused).string == "\(place)")
      try await visit.browser.press(Key.end)
      #expect(try await visit.browser.run(focused).string == "19")
      try await visit.browser.press(Key.enter)
      try await visit.text("#viewer h1", contains: "picture-0.jpg")
      try await visit.seePicture("the picture", where: "i.naturalWidth === 320")
      try await visit.browser.press(Key.left)
      try await visit.text("#viewer h1", contains: "picture-1.jpg")
      try await visit.text("#viewer .viewer-top .caption", contains: "19 of 20")
      try await visit.browser.press(Key.escape)
      try await visit.isClosed()
      try await visit.wait("the focus", "document.activeElement.dataset.place === '18'")
    }
  }

  @Test("File and album names with markup are shown as they are, and never run")
  func markup() async throws {
    let name = "<img src=x onerror=alert(1)>.jpg"
    try await NavigatorVisit.begin(prepare: { folder in
      let bold = folder.appending(component: "<b>bold<script>alert(2)")
      try FileManager.default.createDirectory(at: bold, withIntermediateDirectories: true)
      try MadePictures.write(0, to: bold, as: name)
      try Data("no picture".utf8).write(to: bold.appending(component: "<i>broken.jpg"))
    }) { visit in
      try await visit.album("<b>bold<script>alert(2)", has: 2)
      try await visit.open("<b>bold<script>alert(2)")
      try await visit.show(name)
      try await visit.click("#viewer [data-tool=about]")
      try await visit.text("#viewer .files", contains: name)
      #expect(
        try await visit.browser.run(
          "return document.querySelectorAll('main b, main i, [onerror], main script').length"
        ).number == 0)
      let complaints = try await visit.complaints()
      #expect(complaints == [])
    }
  }
}

import BrowserSupport
import Foundation
import Testing
import Viewfinder
import ViewfinderLibrary

@Suite(
  "Changes", .serialized, .disabled(if: noBrowser != nil, Comment(rawValue: noBrowser ?? "")))
struct ChangeTests {
  @Test("A photo that is taken is saved, and appears in the grid")
  func camera() async throws {
    try await NavigatorVisit.begin(NavigatorVisit.camera) { visit in
      try await visit.open("Camera Roll")
      try await visit.text("#none", contains: "no photo here yet")
      try await visit.takePhoto()
      try await visit.look("crop")
      try await visit.click("[data-do=usePhoto]")
      try await visit.count("#grid img[src]", is: 1)
      try await visit.text("#notice", contains: "Saved as VWF_0001.JPG")
      #expect(visit.saved == ["VWF_0001.JPG"])
      // A second one, turned: the original is kept beside it.
      try await visit.takePhoto()
      try await visit.click("[data-do=turnRight]")
      try await visit.click("[data-do=usePhoto]")
      try await visit.count("#grid img[src]", is: 2)
      #expect(visit.saved == ["VWFE0002.JPG", "VWF_0001.JPG", "VWF_0002.JPG"])
      try await visit.show("VWFE0002.JPG")
      try await visit.wait(
        "the turned picture",
        "(i => i?.naturalHeight > i?.naturalWidth)(document.querySelector('#viewer .full img'))")
      try await visit.click("#viewer .about")
      try await visit.clickFile("Original")
      try await visit.wait(
        "the original",
        "(i => i?.naturalHeight < i?.naturalWidth)(document.querySelector('#viewer .full img'))")
      let complaints = try await visit.complaints()
      #expect(complaints == [])
    }
  }

  @Test("A photo that can't be saved is told of and kept, and saved when it can be")
  func saveError() async throws {
    try await NavigatorVisit.begin(NavigatorVisit.camera) { visit in
      // Where the folder for photos belongs there is something else.
      let obstacle = visit.pictures.appending(component: "DCIM")
      try Data().write(to: obstacle)
      try await visit.open("Camera Roll")
      try await visit.takePhoto()
      try await visit.click("[data-do=usePhoto]")
      try await visit.text("#problem", contains: "The photo isn't saved.")
      try await visit.text("#problem", contains: "DCIM")
      try await visit.look("unsaved")
      try await visit.click("#save-again")
      try await visit.text("#problem", contains: "DCIM")
      try FileManager.default.removeItem(at: obstacle)
      try await visit.click("#save-again")
      try await visit.count("#grid img[src]", is: 1)
      try await visit.wait("no problem", "document.querySelector('#alert').hidden")
      #expect(visit.saved == ["VWF_0001.JPG"])
    }
  }

  @Test("A photo that can't be saved can be given up")
  func discard() async throws {
    try await NavigatorVisit.begin(NavigatorVisit.camera) { visit in
      try Data().write(to: visit.pictures.appending(component: "DCIM"))
      try await visit.takePhoto()
      try await visit.click("[data-do=usePhoto]")
      try await visit.click("#discard")
      try await visit.wait("no problem", "document.querySelector('#alert').hidden")
    }
  }

  @Test("An album is made, gets photos, loses one, and is deleted; the photos stay")
  func albums() async throws {
    try await NavigatorVisit.begin { visit in
      try await visit.album("All Photos", says: "3 photos, 0 videos")
      try await visit.click("#new-album")
      try await visit.browser.type("Hills", into: "#sheet input")
      try await visit.click("#sheet .primary")
      try await visit.text("#title", contains: "Hills")
      try await visit.text("#none", contains: "Nothing is in this album yet")
      try await visit.click("#back")
      try await visit.album("Hills", says: "0 photos, 0 videos")
      try await visit.open("All Photos")
      try await visit.count("#grid img[src]", is: 3)
      try await visit.click("#select")
      for name in ["picture-0.jpg", "picture-2.jpg"] { try await visit.tile(name, "tile.click()") }
      try await visit.text("#selected", contains: "2 selected")
      try await visit.look("selection")
      try await visit.click("#add")
      try await visit.look("sheet")
      try await visit.click("#sheet button:not(.primary)")
      try await visit.text("#notice", contains: "Added to Hills.")
      try await visit.click("#back")
      try await visit.album("Hills", says: "2 photos, 0 videos")
      try await visit.open("Hills")
      try await visit.count("#grid img[src]", is: 2)
      try await visit.click("#select")
      try await visit.tile("picture-0.jpg", "tile.click()")
      try await visit.click("#remove")
      try await visit.count("#grid li", is: 1)
      try await visit.text("#subtitle", contains: "1 photo, 0 videos")
      try await visit.click("#delete-album")
      try await visit.click("#sheet .primary")
      try await visit.album("All Photos", says: "3 photos, 0 videos")
      try await visit.wait(
        "no album", "![...document.querySelectorAll('.name')].some(n => n.textContent === 'Hills')")
      let complaints = try await visit.complaints()
      #expect(complaints == [])
    }
  }

  @Test("Photos go into the trash after a question, from the grid and from the full screen")
  func trash() async throws {
    try await NavigatorVisit.begin { visit in
      // A name of its own: the trash is everybody's.
      let name = "gone-\(UUID().uuidString).jpg"
      try MadePictures.write(9, to: visit.pictures, as: name)
      let file = visit.pictures.appending(component: name)
      try await visit.open("All Photos")
      try await visit.count("#grid img[src]", is: 4)
      try await visit.click("#select")
      try await visit.tile(name, "tile.click()")
      try await visit.click("#trash")
      try await visit.text("#sheet h2", contains: "Move 1 photo or video to the trash?")
      try await visit.browser.press(Key.escape)
      try await visit.wait("no question", "!document.querySelector('#sheet').open")
      #expect(FileManager.default.fileExists(atPath: file.path))
      try await visit.click("#trash")
      try await visit.click("#sheet .primary")
      try await visit.count("#grid li", is: 3)
      let trashed = NavigatorVisit.trash.appending(component: name)
      #expect(FileManager.default.fileExists(atPath: trashed.path))
      #expect(!FileManager.default.fileExists(atPath: file.path))
      // In full, the next one takes the place of what is gone.
      try await visit.show("picture-2.jpg")
      try await visit.click("#viewer .trash")
      try await visit.click("#sheet .primary")
      try await visit.text("#viewer h2", contains: "picture-1.jpg")
      try await visit.count("#grid li", is: 2)
      let complaints = try await visit.complaints()
      #expect(complaints == [])
    }
  }

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
      try await visit.browser.run("document.querySelector('main').scrollTop = 700")
      try await visit.tile("picture-40.jpg", "")
      // The first two of which more than half is in sight.
      let sight = """
        const { top } = document.querySelector("main").getBoundingClientRect();
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
}

extension NavigatorVisit {
  /// The camera's photos, by name.
  var saved: [String] {
    let folder = pictures.appending(path: "DCIM/100VWFND")
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  /// How far from the window's top a tile is.
  func top(of name: String) async throws -> Double {
    try await number(
      "return document.querySelector('[title=\"\(name)\"]').getBoundingClientRect().top")
  }

  /// Takes a photo, up to the step in which it may be cropped.
  func takePhoto() async throws {
    try await click("#camera")
    try await wait(
      "the live picture",
      "document.querySelector('dialog[open] viewfinder-live > img')?.naturalWidth > 0")
    try await click("[data-do=takePicture]")
    try await wait("the crop", "document.querySelector('.crop img')?.naturalWidth > 0")
  }
}

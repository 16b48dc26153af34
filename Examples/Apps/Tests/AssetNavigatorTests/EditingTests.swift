import BrowserSupport
import Foundation
import Testing

@Suite("Editing", .serialized, .needsBrowser)
struct EditingTests {
  @Test("An album is made, gets photos, loses one, and is deleted; the photos stay")
  func albums() async throws {
    try await NavigatorVisit.begin { visit in
      try await visit.album("All Photos", says: "3 photos, 0 videos")
      try await visit.makeAlbum("Hills")
      try await visit.text("#title", contains: "Hills")
      try await visit.text("#none", contains: "Nothing is in this album yet")
      try await visit.click("#back")
      try await visit.album("Hills", says: "0 photos, 0 videos")
      try await visit.open("All Photos")
      try await visit.grid(has: 3)
      try await visit.select("picture-0.jpg", "picture-2.jpg")
      try await visit.text("#selected", contains: "2 selected")
      try await visit.look("selection")
      try await visit.click("#add")
      try await visit.look("sheet")
      try await visit.click("#sheet button:not(.primary)")
      try await visit.text("#notice", contains: "Added to Hills.")
      try await visit.click("#back")
      try await visit.album("Hills", says: "2 photos, 0 videos")
      try await visit.open("Hills")
      try await visit.grid(has: 2)
      try await visit.select("picture-0.jpg")
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
      try await visit.grid(has: 4)
      try await visit.select(name)
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
}

import BrowserSupport
import Foundation
import Testing

@Suite("Editing", .serialized, .needsBrowser)
struct EditingTests {
  @Test("An album is made, gets photos, loses one, and is deleted; the photos stay")
  func albums() async throws {
    try await NavigatorVisit.begin { visit in
      try await visit.album("All Photos", has: 3)
      try await visit.makeAlbum("Hills")
      try await visit.text("#title", contains: "Hills")
      try await visit.text("#empty", contains: "Nothing is in this album yet")
      try await visit.album("Hills", has: 0)
      // A second one of that name would be the same.
      try await visit.makeAlbum("Hills")
      try await visit.text("#question-error", contains: "There is an album “Hills”.")
      try await visit.look("question")
      try await visit.browser.press(Key.escape)
      try await visit.open("All Photos")
      try await visit.grid(has: 3)
      try await visit.select("picture-0.jpg", "picture-2.jpg")
      try await visit.text("#selected", contains: "2 selected")
      try await visit.look("selection")
      try await visit.click("#actions [data-tool=addToAlbum]")
      try await visit.wait("the choice", "document.querySelector('#question[open] .item')")
      try await visit.look("choice")
      try await visit.click("#question .item")
      try await visit.told("Added to “Hills”.")
      try await visit.album("Hills", has: 2)
      try await visit.open("Hills")
      try await visit.grid(has: 2)
      try await visit.select("picture-0.jpg")
      try await visit.click("#actions [data-tool=remove]")
      try await visit.count("#grid li", is: 1)
      // And back again.
      try await visit.click(button: "Undo")
      try await visit.count("#grid li", is: 2)
      try await visit.click("#more")
      try await visit.click("#delete-album")
      try await visit.click("#question .danger")
      try await visit.wait(
        "no album",
        "location.hash === '#/albums' && document.querySelector('#albums bdi')"
          + " && ![...document.querySelectorAll('#albums bdi')].some(n => n.textContent === 'Hills')"
      )
      try await visit.album("All Photos", has: 3)
      let complaints = try await visit.complaints()
      #expect(complaints == [])
    }
  }

  @Test("Photos go into the trash at once, and come back by Undo and from the trash's page")
  func trash() async throws {
    try await NavigatorVisit.begin { visit in
      // A name of its own: the trash is everybody's.
      let name = "gone-\(UUID().uuidString).jpg"
      try MadePictures.write(9, to: visit.pictures, as: name)
      let file = visit.pictures.appending(component: name)
      func isThere() -> Bool { FileManager.default.fileExists(atPath: file.path) }
      try await visit.open("All Photos")
      try await visit.grid(has: 4)
      try await visit.select(name)
      try await visit.click("#actions [data-tool=toTrash]")
      try await visit.told("1 photo is in the trash.")
      try await visit.count("#grid li", is: 3)
      #expect(!isThere())
      try await visit.click(button: "Undo")
      try await visit.count("#grid li", is: 4)
      try await visit.told("1 photo is back.")
      #expect(isThere())
      // By a key, and back from its page.
      try await visit.select(name)
      try await visit.browser.press(Key.delete)
      try await visit.count("#grid li", is: 3)
      try await visit.go("#/trash")
      try await visit.click("#trash [aria-label$='\(name)']")
      try await visit.look("trash")
      try await visit.click("#question [value=restore]")
      try await visit.told("1 photo is back.")
      #expect(isThere())
      // In full, the next one takes the place of what is gone.
      try await visit.open("All Photos")
      try await visit.show(name)
      try await visit.browser.press(Key.delete)
      try await visit.isShown("picture-2.jpg")
      #expect(!isThere())
      // For good after a question.
      try await visit.browser.press(Key.escape)
      try await visit.go("#/trash")
      try await visit.click("#empty-trash")
      try await visit.text("#question", contains: "for good?")
      try await visit.click("#question .danger")
      try await visit.count("#trash .tile", is: 0)
      try await visit.see("Nothing here")
      let trashed = NavigatorVisit.trash.appending(component: name)
      #expect(!FileManager.default.fileExists(atPath: trashed.path) && !isThere())
      let complaints = try await visit.complaints()
      #expect(complaints == [])
    }
  }

  @Test("Delete puts the photo that has the keyboard's focus into the trash, with a way back")
  func deleteKey() async throws {
    try await NavigatorVisit.begin { visit in
      try await visit.open("All Photos")
      try await visit.grid(has: 3)
      try await visit.tile("picture-1.jpg", "tile.focus()")
      try await visit.browser.press(Key.delete)
      try await visit.told("1 photo is in the trash.")
      try await visit.count("#grid li", is: 2)
      #expect(visit.files == ["picture-0.jpg", "picture-2.jpg"])
      // The next one has the focus, and the key again.
      try await visit.hasFocus("[title='picture-0.jpg']")
      try await visit.click(button: "Undo")
      try await visit.count("#grid li", is: 3)
      // Elsewhere the key does nothing.
      try await visit.browser.run("document.querySelector('#select').focus()")
      try await visit.browser.press(Key.delete + "?")
      try await visit.wait("another key", "document.querySelector('.keys')")
      #expect(visit.files == MadePictures.names(0..<3))
    }
  }

  @Test("More photos than one request has go part by part, with how far it is, and one way back")
  func parts() async throws {
    let onePart = "document.querySelector('.work progress').value === 2"
    try await NavigatorVisit.begin(prepare: { folder in
      for number in 0..<7 { try MadePictures.write(number, to: folder) }
    }) { visit in
      try await visit.open("All Photos")
      try await visit.grid(has: 7)
      try await visit.browser.run(
        "const { parts } = await import('/in-parts.js'); parts.size = 2;")
      try await visit.interceptRequests()
      // The second part waits: the page says what is under way.
      try await visit.selectAll(of: 7)
      try await visit.answer("/trash", "late", after: 1)
      try await visit.click("#actions [data-tool=toTrash]")
      try await visit.text(".toast.work", contains: "7 photos go into the trash.")
      try await visit.wait("one part", onePart)
      try await visit.look("parts")
      try await visit.goOn()
      try await visit.told("7 photos are in the trash.")
      try await visit.wait("no sign", "!document.querySelector('.work')")
      #expect(visit.files == [])
      try await visit.click(button: "Undo")
      try await visit.told("7 photos are back.")
      #expect(visit.files == MadePictures.names(0..<7))
      // Somebody has had enough.
      try await visit.grid(has: 7)
      try await visit.selectAll(of: 7)
      try await visit.answer("/trash", "late", after: 1)
      try await visit.click("#actions [data-tool=toTrash]")
      try await visit.wait("one part", onePart)
      try await visit.click(".work button")
      try await visit.goOn()
      try await visit.told("4 photos are in the trash.")
      #expect(visit.files.count == 3)
      try await visit.click(button: "Undo")
      try await visit.told("4 photos are back.")
      // What fails leaves what was done, and what is left selected.
      try await visit.grid(has: 7)
      try await visit.selectAll(of: 7)
      try await visit.answer("/trash", "wrong", after: 1)
      try await visit.click("#actions [data-tool=toTrash]")
      try await visit.told("2 photos are in the trash. The folder can’t be read.")
      try await visit.text("#selected", contains: "5 selected")
      try await visit.answer("/trash", "right")
      try await visit.click(button: "Undo")
      try await visit.told("2 photos are back.")
      try await visit.browser.press(Key.escape)
      // Favourites and albums, too.
      try await visit.grid(has: 7)
      try await visit.selectAll(of: 7)
      try await visit.click("#actions [data-tool=favorite]")
      try await visit.told("7 are favourites now.")
      try await visit.album("Favourites", has: 7)
      try await visit.open("All Photos")
      try await visit.grid(has: 7)
      try await visit.selectAll(of: 7)
      try await visit.click("#actions [data-tool=addToAlbum]")
      try await visit.click("#question [value=new]")
      try await visit.name("Hills")
      try await visit.told("Added to “Hills”.")
      try await visit.album("Hills", has: 7)
    }
  }

  @Test("Favourites are made in the grid and in full, and another page shows them")
  func favorites() async throws {
    try await NavigatorVisit.begin { visit in
      try await visit.open("All Photos")
      try await visit.grid(has: 3)
      try await visit.select("picture-0.jpg", "picture-1.jpg")
      try await visit.click("#actions [data-tool=favorite]")
      try await visit.told("2 are favourites now.")
      let marked =
        "[...document.querySelectorAll('#grid button')].filter(b => b.ariaLabel.includes('favourite')).length"
      try await visit.wait("both hearts", "\(marked) === 2")
      try await Browser.open(.phone) { other in
        try await other.open(visit.server.address)
        try await other.wait(for: "both hearts", until: "return \(marked) === 2")
        try await visit.show("picture-0.jpg")
        try await visit.browser.press("h")
        try await visit.told("1 is no favourite any more.")
        try await other.wait(for: "one heart", until: "return \(marked) === 1")
        let answer = "document.querySelector('#viewer [data-tool=favorite]').ariaPressed"
        #expect(try await visit.browser.run("return \(answer)") == "false")
      }
      try await visit.browser.press(Key.escape)
      try await visit.album("Favourites", has: 1)
    }
  }
}

extension NavigatorVisit {
  /// Selects all photos, of which there are so many, by the keyboard.
  fileprivate func selectAll(of count: Int) async throws {
    try await browser.run(
      "document.body.dispatchEvent("
        + "new KeyboardEvent('keydown', { key: 'a', ctrlKey: true, bubbles: true }))")
    try await text("#selected", contains: "\(count) selected")
  }
}

import BrowserSupport
import Foundation
import ServerSupport
import Testing

@Suite("A disk that can't be written", .serialized, .needsBrowser, .needsDisk)
struct ReadOnlyTests {
  @Test("Its pictures are shown, nothing may be changed and the page says why, until it may")
  func fromTheBeginning() async throws {
    let disk = try TestDisk(megabytes: 1)
    try await NavigatorVisit.begin(
      NavigatorVisit.camera, on: disk,
      prepare: { folder in
        try MadePictures.few(folder)
        try disk.allowWriting(false)
      }
    ) { visit in
      try await visit.text("#advice", contains: "read-only")
      try await visit.text("#advice", contains: "Choose another folder for new photos.")
      try await visit.open("All Photos")
      try await visit.grid(has: 3)
      try await visit.look("read-only")
      try await visit.show("picture-1.jpg")
      try await visit.seePicture("the picture")
      let buttons = ["#camera", "#new-album", "#select", "#viewer [data-tool=toTrash]", "#edit"]
      for button in buttons {
        try await visit.wait("no \(button)", "document.querySelector('\(button)').disabled")
      }
      try disk.allowWriting(true)
      for button in buttons {
        try await visit.wait("\(button)", "!document.querySelector('\(button)').disabled")
      }
      try await visit.wait("no notice", "document.querySelector('#advice').hidden")
      try await visit.browser.press(Key.escape)
      try await visit.makeAlbum("Hills")
      try await visit.text("#title", contains: "Hills")
    }
  }

  @Test("What a page asks for that hasn't heard of it yet is refused with the reason")
  func underway() async throws {
    let disk = try TestDisk(megabytes: 2)
    try await NavigatorVisit.begin(NavigatorVisit.camera, on: disk) { visit in
      try await visit.makeAlbum("Hills")
      try await visit.text("#title", contains: "Hills")
      try await visit.album("Hills", has: 0)
      try disk.allowWriting(false)
      try await visit.wait("that it hears", "document.querySelector('#new-album').disabled")

      try await visit.force("#new-album")
      try await visit.name("Lakes")
      try await visit.text("#question-error", contains: "Choose a folder that you may write to.")
      try await visit.browser.press(Key.escape)
      try await visit.open("Hills")
      try await visit.click("#more")
      try await visit.force("#delete-album")
      try await visit.click("#question .danger")
      try await visit.refusal("Choose a folder that you may write to.")
      try await visit.force("#camera")
      try await visit.releaseShutter()
      try await visit.click("[data-do=usePhoto]")
      try await visit.text("#problem", contains: "The photo isn’t saved")
      try await visit.text("#problem", contains: "Choose a folder that you may write to.")
      try await visit.click("#discard")

      try await visit.open("All Photos")
      try await visit.grid(has: 3)
      try await visit.force("#select")
      try await visit.tile("picture-2.jpg", "tile.click()")
      try await visit.force("#actions [data-tool=addToAlbum]")
      try await visit.click("#question .item")
      try await visit.refusal("Choose a folder that you may write to.")
      try await visit.force("#actions [data-tool=toTrash]")
      try await visit.refusal("Make its folder and the trash writable")
      try await visit.click("#end-selecting")
      // In full the reason is where it is seen.
      try await visit.show("picture-2.jpg")
      try await visit.force("#viewer [data-tool=toTrash]")
      try await visit.told("Make its folder and the trash writable")
      try await visit.seePicture("the picture")
      let isOnTop = try await visit.browser.run(
        """
        const news = document.querySelector("#viewer viewfinder-toast").shadowRoot.querySelector(".toast");
        const { left, top, width, height } = news.getBoundingClientRect();
        return news.contains(news.getRootNode().elementFromPoint(left + width / 2, top + height / 2));
        """)
      #expect(isOnTop == true)
      try await visit.look("refused")
      #expect(visit.files == MadePictures.names(0..<3))
    }
  }
}

extension NavigatorVisit {
  /// Clicks a button as a page does that doesn't know that it may not be used.
  fileprivate func force(_ button: String) async throws {
    try await wait(button, "document.querySelector('\(button)')?.checkVisibility()")
    try await browser.run(
      """
      const button = document.querySelector(arguments[0]);
      button.disabled = false;
      button.click();
      """, .string(button))
  }

  /// Waits until the page says why something can't be, and takes note.
  fileprivate func refusal(_ words: String) async throws {
    try await told(words)
    try await forgetToast()
  }
}

import BrowserSupport
import Foundation
import Testing

@Suite("For everybody", .serialized, .needsBrowser)
struct AccessibilityTests {
  @Test("Every control, dialog and list has a name, on every screen")
  func names() async throws {
    try await NavigatorVisit.begin(NavigatorVisit.camera) { visit in
      let video = try await MadePictures.video(with: visit.browser)
      try video.write(to: visit.pictures.appending(component: "waves.webm"), options: .atomic)
      try await visit.album("All Photos", has: 4)
      try await visit.go("#/albums")
      try await visit.wait("the albums", "document.querySelector('#albums li .poster')")
      try await visit.checkNames("the albums", atLeast: 6)
      try await visit.click("#new-album")
      try await visit.checkNames("the question for a name", atLeast: 3)
      try await visit.browser.press(Key.escape)
      try await visit.open("All Photos")
      try await visit.grid(has: 3)
      try await visit.checkNames("the grid", atLeast: 8)
      try await visit.select("picture-1.jpg")
      try await visit.checkNames("the selection", atLeast: 11)
      try await visit.click("#actions [data-tool=addToAlbum]")
      try await visit.wait("the question", "document.querySelector('#question[open]')")
      try await visit.checkNames("the question", atLeast: 3)
      try await visit.browser.press(Key.escape)
      try await visit.click("#end-selecting")
      try await visit.show("picture-1.jpg")
      try await visit.seePicture("the picture")
      try await visit.click("#viewer [data-tool=about]")
      try await visit.checkNames("the picture in full", atLeast: 7)
      try await visit.click("#viewer-back")
      try await visit.show("waves.webm")
      try await visit.wait("the video", "document.querySelector('#viewer video')")
      try await visit.checkNames("the video", atLeast: 7)
      try await visit.click("#viewer-back")
      try await visit.takePhoto()
      try await visit.checkNames("the crop", atLeast: 6)
      try await visit.click("[data-do=retake]")
      try await visit.waitForLivePicture()
      try await visit.checkNames("the camera", atLeast: 4)
    }
  }

  @Test("The page of a library that can't be shown has names, too")
  func namesWithoutLibrary() async throws {
    try await NavigatorVisit.begin(prepare: Obstacle.missing.place(at:)) { visit in
      try await visit.text("#empty", contains: Obstacle.missing.remedy)
      try await visit.checkNames("the denial", atLeast: 3)
    }
  }

  @Test("The grid is a list that tells how long it is; a picture and a question are dialogs")
  func roles() async throws {
    try await NavigatorVisit.begin { visit in
      try await visit.open("All Photos")
      try await visit.grid(has: 3)
      let grid = try await visit.browser.run(
        """
        const list = document.querySelector("#grid");
        return [list.role, ...[...list.children].map((item) => [
          item.localName, item.ariaPosInSet, item.ariaSetSize, item.firstElementChild.localName,
          item.firstElementChild.ariaLabel.split(", ")[0]])];
        """)
      let tiles = (1...3).map { place -> JSON in
        ["li", .string("\(place)"), "3", "button", .string("Photo picture-\(3 - place).jpg")]
      }
      #expect(grid == .array(["list"] + tiles))
      try await visit.select("picture-1.jpg")
      let checked = try await visit.browser.run(
        "return [...document.querySelectorAll('#grid button')].map(b => [b.role, b.ariaChecked])")
      #expect(checked == [["checkbox", "false"], ["checkbox", "true"], ["checkbox", "false"]])
      try await visit.click("#actions [data-tool=addToAlbum]")
      try await visit.wait("the question", "document.querySelector('#question[open]')")
      try await visit.isDialog("#question", "Add 1 photo to …")
      try await visit.browser.press(Key.escape)
      try await visit.click("#end-selecting")
      try await visit.show("picture-1.jpg")
      try await visit.isDialog("#viewer", "picture-1.jpg")
    }
  }

  @Test("The keyboard is back where it was when something is closed")
  func focus() async throws {
    try await NavigatorVisit.begin { visit in
      try await visit.open("All Photos")
      try await visit.grid(has: 3)
      // The tile of the picture that was shown last, whatever closes it.
      let ways: [@Sendable () async throws -> Void] = [
        { try await visit.click("#viewer-back") },
        { try await visit.browser.press(Key.escape) },
        { try await visit.browser.run("history.back()") },
      ]
      for close in ways {
        try await visit.tile("picture-2.jpg", "tile.focus()")
        try await visit.browser.press(Key.enter)
        try await visit.isShown("picture-2.jpg")
        try await visit.browser.press(Key.right)
        try await visit.isShown("picture-1.jpg")
        try await close()
        try await visit.isClosed()
        try await visit.hasFocus("[title='picture-1.jpg']")
      }
      try await visit.select("picture-0.jpg")
      try await visit.click("#actions [data-tool=addToAlbum]")
      try await visit.wait("the question", "document.querySelector('#question[open]')")
      try await visit.browser.press(Key.escape)
      try await visit.hasFocus("#actions [data-tool=addToAlbum]")
      try await visit.browser.press(Key.escape)
      try await visit.open("Favourites")
      try await visit.click("#back")
      try await visit.wait(
        "the focus at the album", "document.activeElement.innerText.startsWith('Favourites')")
      try await visit.click("#new-album")
      try await visit.hasFocus("#question input")
      try await visit.browser.press(Key.escape)
      try await visit.hasFocus("#new-album")
    }
  }
}

extension NavigatorVisit {
  /// Waits until the keyboard is at what a selector names.
  func hasFocus(_ selector: String) async throws {
    try await browser.wait(
      for: "the focus at \(selector)",
      until: "return document.activeElement.matches(`\(selector)`)")
  }

  /// Expects a dialog over everything else, with a name.
  fileprivate func isDialog(_ selector: String, _ name: String) async throws {
    let found = try await browser.run(
      """
      const dialog = document.querySelector(arguments[0]);
      const title = document.getElementById(dialog.getAttribute("aria-labelledby"));
      return [dialog.matches("dialog:modal"), title?.textContent];
      """, .string(selector))
    #expect(found == [true, .string(name)])
  }
}

import BrowserSupport
import Foundation
import Testing

/// What people do on the page, and see there.
extension NavigatorVisit {
  // MARK: Albums

  /// Opens an album from the list of albums.
  func open(_ album: String) async throws {
    try await browser.wait(
      for: "the album \(album)",
      until: """
        const names = [...document.querySelectorAll(".cards .name")];
        const name = names.find((name) => name.textContent === `\(album)`);
        name?.closest("a").click();
        return Boolean(name);
        """)
    try await wait("the grid", "!document.querySelector('#album').hidden")
  }

  /// What an album's card says, as soon as it says it.
  func album(_ name: String, says counts: String) async throws {
    try await browser.wait(
      for: "\(name): \(counts)",
      until: """
        return [...document.querySelectorAll(".cards a")].some((card) =>
          card.querySelector(".name").textContent === `\(name)`
            && card.querySelector(".quiet").textContent === `\(counts)`);
        """)
  }

  /// Makes an album, or tries to.
  func makeAlbum(_ name: String) async throws {
    try await click("#new-album")
    try await self.name(name)
  }

  /// Answers the question for a name.
  func name(_ name: String) async throws {
    try await wait("the question", "document.querySelector('#sheet[open] input')")
    try await browser.type(name, into: "#sheet input")
    try await click("#sheet .primary")
  }

  // MARK: The grid

  /// Waits until the grid has pictures of so many photos; a video's needs a thumbnailer, which may be there.
  func grid(has number: Int) async throws {
    try await count("#grid button:not(.video) img[src]", is: number)
  }

  /// Does something with an asset's tile.
  func tile(_ name: String, _ script: String) async throws {
    try await browser.wait(
      for: "\(name) in the grid",
      until: """
        const tile = [...document.querySelectorAll("#grid button")]
          .find((button) => button.ariaLabel.split(", ")[0].endsWith(` \(name)`));
        if (!tile) return false;
        \(script);
        return true;
        """)
  }

  /// Begins to select, and selects assets.
  func select(_ names: String...) async throws {
    try await click("#select")
    for name in names { try await tile(name, "tile.click()") }
  }

  // MARK: An asset in full

  /// Opens an asset of the grid by its file's name.
  func show(_ name: String) async throws {
    try await tile(name, "tile.click()")
    try await isShown(name)
  }

  /// Waits until an asset is shown in full.
  func isShown(_ name: String) async throws {
    try await wait(
      "\(name) in full",
      "document.querySelector('#viewer[open] h2')?.textContent === `\(name)`")
  }

  /// Waits until the grid is seen again.
  func isClosed() async throws {
    try await wait("the grid", "!document.querySelector('#viewer').open")
  }

  /// Waits until the picture in full is there, and of some kind.
  func seePicture(
    _ words: String, where condition: String = "i.naturalWidth > 0"
  ) async throws {
    try await wait(words, "(i => i && \(condition))(document.querySelector('#viewer .full img'))")
  }

  /// Shows one of the asset's files.
  func clickFile(_ role: String) async throws {
    try await browser.wait(
      for: "the file \(role)",
      until: """
        const name = [...document.querySelectorAll("#viewer aside strong")]
          .find((name) => name.textContent === `\(role)`);
        name?.closest("button").click();
        return Boolean(name);
        """)
  }

  // MARK: The camera

  /// Takes a photo, up to the step in which it may be cropped.
  func takePhoto() async throws {
    try await click("#camera")
    try await releaseShutter()
  }

  /// Takes a photo with the camera that is shown, up to the step in which it may be cropped.
  func releaseShutter() async throws {
    try await waitForLivePicture()
    try await click("[data-do=takePicture]")
    try await wait("the crop", "document.querySelector('.crop img')?.naturalWidth > 0")
  }

  /// The camera's photos, by name.
  var saved: [String] {
    let folder = pictures.appending(path: "DCIM/100VWFND")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    // The crop recipes beside them are hidden.
    return names.filter { !$0.hasPrefix(".") }.sorted()
  }

  // MARK: Anything

  /// A number that a script returns.
  func number(_ script: String) async throws -> Double {
    try #require(try await browser.run(script).number)
  }
}

import BrowserSupport
import Foundation
import Testing

/// What people do on the page, and see there.
extension NavigatorVisit {
  // MARK: Albums

  /// Shows a part of the page, such as "#/albums".
  func go(_ address: String) async throws {
    try await browser.run("location.hash = arguments[0]", .string(address))
  }

  /// Shows an album; “All Photos” is the page's first part.
  func open(_ album: String) async throws {
    if album == "All Photos" {
      try await go("#/")
    } else {
      try await go("#/albums")
      try await browser.wait(
        for: "the album \(album)",
        until: """
          const names = [...document.querySelectorAll("#albums a bdi")];
          const name = names.find((name) => name.textContent === arguments[0]);
          name?.closest("a").click();
          return Boolean(name);
          """, .string(album))
    }
    try await browser.wait(
      for: "its page",
      until: "return document.querySelector('#title').textContent === arguments[0]",
      .string(album == "All Photos" ? "Photos" : album))
    try await wait(
      "the grid",
      "document.querySelector('#grid li') || !document.querySelector('#empty').hidden")
  }

  /// Waits until an album has so many photos and videos, as its card or its grid says.
  func album(_ name: String, has count: Int) async throws {
    if name == "All Photos" {
      try await go("#/")
      return try await wait(
        "\(count) photos",
        count == 0
          ? "!document.querySelector('#empty').hidden"
          : "document.querySelector('#grid li')?.ariaSetSize === '\(count)'")
    }
    try await go("#/albums")
    try await browser.wait(
      for: "\(name): \(count)",
      until: """
        return [...document.querySelectorAll("#albums a")].some((card) =>
          card.querySelector("bdi")?.textContent === arguments[0]
            && card.querySelector(".figures").textContent === arguments[1]);
        """, .string(name), .string("\(count)"))
  }

  /// Makes an album, or tries to.
  func makeAlbum(_ name: String) async throws {
    try await go("#/albums")
    try await click("#new-album")
    try await self.name(name)
  }

  /// Answers the question for a name.
  func name(_ name: String) async throws {
    try await wait("the question", "document.querySelector('#question[open] input')")
    try await browser.type(name, into: "#question input")
    try await click("#question .primary")
  }

  /// Waits until the page says what was done or what went wrong.
  func told(_ words: String) async throws { try await text(".toast", contains: words) }

  /// Goes on without what the page has said.
  func forgetToast() async throws {
    try await browser.run("document.querySelector('.toast')?.remove()")
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

  /// Waits until an asset is shown in full, or why it can't be.
  func isShown(_ name: String) async throws {
    try await browser.wait(
      for: "\(name) in full",
      until: """
        const viewer = document.querySelector("#viewer[open]");
        const shown = viewer?.querySelector(".stage :is(img, video, h2)");
        return (shown?.alt || shown?.ariaLabel || shown?.textContent || "").includes(arguments[0]);
        """, .string(name))
  }

  /// Waits until the grid is seen again.
  func isClosed() async throws {
    try await wait("the grid", "!document.querySelector('#viewer').open")
  }

  /// Waits until the picture in full is there, and of some kind.
  func seePicture(
    _ words: String, where condition: String = "i.naturalWidth > 0"
  ) async throws {
    try await wait(words, "(i => i && \(condition))(document.querySelector('#viewer .stage img'))")
  }

  /// Shows one of the asset's files.
  func clickFile(_ role: String) async throws {
    try await browser.wait(
      for: "the file \(role)",
      until: """
        const name = [...document.querySelectorAll("#viewer .files strong")]
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

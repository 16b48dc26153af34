import BrowserSupport
import Foundation
import ServerSupport
import Testing

/// Real photos and hostile files beside the repository, where they are.
@Suite("Real and hostile files", .serialized, .needsBrowser)
struct CorpusTests {
  /// Of these nobody can make a picture.
  private static let undecodable = [
    "jpeg_empty.jpg", "jpeg_max_size.jpg", "jpeg_missing-sof.jpg", "jpeg_missing-sos.jpg",
    "jpeg_null_height.jpg",
  ]

  @Test(
    "Hostile files are items with an error, and harm nothing",
    .enabled(if: Corpus.has("jpeg"), "needs the pictures in ../shared/data/jpeg"))
  func hostile() async throws {
    try await NavigatorVisit.begin(prepare: { try Corpus.copy("jpeg", to: $0) }) { visit in
      let count = try Corpus.files(of: "jpeg").count
      try await visit.open("All Photos")
      // So high that all are in sight, whatever days they are of.
      try await visit.browser.change(to: .init(width: 1100, height: 8000))
      try await visit.count("#grid li", is: count)
      // Each has a picture or a reason why not.
      try await visit.wait(
        "all",
        "[...document.querySelectorAll('#grid button')]"
          + ".every(b => b.querySelector('img[src]') || b.classList.contains('bad'))")
      let bad = try await visit.browser.run(
        "return [...document.querySelectorAll('#grid .bad')].map(b => b.title)")
      #expect((bad.array ?? []).allSatisfy { ($0.string?.count ?? 0) > 20 })
      for name in Self.undecodable {
        try await visit.tile(name, "if (!tile.classList.contains('bad')) return false")
        try await visit.show(name)
        try await visit.wait(
          "the reason", "document.querySelector('#viewer .reason')?.textContent.length > 20")
        if name == "jpeg_max_size.jpg" { try await visit.look("hostile") }
        try await visit.browser.press(Key.escape)
        try await visit.isClosed()
      }
      // It goes on as before.
      try await visit.show("jpeg_mjpeg.jpg")
      try await visit.seePicture("the picture")
    }
  }

  @Test(
    "Real photos of cards are listed, each with its thumbnail",
    .enabled(if: Corpus.has("cards"), "needs the photos in ../shared/data/cards"))
  func cards() async throws {
    try await NavigatorVisit.begin(prepare: { try Corpus.copy("cards", to: $0) }) { visit in
      let count = try Corpus.files(of: "cards").count
      try await visit.album("All Photos", has: count)
      try await visit.open("All Photos")
      try await visit.wait(
        "the first thumbnails",
        "(b => b.length > 0 && b.every(b => b.querySelector('img[src]')))"
          + "([...document.querySelectorAll('#grid button')])")
      try await visit.browser.run(
        "document.documentElement.scrollTop = document.documentElement.scrollHeight")
      try await visit.wait(
        "the last place",
        "document.querySelector('#grid li:last-child').ariaPosInSet === '\(count)'")
      try await visit.wait(
        "the last thumbnails",
        "[...document.querySelectorAll('#grid button')].every(b => b.querySelector('img[src]'))")
    }
  }
}

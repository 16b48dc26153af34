import BrowserSupport
import Foundation
import ServerSupport
import Testing
import Viewfinder

@Suite(
  "Photos of real cards", .serialized,
  .disabled(if: Chromium.absence != nil, Comment(rawValue: Chromium.absence ?? "")),
  .enabled(if: Corpus.has("cards"), "needs the photos in ../shared/data/cards"))
struct RealCardTests {
  @Test("Chosen from the library and laid under the outline, a card is kept as it lay there")
  func library() async throws {
    let folder = try WalletVisit.newFolder()
    try Corpus.copy("cards", to: folder.appending(component: "Pictures"))
    try await WalletVisit.begin(["--no-camera"], in: folder) { visit in
      try await visit.browser.run("location.hash = '#/new'")
      try await visit.wait("the editor", "document.querySelector('.cardEditor')")
      try await visit.fill("Name", "From the library")
      // A card that nearly fills the width of an upright photo.
      try await visit.lay(
        "midv500_CA43_01.jpg", of: "front", keys: "++\(Arrow.down)\(Arrow.down),", angle: 359)
      // One that stands, and is turned to lie.
      try await visit.lay(
        "tmikonen_instill_energy.jpg", of: "back", isTurned: true,
        keys: "+++\(Arrow.left)\(Arrow.down).", angle: 91)
      try await visit.look("real-editor")
      try await visit.saveAndStartAgain("From the library")
    }
  }

  @Test("Taken by a camera that shows one, a card is what the guide showed of the picture")
  func camera() async throws {
    let folder = try WalletVisit.newFolder()
    try Corpus.copy("cards", to: folder, prefix: "midv500_CA43_01")
    let photo = folder.appending(component: "midv500_CA43_01.jpg")
    try await WalletVisit.begin(["--replay", photo.path], in: folder) { visit in
      try await visit.browser.run("location.hash = '#/new'")
      try await visit.wait("the editor", "document.querySelector('.cardEditor')")
      try await visit.fill("Name", "From the camera")
      for side in ["front", "back"] {
        try await visit.click("[role=group][aria-label=\(side)] > button")
        try await visit.waitForLivePicture()
        let seen = try await visit.seen("viewfinder-live .guide", as: "real-guide")
        try await visit.click("[data-do=takePicture]")
        try await visit.click("[data-do=usePhoto]")
        try await visit.expectCard(side, like: seen)
      }
      try await visit.saveAndStartAgain("From the camera")
    }
  }

  @Test("A camera that shows a folder of them gives cards, each from one of the photos")
  func cameraFolder() async throws {
    let folder = try WalletVisit.newFolder()
    let scenes = folder.appending(component: "Scenes")
    try FileManager.default.createDirectory(at: scenes, withIntermediateDirectories: true)
    try Corpus.copy("cards", to: scenes, prefix: "edje_cam_image")
    let options = ["--replay", scenes.path, "--rate", "5"]
    try await WalletVisit.begin(options, in: folder) { visit in
      try await visit.addCard("From a folder")
      let names = try FileManager.default.contentsOfDirectory(atPath: scenes.path)
      #expect(names.count > 1)
      let parts = try names.map { name in
        let photo = try PixelBuffer(
          decoding: Data(contentsOf: scenes.appending(component: name)))
        let guide = try Outline.card().boundingBox(in: photo.dimensions)
        return try Mosaic(photo, in: guide)
      }
      for side in ["Front", "Back"] {
        let card = try await visit.picture("[alt=\(side)]")
        #expect(isCard(card))
        let mosaic = try Mosaic(card, in: card.frame)
        #expect(parts.contains { $0.difference(from: mosaic) < 4 }, "\(side)")
        #expect(parts.allSatisfy { $0.mirrored.difference(from: mosaic) > 4 }, "\(side)")
      }
      try await visit.look("real-folder")
    }
  }
}

/// WebDriver's characters for the arrow keys.
private enum Arrow {
  static let left = "\u{e012}"
  static let down = "\u{e015}"
}

/// Whether a picture has a card's proportions: 85.60 × 53.98 mm, to the pixel.
private func isCard(_ picture: PixelBuffer) -> Bool {
  let size = picture.dimensions
  return abs(Double(size.width) / (85.60 / 53.98) - Double(size.height)) <= 1
}

extension PixelBuffer {
  fileprivate var frame: CGRect {
    CGRect(x: 0, y: 0, width: dimensions.width, height: dimensions.height)
  }
}

extension WalletVisit {
  /// Chooses a photo of the library for a side, and lays it under the outline with keys.
  fileprivate func lay(
    _ photo: String, of side: String, isTurned: Bool = false, keys: String, angle: Int
  ) async throws {
    try await click("[role=group][aria-label=\(side)] > button")
    try await click("[data-name=photoLibrary]")
    try await click(".grid [aria-label='Photo \(photo)']")
    try await wait("the photo", "document.querySelector('.crop img')?.naturalWidth > 0")
    if isTurned { try await click("[data-do=turnRight]") }
    try await browser.run("document.querySelector('.crop').focus()")
    try await browser.press(keys)
    // The last key turns it; those before have worked then.
    try await wait(
      "the turn",
      "document.querySelector('.crop img').style.transform.includes('rotate(\(angle)deg')")
    try await look("real-crop-\(side)")
    let seen = try await seen(".crop .edge", as: "real-\(side)")
    try await click("[data-do=usePhoto]")
    try await expectCard(side, like: seen)
  }

  /// What the page shows within an element.
  fileprivate func seen(_ selector: String, as name: String) async throws -> Mosaic {
    let place = try await browser.wait(
      for: selector,
      until: """
        const r = document.querySelector("\(selector)")?.getBoundingClientRect();
        return r?.width > 0 ? [r.x, r.y, r.width, r.height] : null;
        """)
    let frame = CGRect(
      x: place[0].number ?? 0, y: place[1].number ?? 0, width: place[2].number ?? 0,
      height: place[3].number ?? 0)
    let screen = try PixelBuffer(decoding: try await browser.screenshot("wallet-\(name)-page"))
    return try Mosaic(screen, in: frame.insetBy(dx: frame.width / 40, dy: frame.height / 40))
  }

  /// Waits for the picture of a side, which must be a card and show what was seen.
  fileprivate func expectCard(_ side: String, like seen: Mosaic) async throws {
    try await wait(
      "the \(side)", "document.querySelector('[aria-label=\(side)] img.card')?.naturalWidth > 0")
    let card = try await picture("[aria-label=\(side)] img.card")
    #expect(isCard(card), "\(card.dimensions)")
    let frame = card.frame
    let inner = frame.insetBy(dx: frame.width / 40, dy: frame.height / 40)
    let kept = try Mosaic(card, in: inner)
    #expect(seen.difference(from: kept) < 6, "\(side)")
    #expect(seen.difference(from: kept.mirrored) > 6, "\(side)")
  }

  /// Saves the card; the next start has it whole: the two sides, and the photos that they were cut from.
  fileprivate func saveAndStartAgain(_ name: String) async throws {
    try await click("[type=submit]")
    try await count(".sides img", is: 2)
    try await look("real-detail")
    // The picker's page asks for photos once more when it is done, and is told so.
    let complaints = try await browser.complaints().filter { !$0.contains(/picker.* 409/) }
    #expect(complaints == [])
    #expect(await server.end() == 0)
    let again = try await Self.server(["--no-camera"], in: folder)
    try await browser.open(again.address)
    try await see(name)
    try await wait("the picture", "document.querySelector('.cards img')?.naturalWidth > 0")
    try await look("real-list")
    let sizes = try await browser.run(
      """
      const [{ id }] = (await (await fetch("/cards")).json()).cards;
      const { card } = await (await fetch(`/cards/${id}`)).json();
      const names = [card.front, card.back].flatMap(({ picture, original }) => [picture, original]);
      return await Promise.all(names.map(async (name) => {
        const picture = new Image();
        picture.src = `/pictures/${name}`;
        await picture.decode();
        return [picture.naturalWidth, picture.naturalHeight];
      }));
      """)
    let shapes = (sizes.array ?? []).map { ($0[0].number ?? 0) / ($0[1].number ?? 1) }
    #expect(shapes.count == 4)
    // A side, and the upright photo that it was cut from.
    #expect(shapes.enumerated().allSatisfy { $0 % 2 == 0 ? abs($1 - 1.5858) < 0.01 : $1 < 1 })
  }
}

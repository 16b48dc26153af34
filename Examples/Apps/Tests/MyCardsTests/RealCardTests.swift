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
  @Test("Chosen from the library, a card is found, and kept straight and cut to its edges")
  func library() async throws {
    let folder = try WalletVisit.newFolder()
    try Corpus.copy("cards", to: folder.appending(component: "Pictures"))
    try await WalletVisit.begin(["--no-camera"], in: folder) { visit in
      try await visit.browser.run("location.hash = '#/new'")
      try await visit.wait("the editor", "document.querySelector('.stack-form')")
      try await visit.fill("Name", "From the library")
      for (side, name) in [
        ("front", "midv500_CA43_01.jpg"), ("back", "tmikonen_instill_energy.jpg"),
      ] {
        try await visit.click("[data-side=\(side)] > button")
        try await visit.click("[data-name=photoLibrary]")
        try await visit.click(".grid [aria-label='Photo \(name)']")
        try await visit.see("Drag the dots if the edges aren’t right")
        try await visit.wait("the photo", "document.querySelector('.edges-editor[data-ready]')")
        try await visit.look("real-edges-\(side)")
        try await visit.click("[data-do=usePhoto]")
        try await visit.expectCard(side, of: try RealPhoto.all().first { $0.name == name }!)
      }
      try await visit.saveAndStartAgain("From the library")
    }
  }

  /// Photos of one card: a few, or all when `VIEWFINDER_ALL_CARDS` is set, which takes ten minutes.
  static let singles: [RealPhoto] = {
    let all = (try? RealPhoto.all().filter { $0.cards.count == 1 }) ?? []
    guard ProcessInfo.processInfo.environment["VIEWFINDER_ALL_CARDS"] == nil else { return all }
    let few = ["midv500_CA43_01", "edje_cam_image44", "edje_IMG_2414", "fmeow_47866230"]
    return all.filter { photo in few.contains { photo.name.hasPrefix($0) } }
  }()

  @Test("A camera that shows a card gives it straight and without background", arguments: singles)
  func camera(photo: RealPhoto) async throws {
    let folder = try WalletVisit.newFolder()
    try await WalletVisit.begin(["--replay", photo.url.path], in: folder) { visit in
      try await visit.browser.change(to: .phone)
      try await visit.browser.run("location.hash = '#/new'")
      try await visit.wait("the editor", "document.querySelector('.stack-form')")
      try await visit.click("[data-side=front] > button")
      try await visit.waitForLivePicture()
      try await visit.browser.screenshot("wallet-live-\(photo.name)")
      try await visit.shoot()
      try await visit.expectCard("front", of: photo)
    }
  }
}

/// A photo with the corners of the cards in it.
struct RealPhoto: Sendable, CustomTestStringConvertible {
  let url: URL
  /// In units of the upright photo.
  let cards: [Quadrilateral]

  var name: String { url.lastPathComponent }
  var testDescription: String { name }

  private struct Manifest: Decodable {
    struct Image: Decodable {
      struct Object: Decodable { var quad: [[Double]] }
      var file: String
      var width: Double
      var height: Double
      var objects: [Object]
    }
    var images: [Image]
  }

  static func all() throws -> [RealPhoto] {
    guard let folder = try Corpus.files(of: "cards").first?.deletingLastPathComponent() else {
      return []
    }
    let data = try Data(
      contentsOf: folder.deletingLastPathComponent().appending(component: "corners.json"))
    return try JSONDecoder().decode(Manifest.self, from: data).images.map { image in
      let cards = image.objects.compactMap { object in
        // A whole number is a pixel's middle.
        Quadrilateral(
          object.quad.map {
            CGPoint(x: ($0[0] + 0.5) / image.width, y: ($0[1] + 0.5) / image.height)
          })
      }
      let name = image.file.split(separator: "/").last ?? ""
      return RealPhoto(url: folder.appending(component: String(name)), cards: cards)
    }
  }
}

extension PixelBuffer {
  /// Without the outermost twentieths, where round corners are.
  fileprivate var inner: CGRect {
    CGRect(x: 0, y: 0, width: dimensions.width, height: dimensions.height).insetBy(
      dx: Double(dimensions.width) / 20, dy: Double(dimensions.height) / 20)
  }
}

extension WalletVisit {
  /// Waits for the picture of a side, which must show the photo's card and nothing else, turned by quarters at most.
  fileprivate func expectCard(_ side: String, of photo: RealPhoto) async throws {
    try await wait(
      "the \(side)", "document.querySelector('[data-side=\(side)] img')?.naturalWidth > 0")
    let card = try await picture("[data-side=\(side)] img")
    try card.pngData().write(to: Screenshots.folder.appending(component: "card-\(photo.name).png"))
    let kept = try Mosaic(card, in: card.inner)
    let corners = try #require(photo.cards.first).corners
    let differences = try (0..<4).map { turn in
      let turned = Quadrilateral((0..<4).map { corners[($0 + turn) % 4] })!
      let truth = try PhotoCrop(
        outline: .quadrilateral(turned), rectifiedSize: card.dimensions
      ).apply(to: Data(contentsOf: photo.url))
      let straight = try PixelBuffer(decoding: truth.data)
      return try Mosaic(straight, in: straight.inner).difference(from: kept)
    }
    #expect(differences.min()! < 8, "\(photo.name): \(differences)")
  }

  /// Saves the card; the next start has it whole: the two sides, and the photos that they were cut from.
  fileprivate func saveAndStartAgain(_ name: String) async throws {
    try await click("[type=submit]")
    try await count(".photo-slots img", is: 2)
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
    #expect((sizes.array ?? []).count == 4)
  }
}

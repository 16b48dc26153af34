import BrowserSupport
import Foundation
import ServerSupport
import Testing

@Suite(
  "A full disk", .serialized,
  .disabled(if: Chromium.absence != nil, Comment(rawValue: Chromium.absence ?? "")),
  .enabled(if: TestDisk.canMount, "needs to mount a small disk as root"))
struct FullDiskTests {
  private static let advice = "The disk with the cards is full. Free some space there and try again"

  @Test("What was typed stays, the page says what to do, and with room again the same Save works")
  func save() async throws {
    let disk = try TestDisk(megabytes: 6)
    let folder = try WalletVisit.newFolder(in: disk.folder)
    try await WalletVisit.begin(in: folder) { visit in
      // Without the camera: a photo that is there already would need no room.
      let table = "_id,store\n1,Before\n"
      #expect(try await HTTPVisitor(visit.server.address).ask("POST", "import", table) == 200)
      try await visit.count(".cards li", is: 1)
      try await visit.browser.run("location.hash = '#/new'")
      try await visit.wait("the editor", "document.querySelector('.stack-form')")
      try await visit.fill("Name", "Typed")
      try await visit.fill("Note", "in many words")
      try disk.fill()
      // A photo finds no room; the words for it stay beside its side.
      try await visit.click("[data-side=front] > button")
      try await visit.waitForLivePicture()
      try await visit.shoot()
      try await visit.wait(
        "the reason",
        "document.querySelector('[data-side=front] .error').textContent"
          + ".startsWith('\(Self.advice)')")
      try await visit.look("full-photo")
      try disk.free()
      try await visit.takePhoto(of: "front")
      try await visit.takePhoto(of: "back")
      try await visit.wait(
        "no reason any more",
        "[...document.querySelectorAll('.side-slot .error')].every(p => p.textContent === '')")
      // Neither does the card.
      try disk.fill()
      try await visit.click("[type=submit]")
      try await visit.see(Self.advice)
      try await visit.look("full-save")
      let typed = try await visit.browser.run(
        "return [...document.querySelectorAll('.field :is(input, textarea)')].map(f => f.value)")
      #expect(typed.array?.contains("Typed") == true)
      #expect(typed.array?.contains("in many words") == true)
      try await visit.count(".side-slot img", is: 2)
      #expect(try await visit.names() == ["Before"])
      try disk.free()
      try await visit.click("[type=submit]")
      try await visit.see("in many words")
      try await visit.count(".photo-slots img", is: 2)
      #expect(await visit.server.end() == 0)
      let again = try await WalletVisit.server(["--no-camera"], in: folder)
      try await visit.browser.open(again.address)
      try await visit.count(".cards img", is: 1)
      try await visit.wait(
        "both pictures",
        "[...document.querySelectorAll('.cards img')].every(i => i.naturalWidth > 0)")
    }
  }

  @Test(
    "The cards that are there can be shown at the till, also from a start on the full disk",
    arguments: [false, true])
  func shown(isFullBefore: Bool) async throws {
    let disk = try TestDisk(megabytes: 6)
    let folder = try WalletVisit.newFolder(in: disk.folder)
    try await WalletVisit.begin(in: folder) { visit in
      try await visit.addCard("Before")
      if isFullBefore { try disk.fill() }
      try await visit.browser.run("location.reload()")
      try await visit.count(".hero", is: 1)
      #expect(await visit.server.end() == 0)
      try disk.fill()
      let again = try await WalletVisit.server(["--no-camera"], in: folder)
      try await visit.browser.open(again.address)
      try await visit.click(".cards a")
      try await visit.count(".till", is: 1)
      try await visit.open("Before")
      // With room it is a wallet as any other.
      try await visit.click(".bar [aria-pressed]")
      try await visit.see(Self.advice)
      try disk.free()
      try await visit.click(".bar [aria-pressed]")
      try await visit.count("[aria-pressed=true]", is: 1)
      #expect(await again.end() == 0)
    }
  }

  @Test("Where the whole machine has no room, the picker says so and goes on when there is some")
  func picker() async throws {
    let disk = try TestDisk(megabytes: 6)
    let folder = try WalletVisit.newFolder(in: disk.folder)
    let temporary = ["TMPDIR": disk.folder.path]
    try await WalletVisit.begin(in: folder, environment: temporary) { visit in
      try await visit.browser.run("location.hash = '#/new'")
      try await visit.click("[data-side=front] > button")
      try await visit.waitForLivePicture()
      try disk.fill()
      // The camera's card takes its photo by itself; one that was taken before counts for nothing.
      try await visit.browser.run("document.querySelector('[data-do=retake]')?.click()")
      try await visit.see("Free some space, then try again.")
      try await visit.look("full-picker")
      // Neither has the library's index.
      try await visit.click("[data-name=photoLibrary]")
      try await visit.wait(
        "a photo, or the reason why not",
        "document.querySelector('.grid button')"
          + " || document.querySelector('.library').innerText.includes('space')")
      try await visit.look("full-library")
      try disk.free()
      try await visit.click("[data-name=camera]")
      try await visit.waitForLivePicture()
      try await visit.shoot()
      try await visit.wait(
        "the front", "document.querySelector('[data-side=front] img')?.naturalWidth > 0")
    }
  }
}

extension WalletVisit {
  /// The names of all cards, as the server has them.
  fileprivate func names() async throws -> [String] {
    let names = try await browser.run(
      "return (await (await fetch('/cards')).json()).cards.map(card => card.name)")
    return (names.array ?? []).compactMap(\.string)
  }
}

import BrowserSupport
import Foundation
import Testing
import ViewfinderPicker

@Suite(
  "Scanning a card", .serialized,
  .disabled(if: Chromium.absence != nil, Comment(rawValue: Chromium.absence ?? "")))
struct WalletScanTests {
  /// Opens the picker by the form's Scan.
  private static func scan(_ visit: WalletVisit) async throws {
    try await visit.wait(
      "the picker’s element", "customElements.get('viewfinder-picker') !== undefined")
    // It may have closed before anybody looks.
    try await visit.browser.run(
      """
      window.wasOpen = false;
      document.querySelector("viewfinder-picker").addEventListener("state", ({ detail }) => {
        window.wasOpen ||= detail.isPresented;
      });
      """)
    try await visit.click(button: "Scan")
    try await visit.wait("the picker", "window.wasOpen")
  }

  /// The values of the form's fields.
  private static func field(_ name: String, _ visit: WalletVisit) async throws -> String? {
    try await visit.browser.run(
      "return document.querySelector(`#field-${arguments[0]}`).value", .string(name)
    ).string
  }

  @Test(
    "A code that the camera reads steadily ends the scan, and fills number and kind; no photo is needed",
    .enabled(if: !ImagePicker.availableCodeTypes.isEmpty, "the trait Barcodes is off"))
  func code() async throws {
    let folder = try WalletVisit.newFolder()
    let picture = folder.appending(component: "code.png")
    try DrawnCode.png().write(to: picture)
    try await WalletVisit.begin(["--replay", picture.path], in: folder) { visit in
      try await visit.showForm()
      try await visit.fill("Name", "Market")
      try await Self.scan(visit)
      // Nobody presses anything.
      try await visit.wait("the end", "!document.querySelector('dialog.picker').open")
      try await visit.text(".toast", contains: "Code found: \(DrawnCode.text)")
      #expect(try await Self.field("cardId", visit) == DrawnCode.text)
      #expect(try await Self.field("barcodeType", visit) == "EAN_8")
      try await visit.count(".photo-slots img", is: 0)
      // The number that is there already is offered to nobody, and stays.
      try await Self.scan(visit)
      try await visit.wait("the end", "!document.querySelector('dialog.picker').open")
      try await visit.fill("Number", "17")
      try await Self.scan(visit)
      try await visit.wait("the end", "!document.querySelector('dialog.picker').open")
      try await visit.click(button: "Use \(DrawnCode.text)")
      #expect(try await Self.field("cardId", visit) == "17")
      #expect(try await Self.field("barcodeId", visit) == DrawnCode.text)
      // A photo that is wanted isn't ended by a code.
      try await visit.takePhoto(of: "front")
      try await visit.click("[type=submit]")
      try await visit.wait("the card", "location.hash.startsWith('#/card/')")
    }
  }

  @Test("A scan says which side it is for, goes on to the other one, and skips what isn’t wanted")
  func sides() async throws {
    let camera = ["--simulate", "grey", "--size", "640x480"]
    try await WalletVisit.begin(camera) { visit in
      try await visit.showForm()
      try await Self.scan(visit)
      try await visit.waitForLivePicture()
      try await visit.text(".camera-top .pill", contains: "Front, 1 of 2")
      try await visit.look("scan-front")
      try await visit.click(".skip-photo")
      try await visit.text(".camera-top .pill", contains: "Back, 2 of 2")
      try await visit.waitForLivePicture()
      try await visit.shoot()
      try await visit.wait(
        "the back", "document.querySelector('[data-side=back] img')?.naturalWidth > 0")
      try await visit.wait("the end", "!document.querySelector('dialog.picker').open")
      try await visit.count("[data-side=front] img", is: 0)
      // One side is left.
      try await Self.scan(visit)
      try await visit.text(".camera-top .pill", contains: "Front, 1 of 2")
      try await visit.click("[data-do=cancel]")
      try await visit.wait("the end", "!document.querySelector('dialog.picker').open")
      // Where no side was asked for, none is told.
      try await visit.click("[data-side=front] > button")
      try await visit.waitForLivePicture()
      #expect(
        try await visit.browser.run(
          "return document.querySelector('.skip-photo').hidden && document.querySelector('.camera-top .pill').hidden"
        ).bool == true)
    }
  }

  @Test("Without a camera the number can be typed: the field has the focus then")
  func typed() async throws {
    try await WalletVisit.begin(["--no-camera"]) { visit in
      try await visit.showForm()
      try await Self.scan(visit)
      try await visit.click("[data-name=camera]")
      try await visit.see("No camera")
      try await visit.look("scan-none")
      try await visit.click(button: "Type the number")
      try await visit.wait(
        "the focus",
        "!document.querySelector('dialog.picker').open && document.activeElement.id === 'field-cardId'"
      )
      // The scan was given up with it.
      try await visit.browser.press("/7?")
      #expect(try await Self.field("cardId", visit) == "/7?")
      #expect(try await visit.browser.run("return location.hash").string == "#/new")
    }
  }

  @Test("Keys in the picker don’t reach the wallet behind it")
  func keys() async throws {
    try await WalletVisit.begin(["--no-camera"]) { visit in
      try await visit.showForm()
      try await Self.scan(visit)
      try await visit.click(".library-filters .chip")
      try await visit.browser.run("document.querySelector('#picker-from').focus()")
      try await visit.browser.press("/?")
      try await visit.browser.run("document.querySelector('.library-filters .chip').focus()")
      try await visit.browser.press("/")
      #expect(try await visit.browser.run("return location.hash").string == "#/new")
      try await visit.browser.press("?")
      // The picker's own, and not the wallet's.
      try await visit.text("dialog.picker .keys", contains: "From photo to photo")
      let sheets = try await visit.browser.run(
        "return document.body.querySelectorAll(':scope > viewfinder-sheet').length")
      #expect(sheets.number == 0)
    }
  }
}

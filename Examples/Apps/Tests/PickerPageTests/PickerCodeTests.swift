import BrowserSupport
import Foundation
import Testing
import Viewfinder
import ViewfinderPicker

@Suite(
  "Codes in the picker’s live picture", .serialized,
  .disabled(if: noBrowser != nil, Comment(rawValue: noBrowser ?? "")),
  .enabled(if: !ImagePicker.availableCodeTypes.isEmpty, "the trait Barcodes is off"))
struct PickerCodeTests {
  private static let size = Dimensions(width: 1280, height: 720)

  /// Where a drawn code goes.
  private static var file: URL {
    FileManager.default.temporaryDirectory
      .appending(component: "viewfinder-code-\(UUID().uuidString).png")
  }

  @Test(
    "A bar code is outlined where one sees it, also in a mirror, and its number is told",
    arguments: [false, true])
  func found(isMirrored: Bool) async throws {
    let file = Self.file
    defer { try? FileManager.default.removeItem(at: file) }
    let camera = try DrawnCode.camera(file)
    try await PickerHost.begin { configuration in
      configuration.cameras = [camera.device]
      configuration.codeTypes = [.ean8]
      configuration.mirrorsPreview = isMirrored
    } body: { visit in
      try await visit.choose()
      try await visit.text(".advice", contains: "Code found: \u{2066}9638 5074\u{2069}")
      let outline = try await visit.browser.wait(
        for: "the outline",
        until: """
          const r = document.querySelector("[part=code]")?.getBoundingClientRect();
          if (!r?.width) return null;
          // It is drawn anew when the picture's size is known.
          const [before, now] = [window.codePlace, [r.x, r.y, r.width, r.height]];
          window.codePlace = now;
          return String(before) === String(now) ? now : null;
          """)
      let name = "picker-code\(isMirrored ? "-mirrored" : "")"
      try await visit.browser.screenshot(name)
      try await visit.browser.run(
        "document.querySelector('[part=code]').style.visibility = 'hidden'")
      let screen = try PixelBuffer(
        decoding: try await visit.browser.screenshot("\(name)-alone"))
      let drawn = CGRect(
        x: outline[0].number ?? 0, y: outline[1].number ?? 0, width: outline[2].number ?? 0,
        height: outline[3].number ?? 0)
      let seen = try #require(try DrawnCode.place(in: screen))
      // The picture tells left from right, so that this could fail.
      #expect((seen.midX > CGFloat(screen.dimensions.width) / 2) == isMirrored)
      let gaps = [
        drawn.minX - seen.minX, drawn.maxX - seen.maxX, drawn.minY - seen.minY,
        drawn.maxY - seen.maxY,
      ]
      #expect(gaps.allSatisfy { abs($0) < 6 }, "\(gaps)")
      // No card is looked for: there is no guide.
      let guide = try await visit.browser.run(
        "return document.querySelector('[part=guide]').getBoundingClientRect().width")
      #expect(guide.number == 0)
    }
  }

  @Test("A number is read aloud once, also where the camera loses the code and finds it again")
  func once() async throws {
    let file = Self.file
    defer { try? FileManager.default.removeItem(at: file) }
    let camera = try DrawnCode.camera(file)
    try await PickerHost.begin { configuration in
      configuration.cameras = [camera.device]
      configuration.codeTypes = [.ean8]
    } body: { visit in
      try await visit.choose()
      // What is read aloud, one after the other.
      try await visit.wait(
        "the number", "document.querySelector('.spoken')?.textContent.includes('9638 5074')")
      try await visit.browser.run(
        """
        window.said = [];
        const spoken = document.querySelector(".spoken");
        new MutationObserver(() => window.said.push(spoken.textContent)).observe(spoken, { childList: true });
        """)
      for isRead in [false, true] {
        visit.picker.metadataOutput.metadataObjectTypes = isRead ? [.ean8] : []
        try await visit.wait(
          isRead ? "the number" : "no number",
          "document.querySelector('.advice').hidden !== \(isRead)")
      }
      let said = try await visit.browser.run("return window.said")
      #expect(said == .array([""]))
    }
  }

  @Test("With a card, the number is told first, then what the card needs")
  func withCard() async throws {
    let camera = try PickerHost.camera(.steady, Self.size)
    try await PickerHost.begin { configuration in
      configuration.cameras = [camera.device]
      configuration.cameraOutline = .detected(fallback: .card())
      configuration.automaticShutter = nil
      configuration.codeTypes = [.ean13]
    } body: { visit in
      try await visit.choose()
      try await visit.browser.wait(
        for: "all words",
        until: """
          window.told ??= [];
          const code = document.querySelector(".advice")?.dataset.code;
          if (code && window.told.at(-1) !== code) window.told.push(code);
          return window.told.includes("code") && window.told.at(-1) !== "code";
          """)
      try await visit.wait(
        "both outlines",
        "['.code', '.card'].every((name) => document.querySelector(name)?.getBoundingClientRect().width > 0)"
      )
    }
  }

  @Test("Where no code is asked for, none is read")
  func unasked() async throws {
    let camera = try PickerHost.camera(.steady, Self.size)
    try await PickerHost.begin { configuration in
      configuration.cameras = [camera.device]
      configuration.cameraOutline = .detected(fallback: .card())
      configuration.automaticShutter = nil
    } body: { visit in
      try await visit.choose()
      try await visit.wait(
        "the card", "document.querySelector('.card')?.getBoundingClientRect().width > 0")
      #expect(visit.picker.metadataOutput.metadataObjectTypes == [.outline])
      #expect(
        try await visit.browser.run(
          "return document.querySelector('viewfinder-live').hasAttribute('codes')"
        ).bool == false)
    }
  }
}

import BrowserSupport
import Foundation
import Testing
import Viewfinder
import ViewfinderPicker

@Suite(
  "The picker’s keys", .serialized,
  .disabled(if: noBrowser != nil, Comment(rawValue: noBrowser ?? "")))
struct PickerKeyTests {
  /// A page that counts the keys that it hears.
  private static let counting = """
    window.heard = [];
    for (const place of [window, document, document.body]) {
      place.addEventListener("keydown", ({ key }) => window.heard.push(key));
    }
    """

  /// Keys as a hand presses them together, wherever the focus is.
  private static let together = """
    let at = document.activeElement;
    while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    for (const [key, ctrlKey] of [["a", true], ["Delete", false], ["z", true]]) {
      at.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey, bubbles: true, composed: true, cancelable: true }));
    }
    """

  @Test("While the picker is open, the page behind it hears no key, wherever the focus is")
  func behind() async throws {
    let camera = try PickerHost.camera()
    try await PickerHost.begin { configuration in
      configuration.cameras = [camera.device]
      // An empty library has nothing to choose days of.
      let size = Dimensions(width: 64, height: 48)
      let grey = Data(repeating: 90, count: size.width * size.height)
      let folder = try #require(configuration.libraryConfiguration.roots?.first)
      try PixelBuffer(pixelFormat: .grey, dimensions: size, data: grey).jpegData()
        .write(to: folder.appending(component: "photo.jpg"))
    } body: { visit in
      try await visit.choose()
      try await visit.waitForLivePicture()
      try await visit.browser.run(Self.counting)
      // At the shutter, at nothing, at a field of the library's.
      try await visit.browser.run("document.querySelector('.shutter').focus()")
      try await visit.browser.press("/n")
      try await visit.browser.run(Self.together)
      try await visit.browser.run("document.querySelector('.shutter').blur()")
      try await visit.browser.press("/n")
      try await visit.browser.run(Self.together)
      try await visit.click("[data-name=photoLibrary]")
      try await visit.click(".library-filters .chip")
      try await visit.browser.run("document.querySelector('#picker-from').focus()")
      try await visit.browser.press("/?")
      try await visit.browser.run(Self.together)
      #expect(try await visit.browser.run("return window.heard") == .array([]))
      // A field takes its letters for itself.
      try await visit.count("viewfinder-sheet[open]", is: 0)
      try await visit.browser.press(Key.escape)
      try await visit.wait("the end", "!document.querySelector('dialog.picker').open")
      try await visit.browser.run("window.heard = []")
      try await visit.browser.press("/")
      #expect(try await visit.browser.run("return window.heard") == ["/", "/", "/"])
    }
  }

  @Test("? shows the keys of the screen, and Escape closes the list and not the picker")
  func list() async throws {
    let camera = try PickerHost.camera()
    try await PickerHost.begin {
      $0.cameras = [camera.device]
    } body: { visit in
      try await visit.choose()
      try await visit.waitForLivePicture()
      try await visit.browser.press("?")
      try await visit.wait("the list", "document.querySelector('viewfinder-sheet[open] .keys')")
      let camera = try await visit.text(".keys")
      #expect(camera.contains("Take or stop") && camera.contains("This list"))
      try await visit.look("picker-keys")
      // The keys beneath it wait.
      try await visit.browser.press("f")
      try await visit.browser.press(Key.escape)
      try await visit.wait("no list", "!document.querySelector('.keys')")
      #expect(visit.picker.isPresented && visit.picker.state.camera.flashMode == .off)
      try await visit.click("[data-do=takePicture]")
      try await visit.click("[data-do=crop]")
      try await visit.wait("the crop", "document.querySelector('.crop img')?.naturalWidth > 0")
      try await visit.browser.press("?")
      try await visit.wait("the list", "document.querySelector('viewfinder-sheet[open] .keys')")
      #expect(try await visit.text(".keys").contains("Move the photo"))
    }
  }

  /// Takes a photo that is then at its corners, a card, or under its frame; `body` gets what can be moved there.
  private func edit(
    isCard: Bool, _ body: (PickerHost, _ place: String) async throws -> Void
  ) async throws {
    let camera = try PickerHost.camera()
    try await PickerHost.begin { configuration in
      configuration.cameras = [camera.device]
      if isCard { configuration.cameraOutline = .detected(fallback: .card()) }
      if !isCard { configuration.editing = .square }
    } body: { visit in
      try await visit.choose()
      try await visit.waitForLivePicture()
      let place = isCard ? ".handle" : ".crop"
      try await visit.browser.wait(
        for: "the screen",
        until: """
          // A card takes its photo by itself.
          if (\(!isCard)) document.querySelector("[data-do=takePicture]:not(:disabled)")?.click();
          return document.querySelector("\(place)")?.checkVisibility();
          """)
      try await body(visit, place)
    }
  }

  @Test("Return uses a photo at its corners and under its frame", arguments: [true, false])
  func uses(isCard: Bool) async throws {
    try await edit(isCard: isCard) { visit, place in
      try await visit.browser.run("document.querySelector('\(place)').focus()")
      try await visit.browser.press(Key.left)
      try await visit.browser.press(Key.enter)
      try await visit.wait("the end", "!document.querySelector('dialog.picker').open")
      // The arrow came before, in its order.
      #expect(try #require(visit.picker.state.selection.first).edit != nil)
    }
  }

  @Test("A corner or a photo that can't be moved is told of", arguments: [true, false])
  func fails(isCard: Bool) async throws {
    try await edit(isCard: isCard) { visit, place in
      try await visit.browser.run(
        """
        const send = window.fetch;
        window.fetch = (url, options) => /moveCorner|pan/.test(options?.body ?? "")
          ? Promise.resolve(new Response('{"error":"The disk is away."}', { status: 500 })) : send(url, options);
        document.querySelector("\(place)").focus();
        """)
      try await visit.browser.press(Key.left)
      try await visit.text(".toast", contains: "The disk is away.")
    }
  }

  @Test("Ctrl+Z takes back what a toast tells of, and not while a field has the focus")
  func undo() async throws {
    try await PickerHost.begin { _ in
    } body: { visit in
      try await visit.wait("the page", "document.body.dataset.ready === 'true'")
      let undone = try await visit.browser.run(
        """
        const { toast } = await import("/ui/toast.js");
        const undone = [];
        const press = (at, options) => at.dispatchEvent(
          new KeyboardEvent("keydown", { key: "z", bubbles: true, cancelable: true, ...options }));
        const field = document.createElement("input");
        document.body.append(field);
        toast("One", { undo: () => undone.push("one") });
        press(field, { ctrlKey: true });
        press(document.body, {});
        toast("Two", { undo: () => undone.push("two") });
        press(document.body, { ctrlKey: true });
        press(document.body, { ctrlKey: true });
        toast("Three", { undo: () => undone.push("three") });
        press(document.body, { metaKey: true });
        return [...undone, document.querySelectorAll(".toast").length];
        """)
      #expect(undone == ["two", "three", 0])
    }
  }

  @Test("F turns to the next way of the lamp")
  func flash() async throws {
    let camera = try PickerHost.camera()
    try await PickerHost.begin {
      $0.cameras = [camera.device]
    } body: { visit in
      try await visit.choose()
      try await visit.waitForLivePicture()
      for (mode, words) in [
        (CapturePhotoSettings.FlashMode.on, "Flash: on"), (.auto, "Flash: automatic"),
        (.off, "Flash: off"),
      ] {
        try await visit.browser.press("f")
        try await visit.wait(
          words, "document.querySelector('.camera-top [aria-label=\"\(words)\"]')")
        #expect(visit.picker.state.camera.flashMode == mode)
      }
    }
  }
}

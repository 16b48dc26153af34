import BrowserSupport
import Foundation
import Testing
import Viewfinder
import ViewfinderPicker

@Suite(
  "The picker in the hand", .serialized,
  .disabled(if: noBrowser != nil, Comment(rawValue: noBrowser ?? "")))
struct PickerHandTests {
  @Test("A card that lies still takes its photo, and keys correct its corners")
  func automaticShutter() async throws {
    let camera = try PickerHost.camera()
    try await PickerHost.begin { configuration in
      configuration.cameras = [camera.device]
      configuration.cameraOutline = .detected(fallback: .card())
    } body: { visit in
      try await visit.choose()
      // Nobody presses anything.
      try await visit.wait(
        "the photo", "document.querySelector('.edges-editor')?.hasAttribute('data-ready')")
      guard case .correcting(_, let found) = visit.picker.state.screen else {
        Issue.record("\(visit.picker.state.screen)")
        return
      }
      #expect(found.detected != nil)
      try await visit.browser.run("document.querySelectorAll('.handle')[2].focus()")
      // Left with Shift, ten times as far as up.
      try await visit.browser.run(
        """
        const handle = document.querySelectorAll(".handle")[2];
        const press = (key, shiftKey) =>
          handle.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true }));
        press("ArrowLeft", true);
        press("ArrowUp", false);
        """)
      for await state in visit.picker.states {
        guard case .correcting(_, let moved) = state.screen else { break }
        let across = moved.corners[2].x - found.corners[2].x
        let up = moved.corners[2].y - found.corners[2].y
        guard across != 0, up != 0 else { continue }
        #expect(across < 0 && up < 0)
        let size = moved.pictureSize
        #expect(abs(across * Double(size.width) / (up * Double(size.height)) - 10) < 0.01)
        #expect(moved.corners[0] == found.corners[0])
        break
      }
      try await visit.click("[data-do=usePhoto]")
      try await visit.wait("the end", "!document.querySelector('dialog.picker').open")
      #expect(visit.picker.state.selection.count == 1)
    }
  }

  @Test("With two cameras the other one is a press away, and mirrored as the front one")
  func twoCameras() async throws {
    let (rear, front) = (try PickerHost.camera(), try PickerHost.camera(.grey))
    try await PickerHost.begin {
      $0.cameras = [rear.device, front.device]
    } body: { visit in
      try await visit.choose()
      try await visit.waitForLivePicture()
      #expect(
        try await visit.browser.run(
          "return document.querySelector('viewfinder-live').hasAttribute('mirrored')"
        ).bool == false)
      try await visit.look("picker-two-cameras")
      try await visit.click("[data-do=switchCamera]")
      try await visit.wait(
        "the front camera", "document.querySelector('viewfinder-live').hasAttribute('mirrored')")
      try await visit.waitForLivePicture()
      #expect(visit.picker.state.camera.device == .front)
      try await visit.click("[data-do=switchCamera]")
      try await visit.wait(
        "the rear camera", "!document.querySelector('viewfinder-live').hasAttribute('mirrored')")
    }
  }

  @Test("A page above the program’s path needs one element, and its styles stay out")
  func foreign() async throws {
    let camera = try PickerHost.camera()
    try await PickerHost.begin(below: "/tools/camera") { configuration in
      configuration.cameras = [camera.device]
    } body: { visit in
      try await visit.choose()
      try await visit.waitForLivePicture()
      try await visit.browser.run(
        """
        const sheet = new CSSStyleSheet();
        sheet.replaceSync("button, dialog { display: none; opacity: 0.5 }");
        document.adoptedStyleSheets = [sheet];
        """)
      try await visit.click("[data-do=takePicture]")
      try await visit.wait("the photo", "document.querySelector('.whole')?.naturalWidth > 0")
      // Nothing was asked for beside the program.
      let foreign = try await visit.browser.run(
        """
        return performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname)
          .filter((path) => !path.startsWith("/tools/camera/") && path !== "/host.js" && path !== "/favicon.ico");
        """)
      #expect(foreign == .array([]))
      try await visit.click("[data-do=usePhoto]")
      try await visit.wait("the end", "!document.querySelector('dialog.picker').open")
      #expect(visit.picker.state.selection.count == 1)
    }
  }

  @Test("A photo to use can be turned and cropped first")
  func review() async throws {
    let camera = try PickerHost.camera()
    try await PickerHost.begin {
      $0.cameras = [camera.device]
    } body: { visit in
      try await visit.choose()
      try await visit.waitForLivePicture()
      try await visit.click("[data-do=takePicture]")
      try await visit.wait("the photo", "document.querySelector('.whole')?.naturalWidth > 0")
      try await visit.look("picker-review-tools")
      try await visit.click("[data-do=turnRight]")
      try await visit.wait(
        "the turn",
        "/rotate\\(90deg/.test(document.querySelector('.crop img')?.style.transform)")
      try await visit.click("[data-do=usePhoto]")
      try await visit.wait("the end", "!document.querySelector('dialog.picker').open")
      let turned = try #require(visit.picker.state.selection.first)
      #expect(
        try await turned.image(fitting: Dimensions(width: 640, height: 640)).dimensions
          == Dimensions(width: 480, height: 640))

      try await visit.choose()
      try await visit.waitForLivePicture()
      try await visit.click("[data-do=takePicture]")
      try await visit.click("[data-do=crop]")
      try await visit.wait("the crop", "document.querySelector('.crop img')?.naturalWidth > 0")
      try await visit.click("[data-do=usePhoto]")
      try await visit.wait("the end", "!document.querySelector('dialog.picker').open")
      // Nothing was changed: it is the original.
      #expect(try #require(visit.picker.state.selection.first).edit == nil)
    }
  }
}

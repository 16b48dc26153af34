import BrowserSupport
import Foundation
import Testing
import Viewfinder
import ViewfinderPicker
@testable import ViewfinderPages

@Suite(
  "One button and one picture", .serialized,
  .disabled(if: noBrowser != nil, Comment(rawValue: noBrowser ?? "")))
struct PickerComponentTests {
  @Test("A photo is taken, cropped with the keyboard, and shown as it lay under the frame")
  func takesAndCrops() async throws {
    try await PickerVisit.begin("picker-component", PickerVisit.camera + ["--square"]) { visit in
      try await visit.click("#choose")
      try await visit.waitForLivePicture()
      try await visit.look("picker-camera")
      try await visit.click("[data-do=takePicture]")
      try await visit.wait("the crop", "document.querySelector('.crop img')?.naturalWidth > 0")
      try await visit.look("picker-crop")
      try await visit.browser.run("document.querySelector('.crop').focus()")
      try await visit.browser.press("++..")
      try await visit.click("[data-do=turnRight]")
      try await visit.wait(
        "the turn", "/rotate\\(92deg/.test(document.querySelector('.crop img').style.transform)")
      let screen = try PixelBuffer(decoding: try await visit.browser.screenshot("picker-turned"))
      let edge = try await visit.browser.run(
        "const r = document.querySelector('.crop .edge').getBoundingClientRect();"
          + "return [r.x, r.y, r.width, r.height]")
      try await visit.click("[data-do=usePhoto]")
      try await visit.wait("the picture", "document.querySelector('#picture').naturalWidth > 0")
      let taken = try await visit.picture("#picture")
      #expect(taken.dimensions.width == taken.dimensions.height)
      let frame = CGRect(
        x: edge[0].number ?? 0, y: edge[1].number ?? 0, width: edge[2].number ?? 0,
        height: edge[3].number ?? 0)
      let seen = try Mosaic(screen, in: frame.insetBy(dx: 3, dy: 3))
      let whole = CGRect(x: 0, y: 0, width: taken.dimensions.width, height: taken.dimensions.height)
      let inset = 3 * whole.width / frame.width
      let result = try Mosaic(taken, in: whole.insetBy(dx: inset, dy: inset))
      #expect(seen.difference(from: result) < 6)
      #expect(seen.difference(from: result.mirrored) > 6)
      let complaints = try await visit.browser.complaints()
      #expect(complaints == [])
    }
  }

  @Test(
    "The outline over the live picture is what the photo shows", arguments: [0, 90], [false, true])
  func outline(rotation: Int, isMirrored: Bool) async throws {
    let options =
      PickerVisit.camera + ["--card", "--rotate", "\(rotation)"] + (isMirrored ? ["--mirror"] : [])
    try await PickerVisit.begin("picker-component", options) { visit in
      try await visit.click("#choose")
      try await visit.waitForLivePicture()
      let place = try await visit.browser.wait(
        for: "the guide",
        until: """
          const r = document.querySelector("[part=guide]")?.getBoundingClientRect();
          if (!r?.width) return null;
          // It is drawn anew when the picture's size is known.
          const [before, now] = [window.guidePlace, [r.x, r.y, r.width, r.height]];
          window.guidePlace = now;
          return String(before) === String(now) ? now : null;
          """)
      let screen = try PixelBuffer(
        decoding: try await visit.browser.screenshot(
          "picker-outline-\(rotation)\(isMirrored ? "-mirrored" : "")"))
      try await visit.click("[data-do=takePicture]")
      try await visit.wait("the photo", "document.querySelector('.whole')?.naturalWidth > 0")
      if rotation == 0, !isMirrored { try await visit.look("picker-review") }
      try await visit.click("[data-do=usePhoto]")
      try await visit.wait("the picture", "document.querySelector('#picture').naturalWidth > 0")
      let photo = try await visit.picture("#picture")
      let frame = CGRect(
        x: place[0].number ?? 0, y: place[1].number ?? 0, width: place[2].number ?? 0,
        height: place[3].number ?? 0)
      let seen = try Mosaic(screen, in: frame.insetBy(dx: 8, dy: 8))
      let whole = CGRect(x: 0, y: 0, width: photo.dimensions.width, height: photo.dimensions.height)
      let inset = 8 * whole.width / frame.width
      let taken = try Mosaic(photo, in: whole.insetBy(dx: inset, dy: inset))
      #expect(seen.difference(from: isMirrored ? taken.mirrored : taken) < 6)
      #expect(seen.difference(from: isMirrored ? taken : taken.mirrored) > 6)
    }
  }

  @Test("A photo is found in the library by its day, and shown")
  func library() async throws {
    try await PickerVisit.begin("picker-component") { visit in
      try await visit.click("#choose")
      try await visit.click("[data-name=photoLibrary]")
      try await visit.count(".grid img", is: 3)
      try await visit.look("picker-library")
      try await visit.browser.run(
        """
        document.querySelector(".chip").click();
        const day = document.querySelector(".library-filters input");
        day.value = "2099-01-01";
        day.dispatchEvent(new Event("change", { bubbles: true }));
        """)
      try await visit.wait(
        "no photo", "document.querySelector('.library').innerText.includes('no photo here')")
      try await visit.browser.run(
        """
        const day = document.querySelector(".library-filters input");
        day.value = "2020-01-01";
        day.dispatchEvent(new Event("change", { bubbles: true }));
        """)
      try await visit.count(".grid button", is: 3)
      try await visit.click(".grid button")
      try await visit.wait("the picture", "document.querySelector('#picture').naturalWidth === 320")
    }
  }

  @Test("Fast taps take one photo, and Escape cancels")
  func fastTaps() async throws {
    try await PickerVisit.begin("picker-component") { visit in
      try await visit.click("#choose")
      try await visit.waitForLivePicture()
      try await visit.browser.run(
        "for (let i = 0; i < 8; i++) document.querySelector('[data-do=takePicture]').click()")
      try await visit.wait("the photo", "document.querySelector('.whole')?.naturalWidth > 0")
      try await visit.browser.press(Key.escape)
      try await visit.wait("the end", "!document.querySelector('dialog').open")
      #expect(
        try await visit.browser.run("return document.querySelector('#none').hidden").bool == false)
    }
  }

  @Test("There are words for each code that the program has, in all languages")
  func codes() async throws {
    let codes = try PageWords.codes(in: "picker-component", "ViewfinderPages", "WebServing")
    #expect(codes.isSuperset(of: ["pickerElsewhere", "cameraLost", "nothingHere"]))
    try await PickerVisit.begin("picker-component", ["--no-camera"]) { visit in
      let problems = try await visit.browser.wordProblems(["/component.js"], codes: codes)
      #expect(problems == [])
      try await visit.browser.speak("de")
      try await visit.see("Bild wählen")
    }
  }

  @Test("Without a camera the page says so, and the library can be used")
  func noCamera() async throws {
    try await PickerVisit.begin("picker-component", ["--no-camera"]) { visit in
      try await visit.click("#choose")
      try await visit.count(".grid img", is: 3)
      try await visit.click("[data-name=camera]")
      try await visit.wait(
        "the reason",
        "document.querySelector('[part=words]')?.textContent.includes('Plug one in')")
      try await visit.look("picker-no-camera")
      try await visit.browser.speak("de")
      try await visit.see("Keine Kamera ist angeschlossen. Schließe eine an.")
      try await visit.browser.screenshot("picker-no-camera-german")
      try await visit.click("[data-name=photoLibrary]")
      try await visit.click(".grid button")
      try await visit.wait("the picture", "document.querySelector('#picture').naturalWidth === 320")
    }
  }

  @Test("A camera that is unplugged is told of, and comes back by itself")
  func unplugged() async throws {
    let options = PickerVisit.camera + ["--faults", "unplug@60:3"]
    try await PickerVisit.begin("picker-component", options) { visit in
      try await visit.click("#choose")
      try await visit.wait(
        "the reason",
        "document.querySelector('[part=words]')?.textContent.length > 0"
          + " && document.querySelector('viewfinder-live').getAttribute('state') === 'interrupted'")
      try await visit.browser.screenshot("picker-unplugged")
      try await visit.waitForLivePicture()
      try await visit.click("[data-do=takePicture]")
      try await visit.click("[data-do=usePhoto]")
      try await visit.wait("the picture", "document.querySelector('#picture').naturalWidth > 0")
    }
  }

  @Test("A picker that no page shows is cancelled")
  func nobody() async throws {
    var configuration = ImagePicker.Configuration()
    configuration.cameras = []
    let picker = ImagePicker(configuration, presenter: PickerPage(patience: .milliseconds(50)))
    #expect(try await picker.pick() == nil)
  }

  @Test("A picker ends soon after its page was closed, and not when another page was")
  func leaving() async throws {
    var configuration = ImagePicker.Configuration()
    configuration.cameras = []
    let page = PickerPage(patience: .seconds(3600), reload: .milliseconds(50))
    let picker = ImagePicker(configuration, presenter: page)
    try page.open(picker, for: "mine") { try picker.present() }
    page.isLeft(by: "another")
    try await Task.sleep(for: .milliseconds(300))
    #expect(picker.isPresented)
    page.isLeft(by: "mine")
    for await state in picker.states where !state.isPresented { break }
    #expect(!picker.isPresented)
  }
}

import BrowserSupport
import Foundation
import ServerSupport
import Testing
import Viewfinder
import ViewfinderPicker

@Suite(
  "What keeps the picker from taking photos", .serialized,
  .disabled(if: noBrowser != nil, Comment(rawValue: noBrowser ?? "")))
struct PickerTroubleTests {
  @Test("Without permission there is a lock, and what helps in words")
  func permission() async throws {
    try await PickerHost.begin { _ in
    } body: { visit in
      try await visit.choose()
      // It begins with what can be used.
      try await visit.click("[data-name=camera]")
      try await visit.trouble("none")
      // What a program says that may not open the camera.
      try await visit.browser.run(
        """
        document.querySelector("viewfinder-live").dispatchEvent(new CustomEvent("report", { detail: {
          state: "unavailable", message: "No.", code: "cameraGroup",
          values: { device: "/dev/video0", group: "video" } } }));
        """)
      try await visit.trouble("permission")
      #expect(try await visit.text(".camera-none h2") == "No access to the camera")
      #expect(try await visit.text(".camera-none p").contains("the group “video”"))
      let icon = try await visit.browser.run(
        "return document.querySelector('.camera-none use').getAttribute('href').split('#')[1]")
      #expect(icon == "lock")
      try await visit.look("picker-permission")
    }
  }

  @Test(
    "A full disk is told of in place of the picture, and the photo is taken when there is room",
    .enabled(if: TestDisk.canMount))
  func fullDisk() async throws {
    let (disk, camera) = (try TestDisk(megabytes: 1), try PickerHost.camera())
    try await PickerHost.begin { configuration in
      configuration.cameras = [camera.device]
      configuration.captureFolder = disk.folder
    } body: { visit in
      try await visit.choose()
      try await visit.waitForLivePicture()
      try disk.fill()
      try await visit.click("[data-do=takePicture]")
      try await visit.trouble("full")
      #expect(try await visit.text(".camera-none h2") == "The disk is full")
      let toasts = try await visit.browser.run("return document.querySelectorAll('.toast').length")
      #expect(toasts.number == 0)
      try await visit.look("picker-full")
      try disk.free()
      try await visit.click(".camera-none [data-do=takePicture]")
      try await visit.wait("the photo", "document.querySelector('.whole')?.naturalWidth > 0")
    }
  }

  @Test("The picture comes by itself when another program gives the camera back")
  func inUse() async throws {
    let camera = try PickerHost.camera()
    let other = CaptureSession()
    try other.configure {
      try other.addInput(CaptureDeviceInput(device: camera.device))
      try other.addOutput(CaptureVideoDataOutput())
    }
    try await other.startRunning()
    try await PickerHost.begin {
      $0.cameras = [camera.device]
    } body: { visit in
      try await visit.choose()
      try await visit.trouble("inUse")
      try await visit.look("picker-in-use")
      // Nothing of the page moves while it tries again.
      try await visit.browser.run(
        """
        window.changes = 0;
        new MutationObserver(() => { window.changes += 1; })
          .observe(document.querySelector(".camera-none"), { childList: true, subtree: true });
        """)
      var statuses = visit.picker.states.makeAsyncIterator()
      await other.stopRunning()
      while let state = await statuses.next(), state.camera.status != .running {
        #expect(state.camera.status != .starting)
      }
      try await visit.waitForLivePicture()
      #expect(try await visit.browser.run("return window.changes").number == 0)
      #expect(
        try await visit.browser.run("return document.querySelector('.camera-none').hidden").bool
          == true)
    }
  }

  @Test("A picker that was closed takes no camera that is given back")
  func closed() async throws {
    let camera = try PickerHost.camera()
    let other = CaptureSession()
    try other.configure {
      try other.addInput(CaptureDeviceInput(device: camera.device))
      try other.addOutput(CaptureVideoDataOutput())
    }
    try await other.startRunning()
    try await PickerHost.begin {
      $0.cameras = [camera.device]
    } body: { visit in
      try await visit.choose()
      try await visit.trouble("inUse")
      try await visit.click("[data-do=cancel]")
      try await visit.wait("the end", "!document.querySelector('dialog.picker').open")
      await other.stopRunning()
      // Longer than the picker waited before.
      try await Task.sleep(for: .seconds(5))
      #expect(visit.picker.state.camera.status == .off)
      try await other.startRunning()
      await other.stopRunning()
    }
  }

  @Test("While the camera starts the shutter is off, also by its key")
  func starting() async throws {
    let camera = try PickerHost.camera()
    try await PickerHost.begin {
      $0.cameras = [camera.device]
    } body: { visit in
      try await visit.wait("the page", "document.body.dataset.ready === 'true'")
      // The live picture's reports come late.
      try await visit.browser.run(
        """
        window.held = [];
        window.EventSource = class extends EventSource {
          addEventListener(type, listener) {
            const isLive = new URL(this.url).searchParams.getAll("topic").includes(`${type}.picker-live`);
            super.addEventListener(type, (event) =>
              isLive && window.held ? window.held.push(() => listener(event)) : listener(event));
          }
        };
        document.querySelector("viewfinder-picker").addEventListener("state", ({ detail }) => {
          window.isRunning = detail.camera.isRunning;
        });
        """)
      try await visit.choose()
      try await visit.wait("the camera", "window.isRunning && window.held.length > 0")
      let shutter = try await visit.browser.run(
        """
        return [
          document.querySelector(".camera-none .spinner").checkVisibility(), document.querySelector(".shutter").disabled,
        ];
        """)
      #expect(shutter == [true, true])
      try await visit.browser.press(" ")
      try await visit.browser.run(
        "const held = window.held; window.held = null; held.forEach((tell) => tell());")
      try await visit.waitForLivePicture()
      #expect(visit.picker.state.camera.activity == .idle)
      #expect(try await visit.browser.run("return document.querySelector('.whole')") == .null)
    }
  }

  @Test("A program that is gone is told of with a drawing, and the shutter is off")
  func programGone() async throws {
    try await PickerVisit.begin("picker-component") { visit in
      try await visit.click("#choose")
      try await visit.waitForLivePicture()
      #expect(await visit.server.end() == 0)
      try await visit.wait(
        "the drawing",
        "document.querySelector('.camera-none[data-trouble=unreachable]')?.checkVisibility()")
      // Drawn, though nobody can be asked for it any more.
      let icon = try await visit.browser.run(
        """
        const use = document.querySelector(".camera-none use");
        return [use.getAttribute("href").split("#")[1], use.getBBox().width > 0];
        """)
      #expect(icon == ["cloud-off", true])
      #expect(
        try await visit.browser.run("return document.querySelector('.shutter').disabled").bool
          == true)
      try await visit.look("picker-unreachable")
    }
  }
}

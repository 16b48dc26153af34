import BrowserSupport
import Foundation
import Testing
import Viewfinder
import ViewfinderPages
import WebServing

@testable import camera_server

@Suite(
  "The live page in a browser", .serialized,
  .disabled(if: Chromium.absence != nil, Comment(rawValue: Chromium.absence ?? "")))
struct CameraPageTests {
  static let desktop = Browser.Appearance(width: 1100, height: 640)

  @Test("The live picture moves, and nothing on the page breaks the browser's rules")
  func picture() async throws {
    try await page(.card) { browser, _ in
      try await browser.wait(for: "the picture", until: Script.isShown)
      try await browser.wait(for: "another picture", until: Script.hasChanged)
      #expect(try await browser.complaints() == [])
    }
  }

  @Test("The shutter gives a photo, by mouse and by keyboard")
  func shutter() async throws {
    try await page(.steady) { browser, _ in
      try await browser.wait(for: "the shutter", until: Script.canShoot)
      try await browser.click("#shutter")
      try await browser.wait(for: "a photo", until: Script.photos(1))
      // The shutter keeps the focus.
      try await browser.wait(for: "the shutter", until: Script.canShoot)
      try await browser.press(Key.enter)
      try await browser.wait(for: "another photo", until: Script.photos(2))
      let size = try await browser.run(
        """
        const photo = document.querySelector("#photos img");
        return `${photo.naturalWidth}x${photo.naturalHeight}`;
        """
      )
      #expect(size.string == "640x480")
      let news = try await browser.run("return document.getElementById('news').textContent")
      #expect(news.string?.contains("Photo 2") == true)
    }
  }

  @Test("Each tap on the shutter while it is busy is left out")
  func doubleTap() async throws {
    try await page(.steady) { browser, _ in
      try await browser.wait(for: "the shutter", until: Script.canShoot)
      try await browser.run(
        "for (let i = 0; i < 5; i++) document.getElementById('shutter').click()")
      try await browser.wait(for: "a photo", until: Script.photos(1))
      try await browser.wait(for: "the shutter", until: Script.canShoot)
      #expect(
        try await browser.run("return document.querySelectorAll('#photos img').length").number == 1)
    }
  }

  @Test("All controls are reached with the Tab key and say what they are")
  func keyboard() async throws {
    try await page(.steady) { browser, _ in
      try await browser.wait(for: "the shutter", until: Script.canShoot)
      try await browser.press(Key.tab)
      let first = try await browser.run("return document.activeElement.textContent")
      #expect(first.string == "Take photo")
      try await browser.press(Key.tab)
      #expect(try await browser.run("return document.activeElement.id").string == "guide")
      try await browser.press(" ")
      try await browser.wait(for: "the guide", until: Script.guide)
    }
  }

  @Test("Why there is no picture is said, and the picture comes back by itself")
  func unplugging() async throws {
    try await page(.card) { browser, simulated in
      try await browser.wait(for: "the picture", until: Script.isShown)
      simulated.unplug()
      let words = try await browser.wait(for: "the reason", until: Script.words)
      #expect(words.string?.contains("Plug it in again") == true)
      let role = try await browser.run(
        "return document.querySelector('viewfinder-live > p').getAttribute('role')")
      #expect(role.string == "status")
      #expect(
        try await browser.run("return document.getElementById('shutter').disabled").bool == true)
      try await browser.screenshot("camera-unplugged")
      simulated.plugIn()
      try await browser.wait(
        for: "the end of the words",
        until: "return document.querySelector('viewfinder-live > p').textContent === ''")
      try await browser.wait(for: "another picture", until: Script.hasChanged)
    }
  }

  @Test("A page that can't be seen watches nothing")
  func hiddenPage() async throws {
    try await page(.steady) { browser, _ in
      try await browser.wait(for: "the picture", until: Script.isShown)
      try await browser.run(
        """
        Object.defineProperty(document, "hidden", { value: true, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
        """)
      try await browser.wait(for: "the end of the stream", until: Script.clients(0))
      try await browser.run(
        """
        delete document.hidden;
        document.dispatchEvent(new Event("visibilitychange"));
        """)
      try await browser.wait(for: "the picture", until: Script.isShown)
      try await browser.wait(for: "the stream", until: Script.clients(1))
    }
  }

  @Test("The guide on the page is what the photo shows", arguments: [0, 90], [false, true])
  func guide(rotation: Int, mirrored: Bool) async throws {
    try await page(.steady, rotation: rotation, mirrored: mirrored) { browser, _ in
      try await browser.wait(for: "the picture", until: Script.isShown)
      try await browser.click("#guide")
      try await browser.wait(for: "the guide", until: Script.guide)
      try await browser.click("#shutter")
      try await browser.wait(for: "a photo", until: Script.photos(1))
      let place = try await browser.run(Script.guide)
      let screen = try PixelBuffer(
        decoding: try await browser.screenshot(
          "camera-guide-\(rotation)\(mirrored ? "-mirrored" : "")"))
      let file = try #require(try await browser.run(Script.photoFile).string)
      let photo = try PixelBuffer(decoding: try #require(Data(base64Encoded: file)))
      let frame = CGRect(
        x: place[0].number ?? 0, y: place[1].number ?? 0, width: place[2].number ?? 0,
        height: place[3].number ?? 0)
      // As seen on the page, in points; without the guide's line.
      let seen = try Mosaic(screen, in: frame.insetBy(dx: 6, dy: 6))
      let inset = 6 * Double(photo.dimensions.width) / frame.width
      let whole = CGRect(x: 0, y: 0, width: photo.dimensions.width, height: photo.dimensions.height)
      let taken = try Mosaic(photo, in: whole.insetBy(dx: inset, dy: inset))
      #expect(seen.difference(from: mirrored ? taken.mirrored : taken) < 6)
      // The scene tells left from right, so that this could fail.
      #expect(seen.difference(from: mirrored ? taken : taken.mirrored) > 6)
    }
  }

  @Test("The page fits light and dark, upright and wide")
  func appearance() async throws {
    try await page(.card) { browser, _ in
      try await browser.wait(for: "the picture", until: Script.isShown)
      try await browser.click("#guide")
      for (shape, width, height) in [
        ("portrait", 390, 844), ("landscape", 844, 390), ("desktop", 1280, 800),
      ] {
        for isDark in [false, true] {
          try await browser.change(
            to: Browser.Appearance(width: width, height: height, isDark: isDark))
          try await browser.wait(for: "the guide", until: Script.guide)
          try await browser.click("#shutter")
          try await browser.wait(for: "the photo", until: Script.canShoot)
          try await check(browser, isDark: isDark)
          try await browser.screenshot("camera-\(shape)-\(isDark ? "dark" : "light")")
        }
      }
    }
  }

  private func check(_ browser: Browser, isDark: Bool) async throws {
    let isWide = try await browser.run(
      "return document.documentElement.scrollWidth > document.documentElement.clientWidth")
    #expect(isWide.bool == false)
    let small = try await browser.run(Script.smallTargets)
    #expect(small == [])
    let ground = try await browser.run("return getComputedStyle(document.body).backgroundColor")
    #expect(ground.string == (isDark ? "rgb(21, 21, 23)" : "rgb(244, 244, 242)"))
  }

  /// Opens the page of a simulated camera in a browser.
  private func page(
    _ scene: SimulatedCamera.Scene, _ appearance: Browser.Appearance = Self.desktop,
    rotation: Int = 0, mirrored: Bool = false,
    body: @Sendable (Browser, SimulatedCamera) async throws -> Void
  ) async throws {
    var configuration = SimulatedCamera.Configuration()
    configuration.source = .scene(scene)
    let simulated = try SimulatedCamera(configuration)
    let camera = LiveCamera(rotation: rotation) {
      try simulated.device.configure { (device) throws(CaptureError) in
        let size = Dimensions(width: 640, height: 480)
        try device.setActiveFormat(try device.bestFormat(.yuyv, dimensions: size))
        try device.setActiveVideoFrameDuration(FrameInterval(frameRate: 15))
      }
      return simulated.device
    }
    let (addresses, announcement) = AsyncStream.makeStream(of: String.self)
    let address = ListenAddress(host: "127.0.0.1", port: 0)
    let server = Task {
      try await WebServer(.init(address: address)).run(
        services: [camera], announce: { announcement.yield($0) }
      ) { router in
        router.serveSharedAssets()
        CameraPage.add(to: router, mirrored: mirrored)
        CameraRoutes(camera).add(to: router)
      }
    }
    let start = try #require(await addresses.first { _ in true })
    let result = await Result {
      try await Browser.open(appearance) { browser in
        try await browser.open(start)
        try await body(browser, simulated)
      }
    }
    server.cancel()
    _ = await server.result
    try result.get()
  }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}

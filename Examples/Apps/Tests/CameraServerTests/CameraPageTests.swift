import BrowserSupport
import Foundation
import Testing
import Viewfinder
import WebServing

@testable import ViewfinderPages
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
      let complaints = try await browser.complaints()
      #expect(complaints == [])
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
      let news = try await browser.run("return document.querySelector('.toast').textContent")
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
      var names: [String] = []
      for _ in 0..<5 {
        let name = try await browser.run(
          "const e = document.activeElement; return e.ariaLabel ?? e.innerText")
        names.append(name.string ?? "")
        if names.last == "Card guide" { try await browser.press(" ") }
        try await browser.press(Key.tab)
      }
      #expect(
        names == [
          "Settings", "Card guide", "Full screen", "Take photo", "Copy the stream’s address",
        ])
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
      #expect(try await browser.run(Script.mode("lost")).bool == true)
      let role = try await browser.run("return document.getElementById('none').role")
      #expect(role.string == "alert")
      #expect(
        try await browser.run("return document.getElementById('shutter').disabled").bool == true)
      try await browser.screenshot("camera-unplugged")
      simulated.plugIn()
      try await browser.wait(for: "the live picture", until: Script.mode("live"))
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

  @Test("Figures and plots say the same, and follow the stream")
  func figures() async throws {
    try await page(.card) { browser, _ in
      try await browser.wait(
        for: "the plots",
        until: """
          return document.querySelectorAll("#pacing path").length > 0
            && document.querySelectorAll("#histogram path").length === 4
          """)
      let words = try await browser.run(
        """
        return [...document.querySelectorAll(".plot .summary")].map(e => e.textContent)
        """)
      #expect(words[0].string?.hasPrefix("Mostly ") == true)
      #expect(words[1].string?.contains(" frames ") == true)
      #expect(words[2].string?.contains("% white") == true)
      // Each plot is a picture whose name holds its sentence.
      let named = try await browser.run(
        """
        return [...document.querySelectorAll(".plot svg")].every(svg => svg.getAttribute("role") === "img"
          && svg.getAttribute("aria-labelledby").split(" ").every(id => document.getElementById(id).textContent))
        """)
      #expect(named.bool == true)
      let format = try await browser.run("return document.getElementById('format').textContent")
      #expect(format.string == "640 × 480, YUYV, 15 a second")
      try await browser.screenshot("camera-figures")
    }
  }

  @Test("Without anybody who watches no figures are made")
  func quiet() async throws {
    let statistics = LiveStatistics()
    #expect(statistics.output.histogramInterval == nil)
    let (values, end) = statistics.watch { StatisticsReport($0, format: nil, clients: 0) }
    #expect(statistics.output.histogramInterval == .milliseconds(500))
    var reports = values.makeAsyncIterator()
    let report = try #require(await reports.next())
    #expect(report.pacing.line.isEmpty && report.histogram == nil)
    end()
    #expect(await reports.next() == nil)
    #expect(statistics.output.histogramInterval == nil)
  }

  @Test("The page is there in German, and fits with large text and from right to left")
  func languageAndText() async throws {
    try await page(.steady) { browser, _ in
      try await browser.wait(for: "the live picture", until: Script.mode("live"))
      try await browser.speak("de")
      try await browser.wait(
        for: "the German page",
        until: "return document.getElementById('shutter')?.innerText === 'Foto aufnehmen'")
      try await browser.wait(
        for: "the sentence",
        until: "return document.getElementById('pacing-words').textContent.startsWith('Meist ')")
      // Codes without words would be shown as they are.
      let text = try await browser.run("return document.body.innerText")
      #expect(text.string?.contains("Zeit zwischen Bildern") == true)
      #expect(text.string?.contains("exposure.") == false)
      for (direction, size) in [("rtl", "100%"), ("ltr", "200%"), ("rtl", "200%")] {
        for (width, height) in [(360, 640), (844, 390), (1280, 800)] {
          try await browser.change(to: Browser.Appearance(width: width, height: height))
          try await browser.run(
            "document.documentElement.dir = arguments[0]; document.documentElement.style.fontSize = arguments[1]",
            .string(direction), .string(size))
          try await browser.wait(for: "the live picture", until: Script.mode("live"))
          let isWide = try await browser.run(
            "return document.documentElement.scrollWidth > document.documentElement.clientWidth")
          #expect(isWide.bool == false, "\(direction) \(size) \(width)")
          try await browser.screenshot("camera-\(direction)-\(size.dropLast())-\(width)")
        }
      }
    }
  }

  @Test("There are words for each code that the program has, in all languages")
  func codes() async throws {
    let codes = try PageWords.codes(in: "camera-server", "ViewfinderPages", "WebServing")
    #expect(codes.isSuperset(of: ["cameraLost", "badPicture", "nothingHere"]))
    try await page(.steady) { browser, _ in
      let problems = try await browser.wordProblems(
        ["/camera-words.js", "/ui/picker-words.js"], codes: codes)
      #expect(problems == [])
    }
  }

  @Test("A server that is full says so, with the seconds to the next try")
  func full() async throws {
    try await page(.steady) { browser, _ in
      try await browser.wait(for: "the live picture", until: Script.mode("live"))
      // In one go: the picture moves in truth, and the page hears of that.
      let seen = try await browser.run(
        """
        document.getElementById("live").dispatchEvent(
          new CustomEvent("full", { detail: 12 }));
        return [document.body.dataset.mode, document.getElementById("banner").innerText,
          document.getElementById("shutter").disabled];
        """)
      #expect(seen[0].string == "full")
      #expect(
        seen[1].string?.contains("The picture comes when someone leaves. Trying again in 12 s.")
          == true)
      #expect(seen[2].bool == true)
      // And it goes on when there is a place.
      try await browser.wait(for: "the live picture", until: Script.mode("live"))
    }
  }

  @Test("? shows the list of keys, and Escape closes it")
  func keys() async throws {
    try await page(.steady) { browser, _ in
      try await browser.wait(for: "the live picture", until: Script.mode("live"))
      try await browser.press("?")
      try await browser.wait(
        for: "the list",
        until: """
          return document.querySelector("viewfinder-sheet[open]")?.innerText.includes("This list");
          """)
      // A second one doesn't come over it.
      try await browser.press("?")
      let lists = try await browser.run("return document.querySelectorAll('dialog').length")
      #expect(lists.number == 1)
      try await browser.press(Key.escape)
      try await browser.wait(
        for: "no list", until: "return !document.querySelector('viewfinder-sheet')")
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
    let ground = try await browser.run(
      "return getComputedStyle(document.documentElement).backgroundColor")
    #expect(ground.string == (isDark ? "rgb(17, 17, 19)" : "rgb(244, 243, 240)"))
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
        var events = PageEvents()
        CameraRoutes(camera).add(to: router, events: &events)
        events.add(to: router)
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

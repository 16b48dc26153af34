import BrowserSupport
import Foundation
import ServerSupport
import Testing
import Viewfinder

/// One of the programs with a picker, a library of its own, and a browser that shows its page.
struct PickerVisit: Sendable {
  let browser: Browser
  let server: ServerProcess
  let folder: URL

  static let phone = Browser.Appearance(width: 390, height: 844)
  static let desktop = Browser.Appearance(width: 1100, height: 720)

  /// Options that make tests quick.
  static let camera = ["--simulate", "steady", "--size", "640x480"]

  /// Starts a program and opens its page.
  static func begin(
    _ program: String, _ options: [String] = Self.camera,
    _ appearance: Browser.Appearance = Self.desktop,
    body: @Sendable (PickerVisit) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(component: "viewfinder-pages-\(UUID().uuidString)")
    let pictures = folder.appending(component: "Pictures")
    try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (place, grey) in [60, 130, 200].enumerated() {
      let size = Dimensions(width: 320, height: 240)
      let picture = try PixelBuffer(
        pixelFormat: .grey, dimensions: size,
        data: Data(repeating: UInt8(grey), count: size.width * size.height))
      try picture.jpegData().write(to: pictures.appending(component: "photo-\(place).jpg"))
    }
    let store =
      program == "photo-helper" ? ["--store", folder.appending(component: "timeline").path] : []
    let server = try await ServerProcess(
      program,
      options + store + [
        "--root", pictures.path, "--index", folder.appending(component: "index").path,
      ])
    try await Browser.open(appearance) { browser in
      try await browser.open(server.address)
      try await body(PickerVisit(browser: browser, server: server, folder: folder))
    }
  }

  func wait(_ words: String, _ expression: String) async throws {
    try await browser.wait(for: words, until: "return \(expression)")
  }

  /// Waits for a control that may be used, and clicks it.
  func click(_ selector: String) async throws {
    try await wait(
      selector, "!(document.querySelector('\(selector)')?.disabled ?? true)")
    try await browser.click(selector)
  }

  func waitForLivePicture() async throws {
    try await browser.wait(
      for: "the live picture",
      until: """
        const p = document.querySelector("dialog[open] viewfinder-live > img");
        return p && !p.hidden && p.naturalWidth > 0;
        """)
    try await wait("the shutter", "!document.querySelector('[data-do=takePicture]').disabled")
  }

  func count(_ selector: String, is number: Int) async throws {
    try await wait(
      "\(number) × \(selector)", "document.querySelectorAll('\(selector)').length === \(number)")
  }

  /// A picture of the page as it is in its file.
  func picture(_ selector: String) async throws -> PixelBuffer {
    let text = try await browser.run(
      """
      const photo = document.querySelector('\(selector)');
      await photo.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [photo.naturalWidth, photo.naturalHeight];
      canvas.getContext("2d").drawImage(photo, 0, 0);
      return canvas.toDataURL("image/png").split(",")[1];
      """)
    return try PixelBuffer(decoding: try #require(Data(base64Encoded: text.string ?? "")))
  }

  /// Looks at the page upright and wide, light and dark, and leaves screenshots for people.
  func look(_ name: String) async throws {
    for (shape, width, height, isDark) in [
      ("phone", 390, 844, true), ("landscape", 844, 390, false), ("desktop", 1100, 720, false),
    ] {
      try await browser.change(
        to: Browser.Appearance(width: width, height: height, isDark: isDark))
      let isWide = try await browser.run(
        "return document.documentElement.scrollWidth > document.documentElement.clientWidth")
      #expect(isWide.bool == false, "\(name), \(shape)")
      let small = try await browser.run(
        """
        return [...document.querySelectorAll("button, select")].filter(e => {
          const r = e.getBoundingClientRect();
          return r.width > 0 && (r.width < 44 || r.height < 44);
        }).map(e => e.outerHTML);
        """)
      #expect(small == [], "\(name), \(shape)")
      try await browser.screenshot("\(name)-\(shape)")
    }
    try await browser.change(to: Self.desktop)
  }
}

/// Why there is no browser; `nil` when there is one.
let noBrowser = Chromium.absence

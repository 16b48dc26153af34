import BrowserSupport
import Foundation
import ServerSupport
import Testing
import Viewfinder

/// The app at work, with a library of its own, and a browser that shows its page.
struct NavigatorVisit: Sendable {
  let browser: Browser
  let server: ServerProcess
  /// What is thrown away when the visit is over.
  let folder: URL

  static let desktop = Browser.Appearance(width: 1100, height: 720)

  /// Options that make tests quick.
  static let camera = ["--simulate", "steady", "--size", "640x480"]

  /// The library's root.
  var pictures: URL { folder.appending(component: "Pictures") }

  /// The trash, of these tests alone.
  static let trash: URL = {
    let home = FileManager.default.temporaryDirectory
      .appending(component: "viewfinder-navigator-home-\(getpid())")
    // What the tests start inherits it: nobody's own trash gets photos of tests.
    setenv("XDG_DATA_HOME", home.path, 1)
    atexit { try? FileManager.default.removeItem(atPath: String(cString: getenv("XDG_DATA_HOME"))) }
    return home.appending(path: "Trash/files")
  }()

  /// Starts the app with three pictures and opens its page.
  static func begin(
    _ options: [String] = ["--no-camera"],
    body: @Sendable (NavigatorVisit) async throws -> Void
  ) async throws {
    try await begin(options, prepare: MadePictures.few, body: body)
  }

  /// Starts the app and opens its page; `prepare` puts pictures into the library's root before.
  static func begin(
    _ options: [String] = ["--no-camera"], prepare: (URL) throws -> Void,
    body: @Sendable (NavigatorVisit) async throws -> Void
  ) async throws {
    _ = trash
    let folder = FileManager.default.temporaryDirectory
      .appending(component: "viewfinder-navigator-\(UUID().uuidString)")
    let pictures = folder.appending(component: "Pictures")
    try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try prepare(pictures)
    let server = try await ServerProcess(
      "asset-navigator",
      options + ["--root", pictures.path, "--index", folder.appending(component: "index").path])
    do {
      try await Browser.open(desktop) { browser in
        try await browser.open(server.address)
        try await body(NavigatorVisit(browser: browser, server: server, folder: folder))
      }
    } catch {
      _ = await server.end()
      throw error
    }
    // It ends as it should, and before its folder goes.
    #expect(await server.end() == 0)
  }

  // MARK: Looking

  func wait(_ words: String, seconds: Double = 30, _ expression: String) async throws {
    try await browser.wait(for: words, seconds: seconds, until: "return \(expression)")
  }

  func count(_ selector: String, is number: Int) async throws {
    try await wait(
      "\(number) × \(selector)", "document.querySelectorAll('\(selector)').length === \(number)")
  }

  /// The text of what a selector names.
  func text(_ selector: String) async throws -> String {
    try await browser.run("return document.querySelector('\(selector)')?.textContent ?? ''").string
      ?? ""
  }

  /// Waits until a text contains some words.
  func text(_ selector: String, contains words: String) async throws {
    try await browser.wait(
      for: "“\(words)” in \(selector)",
      until: "return document.querySelector('\(selector)')?.textContent.includes(`\(words)`)")
  }

  /// Looks at the page upright and wide, light and dark, and leaves screenshots for people.
  func look(_ name: String) async throws {
    for (shape, width, height, isDark) in [
      ("phone", 390, 844, true), ("landscape", 844, 390, false), ("desktop", 1100, 720, false),
      ("dark", 1100, 720, true),
    ] {
      try await browser.change(
        to: Browser.Appearance(width: width, height: height, isDark: isDark))
      let isWide = try await browser.run(
        "return document.documentElement.scrollWidth > document.documentElement.clientWidth")
      #expect(isWide.bool == false, "\(name), \(shape)")
      let small = try await browser.run(
        """
        return [...document.querySelectorAll("button, a.button")].filter(e => {
          const r = e.getBoundingClientRect();
          return r.width > 0 && (r.width < 44 || r.height < 44);
        }).map(e => e.outerHTML);
        """)
      #expect(small == [], "\(name), \(shape)")
      // Thumbnails that the new shape shows.
      try await Task.sleep(for: .milliseconds(300))
      try await browser.screenshot("navigator-\(name)-\(shape)")
    }
    try await browser.change(to: Self.desktop)
  }

  /// What the page's console complains of.
  ///
  /// Answers that the page shows don't count: of a file of which no picture can be made, of a range behind a file's
  /// end. The picker's own stream ends when it is quiet for long, and begins anew.
  func complaints() async throws -> [String] {
    try await browser.complaints().filter { complaint in
      !complaint.contains(/with a status of (416|422)|picker.state - .*INCOMPLETE_CHUNKED/)
    }
  }

  // MARK: Doing

  /// Waits for a control that may be used, and clicks it.
  func click(_ selector: String) async throws {
    try await wait(selector, "(e => e && !e.disabled)(document.querySelector('\(selector)'))")
    try await browser.click(selector)
  }

  /// Opens an album from the list of albums.
  func open(_ album: String) async throws {
    try await browser.wait(
      for: "the album \(album)",
      until: """
        const names = [...document.querySelectorAll(".cards .name")];
        const name = names.find((name) => name.textContent === `\(album)`);
        name?.closest("a").click();
        return Boolean(name);
        """)
    try await wait("the grid", "!document.querySelector('#album').hidden")
  }

  /// Opens an asset of the grid by its file's name.
  func show(_ name: String) async throws {
    try await tile(name, "tile.click()")
    try await wait(
      "\(name) in full",
      "document.querySelector('#viewer[open] h2')?.textContent === `\(name)`")
  }

  /// Does something with an asset's tile.
  func tile(_ name: String, _ script: String) async throws {
    try await browser.wait(
      for: "\(name) in the grid",
      until: """
        const tile = [...document.querySelectorAll("#grid button")]
          .find((button) => button.ariaLabel.split(", ")[0].endsWith(` \(name)`));
        if (!tile) return false;
        \(script);
        return true;
        """)
  }

  /// What an album's card says, as soon as it says it.
  func album(_ name: String, says counts: String) async throws {
    try await browser.wait(
      for: "\(name): \(counts)",
      until: """
        return [...document.querySelectorAll(".cards a")].some((card) =>
          card.querySelector(".name").textContent === `\(name)`
            && card.querySelector(".quiet").textContent === `\(counts)`);
        """)
  }
}

/// Why there is no browser; `nil` when there is one.
let noBrowser = Chromium.absence

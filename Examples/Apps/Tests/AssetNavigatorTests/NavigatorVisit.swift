import BrowserSupport
import Foundation
import ServerSupport
import Testing

/// The app at work, with a library of its own, and a browser that shows its page.
struct NavigatorVisit: PageVisit {
  let browser: Browser
  let server: ServerProcess
  /// What is thrown away when the visit is over.
  let folder: URL
  /// The library's root.
  let pictures: URL

  /// Options that make tests quick.
  static let camera = ["--simulate", "steady", "--size", "640x480"]

  /// The trash, of these tests alone.
  static let trash: URL = {
    let home = FileManager.default.temporaryDirectory
      .appending(component: "viewfinder-navigator-home-\(getpid())")
    // What the tests start inherits it: nobody's own trash gets photos of tests.
    setenv("XDG_DATA_HOME", home.path, 1)
    atexit { try? FileManager.default.removeItem(atPath: String(cString: getenv("XDG_DATA_HOME"))) }
    return home.appending(path: "Trash/files")
  }()

  /// Starts the app and opens its page.
  ///
  /// - Parameters:
  ///   - options: The app's options.
  ///   - disk: Where the library's root is; with `nil` it is where temporary files are.
  ///   - isOrdinary: Whether permissions count for the app, also where the tests are root's.
  ///   - prepare: Puts pictures into the root before the app starts; three by default.
  ///   - body: What is done there.
  /// - Throws: What `body` throws, or why there is no page.
  static func begin(
    _ options: [String] = ["--no-camera"], on disk: TestDisk? = nil, isOrdinary: Bool = false,
    prepare: (URL) throws -> Void = MadePictures.few,
    body: @Sendable (NavigatorVisit) async throws -> Void
  ) async throws {
    _ = trash
    let folder = FileManager.default.temporaryDirectory
      .appending(component: "viewfinder-navigator-\(UUID().uuidString)")
    let pictures = (disk?.folder ?? folder).appending(component: "Pictures")
    for folder in [folder, pictures] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    defer { Scratch.remove(folder) }
    try prepare(pictures)
    let server = try await ServerProcess(
      "asset-navigator",
      options + ["--root", pictures.path, "--index", folder.appending(component: "index").path],
      isOrdinary: isOrdinary)
    do {
      try await Browser.open(.desktop) { browser in
        try await browser.open(server.address)
        try await body(
          NavigatorVisit(browser: browser, server: server, folder: folder, pictures: pictures))
      }
    } catch {
      _ = await server.end()
      throw error
    }
    // It ends as it should, and before its folder goes.
    #expect(await server.end() == 0)
  }

  /// Starts the app once more, at its address, after it has ended.
  func startAgain() async throws -> ServerProcess {
    try await ServerProcess(
      "asset-navigator",
      [
        "--no-camera", "--root", pictures.path,
        "--index", folder.appending(component: "index").path,
        "--listen", "127.0.0.1:\(server.port)",
      ])
  }

  /// Looks at the page in all shapes; nothing may be wrong with it.
  func look(_ name: String) async throws {
    // A dialog that is still growing is smaller than it will be.
    try await wait(
      "the end of all motion",
      "document.getAnimations().every(a => a.effect.getComputedTiming().endTime === Infinity)")
    let problems = try await lookAround("navigator-\(name)", whole: Self.isWhole)
    #expect(problems == [])
  }

  /// Whether the tiles that are there since the page's last change have their pictures.
  private static let isWhole = """
    new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(
      document.querySelector("#frame").hidden
        || [...document.querySelectorAll("#grid button")].every((tile) =>
          tile.matches(".bad, .video") || tile.querySelector("img[src]"))))))
    """

  /// What the page's console complains of.
  ///
  /// Answers that the page shows don't count: of a file of which no picture can be made, of a range behind a file's
  /// end, of a name that is taken, of a list that another has followed. The picker's own stream ends when it is quiet for long, and begins anew.
  func complaints() async throws -> [String] {
    try await browser.complaints().filter { complaint in
      !complaint.contains(
        /with a status of (404|409|410|416|422)|picker.state - .*INCOMPLETE_CHUNKED/)
    }
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips tests where there is no browser, and says so.
  static var needsBrowser: Self {
    .disabled(if: Chromium.absence != nil, Comment(rawValue: Chromium.absence ?? ""))
  }
}

import BrowserSupport
import Foundation
import ServerSupport
import Testing
import Viewfinder

/// One of the programs with a picker, a library of its own, and a browser that shows its page.
struct PickerVisit: PageVisit {
  let browser: Browser
  let server: ServerProcess
  let folder: URL

  /// Options that make tests quick.
  static let camera = ["--simulate", "steady", "--size", "640x480"]

  /// Starts a program and opens its page.
  static func begin(
    _ program: String, _ options: [String] = Self.camera,
    _ appearance: Browser.Appearance = .desktop,
    body: @Sendable (PickerVisit) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(component: "viewfinder-pages-\(UUID().uuidString)")
    let pictures = folder.appending(component: "Pictures")
    try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: true)
    defer { Scratch.remove(folder) }
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

  /// Looks at the page in all shapes; nothing may be wrong with it.
  func look(_ name: String) async throws {
    #expect(try await lookAround(name) == [])
  }
}

/// Why there is no browser; `nil` when there is one.
let noBrowser = Chromium.absence

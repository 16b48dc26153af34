import BrowserSupport
import Foundation
import ServerSupport
import Testing
import Viewfinder

/// A wallet with a folder of its own, and a browser that shows it.
struct WalletVisit: PageVisit {
  let browser: Browser
  let server: ServerProcess
  let folder: URL

  static let camera = ["--simulate", "steady", "--size", "640x480"]

  /// Starts the wallet and opens its page.
  static func begin(
    _ options: [String] = Self.camera, in folder: URL? = nil, environment: [String: String] = [:],
    body: @Sendable (WalletVisit) async throws -> Void
  ) async throws {
    let folder = try folder ?? newFolder()
    let server = try await Self.server(options, in: folder, environment: environment)
    try await Browser.open(.desktop) { browser in
      try await browser.open(server.address)
      try await body(WalletVisit(browser: browser, server: server, folder: folder))
    }
    try? FileManager.default.removeItem(at: folder)
  }

  /// A folder with a photo library of one photo.
  static func newFolder(
    in parent: URL = FileManager.default.temporaryDirectory
  ) throws -> URL {
    let folder = parent.appending(component: "viewfinder-wallet-\(UUID().uuidString)")
    let pictures = folder.appending(component: "Pictures")
    try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: true)
    try grey(90, 640, 480).write(to: pictures.appending(component: "photo.jpg"))
    return folder
  }

  /// Starts the wallet on a folder.
  static func server(
    _ options: [String], in folder: URL, environment: [String: String] = [:]
  ) async throws -> ServerProcess {
    try await ServerProcess(
      "my-cards",
      options + [
        "--data", folder.appending(component: "wallet").path, "--root",
        folder.appending(component: "Pictures").path, "--index",
        folder.appending(component: "index").path,
      ], environment: environment)
  }

  /// A JPEG of one grey.
  static func grey(_ value: UInt8, _ width: Int, _ height: Int) throws -> Data {
    try PixelBuffer(
      pixelFormat: .grey, dimensions: Dimensions(width: width, height: height),
      data: Data(repeating: value, count: width * height)
    ).jpegData()
  }

  /// Takes a photo for a side, in the editor.
  func takePhoto(of side: String) async throws {
    try await click("[role=group][aria-label=\(side)] > button")
    try await waitForLivePicture()
    try await shoot()
    try await wait(
      "the \(side)",
      "document.querySelector('[aria-label=\(side)] img.card')?.naturalWidth > 0")
  }

  /// Waits for a field of the editor, and types into it.
  func fill(_ label: String, _ text: String) async throws {
    try await browser.wait(
      for: "the field “\(label)”",
      until: """
        const row = [...document.querySelectorAll(".field")]
          .find(row => row.firstChild.textContent.startsWith(arguments[0]));
        row.lastChild.value = arguments[1];
        row.lastChild.dispatchEvent(new Event("input", { bubbles: true }));
        return true;
        """, .string(label), .string(text))
  }

  /// Empties the field that searches the list.
  func clearSearch() async throws {
    try await browser.wait(
      for: "the search",
      until: """
        const search = document.querySelector("[type=search]");
        search.value = "";
        search.dispatchEvent(new Event("input"));
        return true;
        """)
  }

  /// Makes a card with photos of the camera.
  func addCard(_ name: String) async throws {
    try await browser.run("location.hash = '#/new'")
    try await wait("the editor", "document.querySelector('.cardEditor')")
    try await fill("Name", name)
    try await takePhoto(of: "front")
    try await takePhoto(of: "back")
    try await click("[type=submit]")
    try await wait("the card", "location.hash.startsWith('#/card/')")
  }

  /// Looks at the page in all shapes; nothing may be wrong with it.
  func look(_ name: String) async throws {
    #expect(try await lookAround("wallet-\(name)") == [])
  }
}

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
    Scratch.remove(folder)
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

  /// Takes a photo for a side, in the form.
  func takePhoto(of side: String) async throws {
    try await click("[data-side=\(side)] > button")
    try await waitForLivePicture()
    try await shoot()
    try await wait(
      "the \(side)", "document.querySelector('[data-side=\(side)] img')?.naturalWidth > 0")
  }

  /// Waits for a field of the form, and types into it.
  func fill(_ label: String, _ text: String) async throws {
    try await browser.wait(
      for: "the field “\(label)”",
      until: """
        const row = [...document.querySelectorAll(".field")]
          .find(row => row.firstChild.textContent.startsWith(arguments[0]));
        const field = row.querySelector("input, select, textarea");
        field.value = arguments[1];
        field.dispatchEvent(new Event("input", { bubbles: true }));
        field.dispatchEvent(new Event("change", { bubbles: true }));
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

  /// Shows the form for a new card.
  func showForm() async throws {
    try await browser.run("location.hash = '#/new'")
    try await wait("the form", "document.querySelector('.stack-form')")
  }

  /// Makes a card by its name and number.
  func addCard(_ name: String, number: String = "") async throws {
    try await showForm()
    try await fill("Name", name)
    try await fill("Number", number)
    try await click("[type=submit]")
    try await wait(
      "the card",
      "location.hash.startsWith('#/card/') && !document.querySelector('.stack-form')")
  }

  /// Shows the card of a name.
  func open(_ name: String) async throws {
    try await browser.run(
      """
      const { cards } = await (await fetch("/cards")).json();
      location.hash = `#/card/${cards.find(card => card.name === arguments[0]).id}`;
      """, .string(name))
    try await wait("the card", "document.querySelector('.hero')")
  }

  /// Looks at the page in all shapes; nothing may be wrong with it.
  func look(_ name: String) async throws {
    #expect(try await lookAround("wallet-\(name)") == [])
  }
}

import BrowserSupport
import Foundation
import Hummingbird
import ServerSupport
import Testing
import Viewfinder
import ViewfinderPages
import ViewfinderPicker
import WebServing

/// A picker of a test's own on a page that has nothing but its element, or its parts, served by this process.
struct PickerHost: PageVisit {
  let browser: Browser
  let picker: ImagePicker

  /// A simulated camera with pictures of 640 × 480, unless they are to be of another size.
  static func camera(
    _ scene: SimulatedCamera.Scene = .steady,
    _ size: Dimensions = Dimensions(width: 640, height: 480)
  ) throws -> SimulatedCamera {
    var configuration = SimulatedCamera.Configuration()
    configuration.source = .scene(scene)
    let camera = try SimulatedCamera(configuration)
    try camera.device.configure { device throws(CaptureError) in
      try device.setActiveFormat(try device.bestFormat(dimensions: size, frameRate: 30))
    }
    return camera
  }

  /// Serves the page and opens it.
  ///
  /// The program is below `prefix`, the page isn't. The picker offers one picture from no camera; `change` changes that.
  /// `elements` are those of the page, such as "picker".
  static func begin(
    below prefix: String = "", _ appearance: Browser.Appearance = .desktop,
    elements: [String] = ["picker"],
    _ change: (inout ImagePicker.Configuration) throws -> Void,
    body: (PickerHost) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(component: "viewfinder-host-\(UUID().uuidString)")
    defer { Scratch.remove(folder) }
    let pictures = folder.appending(component: "Pictures")
    try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: true)
    var configuration = ImagePicker.Configuration()
    configuration.sessionPreset = .inputPriority
    configuration.cameras = []
    configuration.libraryConfiguration.roots = [pictures]
    configuration.libraryConfiguration.indexFolder = folder.appending(component: "index")
    configuration.libraryConfiguration.thumbnailFolder = folder.appending(component: "thumbnails")
    try change(&configuration)
    let page = PickerPage()
    let picker = ImagePicker(configuration, presenter: page)
    let (addresses, announcement) = AsyncStream.makeStream(of: String.self)
    let server = Task {
      try await WebServer(.init(address: ListenAddress(host: "127.0.0.1", port: 0)))
        .run(announce: { announcement.yield($0) }) { router in
          router.serve([
            Asset("/", .html, Array(html(elements).utf8)),
            Asset("/host.js", .javascript, Array(script(prefix, elements).utf8)),
          ])
          let program = router.group(RouterPath(prefix))
          program.serveSharedAssets()
          var events = PageEvents()
          page.add(picker, to: program, events: &events)
          events.add(to: program)
          program.post("presented") { request, _ in
            try page.open(picker, for: request.page) { try picker.present(from: .camera) }
            return Response(status: .noContent)
          }
        }
    }
    let address = try #require(await addresses.first { _ in true })
    do {
      try await Browser.open(appearance) { browser in
        try await browser.open(address)
        try await body(PickerHost(browser: browser, picker: picker))
      }
    } catch {
      server.cancel()
      _ = await server.result
      throw error
    }
    server.cancel()
    _ = await server.result
  }

  private static func html(_ elements: [String]) -> String {
    """
    <!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <script type="module" src="/host.js"></script></head>
    <body><main><h1>A page</h1><button id="choose" type="button">Choose</button></main>
    \(elements.map { "<viewfinder-\($0)></viewfinder-\($0)>" }.joined())</body></html>
    """
  }

  private static func script(_ prefix: String, _ elements: [String]) -> String {
    """
    \(elements.map { "import \"\(prefix)/ui/\($0).js\";" }.joined(separator: "\n"))
    import { send } from "\(prefix)/ui/requests.js";
    const choose = document.getElementById("choose");
    choose.style.cssText = "min-width: 44px; min-height: 44px";
    choose.addEventListener("click", () => send("POST", "presented"));
    document.body.dataset.ready = "true";
    """
  }

  /// Opens the picker.
  func choose() async throws {
    try await wait("the page", "document.body.dataset.ready === 'true'")
    try await click("#choose")
  }

  /// Waits until the picker draws why there is no picture.
  func trouble(_ kind: String) async throws {
    try await wait(
      "the drawing",
      "document.querySelector('.camera-none[data-trouble=\(kind)]')?.checkVisibility()")
  }

  /// Looks at the page in all shapes; nothing may be wrong with it.
  func look(_ name: String) async throws {
    #expect(try await lookAround(name) == [])
  }
}

// A photo booth: the picker with an overlay of its own, and the pictures in the order taken.
//
// usage: overlay-booth [--simulate] [--root PATH] …; see --help
import ArgumentParser
import Hummingbird
import ViewfinderPicker
import ViewfinderPages
import WebServing

@main struct OverlayBooth: WebProgram {
  static let configuration = CommandConfiguration(
    commandName: "overlay-booth",
    abstract: "A photo booth whose camera has controls of its own.")

  @OptionGroup var sources: PickerOptions
  @OptionGroup var server: ServerOptions

  func run() async throws {
    var configuration = try sources.configuration()
    // The overlay is in booth.html; the picker shows none of its own controls over the camera.
    configuration.showsCameraControls = false
    configuration.selectionLimit = 0
    let page = PickerPage()
    let picker = ImagePicker(configuration, presenter: page)

    try await WebServer(server.configuration).run { router in
      router.serveSharedAssets()
      var events = PageEvents()
      page.add(picker, to: router, events: &events)
      events.add(to: router)
      router.serve([
        Asset("/", .html, PackageResources.booth_html),
        Asset("/booth.css", .css, PackageResources.booth_css),
        Asset("/booth.js", .javascript, PackageResources.booth_js),
      ])
      for (path, source) in [("camera", ImagePicker.SourceType.camera), ("library", .photoLibrary)]
      {
        router.post("open/\(path)") { request, _ in
          try page.open(picker, for: request.page) { try picker.present(from: source) }
          return Response(status: .noContent)
        }
      }
    }
  }
}

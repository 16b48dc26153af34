// One button and one picture, bound to a picker's state; and a page with the picker's parts, each an element of its own.
//
// usage: picker-component [--simulate] [--root PATH] …; see --help
import ArgumentParser
import Hummingbird
import ViewfinderPicker
import ViewfinderPages
import WebServing

@main struct PickerComponent: WebProgram {
  static let configuration = CommandConfiguration(
    commandName: "picker-component", abstract: "A page with one button that picks one picture.")

  @OptionGroup var sources: PickerOptions
  @OptionGroup var server: ServerOptions

  @Flag(help: "Crop the picture to a square.")
  var square = false

  @Flag(help: "Show a card's outline over the camera, and crop photos to it.")
  var card = false

  @Option(
    help: "How many photos may be picked; 0 for any number. /parts shows all, / the first.")
  var limit = 1

  func validate() throws {
    guard limit >= 0 else { throw ValidationError("--limit is 0 or more.") }
  }

  func run() async throws {
    var configuration = try sources.configuration()
    if card { configuration.cameraOutline = .card() }
    if square { configuration.editing = .square }
    configuration.selectionLimit = limit
    let page = PickerPage()
    let picker = ImagePicker(configuration, presenter: page)

    try await WebServer(server.configuration).run { router in
      router.serveSharedAssets()
      var events = PageEvents()
      page.add(picker, to: router, events: &events)
      events.add(to: router)
      router.serve([
        Asset("/", .html, PackageResources.component_html),
        Asset("/component.css", .css, PackageResources.component_css),
        Asset("/component.js", .javascript, PackageResources.component_js),
        Asset("/parts", .html, PackageResources.parts_html),
        Asset("/parts.js", .javascript, PackageResources.parts_js),
      ])
      router.post("presented") { request, _ in
        try page.open(picker, for: request.page) { try picker.present() }
        return Response(status: .noContent)
      }
      for source in [ImagePicker.SourceType.camera, .photoLibrary] {
        router.post(RouterPath("presented/\(source.rawValue)")) { request, _ in
          try page.open(picker, for: request.page) { try picker.present(from: source) }
          return Response(status: .noContent)
        }
      }
    }
  }
}

// A timeline whose camera button offers the camera or the library, and that uploads what was picked.
//
// usage: photo-helper [--simulate] [--root PATH] [--upload URL] …; see --help
import ArgumentParser
import Foundation
import ViewfinderPages
import WebServing

@main struct PhotoHelperProgram: WebProgram {
  static let configuration = CommandConfiguration(
    commandName: "photo-helper",
    abstract: "A timeline with a camera button in the middle of its bar.",
    discussion: """
      Photos are kept in --store, and uploaded with PUT to URL/ID.jpg, again and again until the server has taken \
      them. Without --upload the program takes them itself, at /uploads.
      """)

  @OptionGroup var sources: PickerOptions
  @OptionGroup var server: ServerOptions

  @Option(help: ArgumentHelp("Where the timeline is kept.", valueName: "path"))
  var store = "timeline"

  @Option(
    help: ArgumentHelp("Where photos are uploaded to.", valueName: "url"),
    transform: { text in
      guard let url = URL(string: text), ["http", "https"].contains(url.scheme) else {
        throw ValidationError("--upload is an address such as http://127.0.0.1:9000/photos.")
      }
      return url
    })
  var upload: URL?

  func run() async throws {
    let folder = URL(fileURLWithPath: store, isDirectory: true)
    let timeline = try Timeline(in: folder)
    let page = PickerPage()
    let helper = PhotoHelper(try sources.configuration(), presenter: page)
    let uploader = Uploader(timeline)

    var configuration = try server.configuration
    // Photos come back to this program where it takes them itself.
    configuration.bodyLimits[Receiver.path] = Receiver.limit
    try await WebServer(configuration).run(
      services: [uploader],
      announce: { [upload] address in
        // Without a server of the person's own, this one.
        uploader.begin(to: upload ?? Receiver.url(at: address))
        WebServer.printLine(address)
      },
      addRoutes: { router in
        router.serveSharedAssets()
        var events = PageEvents()
        page.add(helper.picker, to: router, events: &events)
        TimelinePage(timeline, uploader, helper, page).add(to: router, events: &events)
        events.add(to: router)
        if upload == nil { Receiver(folder.appending(component: "received")).add(to: router) }
      })
  }
}

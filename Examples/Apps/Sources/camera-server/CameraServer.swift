// Serves a camera's live picture: to a browser, and to programs as /stream.mjpg, /photo.jpg and
// /stats.json.
//
// usage: camera-server [--simulate | --replay PATH | --device NAME] [--listen HOST:PORT] …
import ArgumentParser
import Foundation
import ViewfinderPages
import WebServing

@main struct CameraServer: WebProgram {
  static let configuration = CommandConfiguration(
    commandName: "camera-server",
    abstract: "Serves a camera's live picture to browsers and other programs.",
    discussion: """
      /                 the live page
      /stream.mjpg      the live picture, as a stream of JPEGs
      /photo.jpg        a photo; ?outline=card crops it to a card in the middle; also rect:X,Y,W,H,
                        rounded:X,Y,W,H,R and ellipse:X,Y,W,H, in pixels or units of the picture
      /stats.json       frame rate, counts, and the camera's state in words

      For example:

        camera-server --simulate

      prints http://127.0.0.1:8080/?token=TOKEN, to be opened. Other programs need the token, too:

        ffplay 'http://127.0.0.1:8080/stream.mjpg?token=TOKEN'
        curl -o card.jpg 'http://127.0.0.1:8080/photo.jpg?outline=card&token=TOKEN'
      """)

  @OptionGroup var camera: CameraOptions
  @OptionGroup var server: ServerOptions

  @Flag(
    help: "Show the page's live picture as a mirror does; photos and the stream stay as they are.")
  var mirror = false

  func run() async throws {
    let camera = try camera.makeCamera()
    try await WebServer(server.configuration).run(services: [camera]) { router in
      router.serveSharedAssets()
      CameraPage.add(to: router, mirrored: mirror)
      var events = PageEvents()
      CameraRoutes(camera).add(to: router, events: &events)
      events.add(to: router)
    }
  }
}

import Foundation
import Hummingbird
import ViewfinderPages
import WebServing

/// The camera's button, and what to do with a photo that couldn't be saved.
struct CameraRoutes: Sendable {
  private struct Place: Decodable {
    /// The album that is shown.
    var album: UUID?
  }

  private let roll: CameraRoll

  init(_ roll: CameraRoll) { self.roll = roll }

  func add(to router: some RouterMethods<WebContext>) {
    router.post("camera") { request, context in
      let place = try await request.decode(as: Place.self, context: context)
      try roll.takePicture(into: place.album, for: request.page)
      return Response(status: .noContent)
    }
    router.post("camera/save") { _, _ in
      await roll.save()
      return Response(status: .noContent)
    }
    router.post("camera/discard") { _, _ in
      roll.discard()
      return Response(status: .noContent)
    }
  }
}

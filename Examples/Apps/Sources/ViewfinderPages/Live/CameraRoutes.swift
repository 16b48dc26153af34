import Foundation
import Hummingbird
import Viewfinder
import WebServing

/// What a page, or a program, asks of a camera: its live picture (`/stream.mjpg`, `/stats.json`, `/geometry`), and
/// photos (`/photo.jpg`).
public struct CameraRoutes: Sendable {
  private let camera: LiveCamera
  private let photoQuality: Double

  /// Creates the routes of a camera.
  ///
  /// - Parameters:
  ///   - camera: The camera.
  ///   - photoQuality: Of photos, from 0 to 1.
  public init(_ camera: LiveCamera, photoQuality: Double = 0.9) {
    self.camera = camera
    self.photoQuality = photoQuality
  }

  /// Adds the routes, and the topics `camera`, how it is doing, and `statistics`, what is drawn of its stream.
  public func add(to router: some RouterMethods<WebContext>, events: inout PageEvents) {
    LiveRoutes(camera).add(to: router)
    events.add("camera") { [camera] _ in camera.watchReports() }
    events.add("statistics") { [camera] _ in camera.watchStatistics() }
    router.get("photo.jpg") { request, _ in try await photo(request) }
  }

  private func photo(_ request: Request) async throws -> Response {
    let report = camera.report
    guard report.state == .running else { throw report.error }
    var settings = CapturePhotoSettings()
    settings.quality = photoQuality
    if let words = request.uri.queryParameters["outline"] {
      settings.outline = try OutlineWords.read(String(words))
    }
    let photo = try await camera.photoOutput.capturePhoto(with: settings)
    return .jpeg(photo.fileDataRepresentation())
  }
}

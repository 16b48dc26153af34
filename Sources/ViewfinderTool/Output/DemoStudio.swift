import Foundation
import Viewfinder

/// Takes the demo's photos.
final class DemoStudio {
  private let photos: CapturePhotoOutput
  private let folder: Path
  private let orientation: ImageOrientation
  private let format: VideoFormat
  private(set) var photosTaken: [DemoReport.Photo] = []

  init(
    photos: CapturePhotoOutput, folder: Path, orientation: ImageOrientation, format: VideoFormat
  ) {
    self.photos = photos
    self.folder = folder
    self.orientation = orientation
    self.format = format
  }

  /// What a preview with a card guide would show: a small touch screen, filled with the picture.
  private var geometry: PreviewGeometry {
    PreviewGeometry(
      viewSize: CGSize(width: 800, height: 480), videoSize: format.dimensions,
      videoGravity: .resizeAspectFill, videoRotationAngle: orientation.clockwiseRotation)
  }

  /// The whole picture, by the asynchronous call.
  func takeWholePhoto() async throws -> DemoReport.Photo {
    let start = ContinuousClock.now
    let photo = try await photos.capturePhoto(with: settings())
    return try save(photo, "photo.jpg", "the whole picture", since: start)
  }

  /// The card guide's part of the picture, by the delegate.
  func takeCardInGuide() async throws -> DemoReport.Photo {
    let guide = geometry.cardGuide()
    var settings = settings()
    settings.outline = geometry.outline(
      ofRoundedRect: guide.frame, cornerRadius: guide.cornerRadius)
    settings.fileType = .png
    let start = ContinuousClock.now
    let delegate = PhotoDelegate()
    let photo = try await delegate.take(with: photos, settings)
    return try save(
      photo, "card.png", "the preview's card guide; \(delegate.steps)", since: start)
  }

  /// The card that is found in the picture, pulled straight, or the guide's part where there is none.
  func takeFoundCard() async throws -> DemoReport.Photo {
    var settings = settings()
    settings.outline = .detected(
      fallback: geometry.outline(ofRect: geometry.cardGuide().frame))
    settings.rectifiedSize = Dimensions(width: 1011, height: 638)
    let start = ContinuousClock.now
    let photo = try await photos.capturePhoto(with: settings)
    let what =
      photo.detectedOutline.map {
        "the card that was found (\(Int(($0.confidence * 100).rounded())) % sure)"
      } ?? "no card was found: the guide's rectangle"
    return try save(photo, "card-rectified.jpg", "\(what), pulled straight", since: start)
  }

  private func settings() -> CapturePhotoSettings {
    var settings = CapturePhotoSettings()
    settings.orientation = orientation
    return settings
  }

  private func save(
    _ photo: CapturePhoto, _ name: String, _ what: String, since start: ContinuousClock.Instant
  ) throws(CaptureError) -> DemoReport.Photo {
    let path = folder.appending(Path(name))
    try photo.write(to: path.url)
    let taken = DemoReport.Photo(
      path: path.display, fileURL: path.url.absoluteString, what: what,
      width: photo.dimensions.width,
      height: photo.dimensions.height, bytes: photo.fileDataRepresentation().count,
      milliseconds: start.duration(to: .now) / .milliseconds(1))
    photosTaken.append(taken)
    return taken
  }
}

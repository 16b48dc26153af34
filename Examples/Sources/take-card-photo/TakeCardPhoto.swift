// Takes a photo of a card that a person holds into the outline on a screen, and saves just the card.
//
// usage: take-card-photo [--simulate] [FILE]
import Foundation
import Viewfinder

@main struct TakeCardPhoto {
  static func main() async throws {
    let simulates = CommandLine.arguments.contains("--simulate")
    let path = CommandLine.arguments.dropFirst().first { !$0.hasPrefix("--") } ?? "card.jpg"

    guard let camera = simulates ? try SimulatedCamera().device : .default(for: .video) else {
      let denial = CaptureDevice.authorizationDenial()?.description
      fail(denial ?? "No camera is connected. Plug one in, or try --simulate.")
    }
    let session = CaptureSession()
    let output = CapturePhotoOutput()
    do {
      try session.configure {
        try session.addInput(CaptureDeviceInput(device: camera))
        try session.addOutput(output)
      }
      try await session.startRunning()
    } catch {
      fail("\(error)")
    }
    guard let video = session.activeVideoFormat else { fail("The camera stopped.") }

    // The screen shows the camera's picture and, over it, this outline. What the person sees in it
    // is what the photo is cropped to.
    let preview = PreviewGeometry(
      viewSize: CGSize(width: 800, height: 480), videoSize: video.dimensions,
      videoGravity: .resizeAspectFill)
    let guide = preview.cardGuide()
    let frame = guide.frame.integral
    print("On the screen: \(frame.width) x \(frame.height) at (\(frame.minX), \(frame.minY)).")

    var settings = CapturePhotoSettings()
    settings.outline = preview.outline(
      ofRoundedRect: guide.frame, cornerRadius: guide.cornerRadius)
    let photographer = Photographer(file: URL(fileURLWithPath: path))
    output.capturePhoto(with: settings, delegate: photographer)

    let error = await photographer.finished()
    await session.stopRunning()
    if let error { fail("\(error)") }
  }

  static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(1)
  }
}

/// Follows one photo and saves it.
final class Photographer: CapturePhotoCaptureDelegate {
  private let file: URL
  private let (results, result) = AsyncStream.makeStream(of: CaptureError?.self)

  init(file: URL) { self.file = file }

  func photoOutput(
    _ output: CapturePhotoOutput, willCapturePhotoFor resolvedSettings: CaptureResolvedPhotoSettings
  ) {
    print("Click!")
  }

  func photoOutput(
    _ output: CapturePhotoOutput, didFinishProcessingPhoto photo: CapturePhoto?,
    error: CaptureError?
  ) {
    guard let photo else { return }
    // A JPEG, upright and cropped already. `write` leaves a whole file or none.
    do throws(CaptureError) {
      try photo.write(to: file)
      print("Saved \(file.path), \(photo.dimensions) pixels.")
    } catch {
      result.yield(error)
    }
  }

  func photoOutput(
    _ output: CapturePhotoOutput,
    didFinishCaptureFor resolvedSettings: CaptureResolvedPhotoSettings, error: CaptureError?
  ) {
    result.yield(error)
  }

  /// Waits for the end of the photo; returns what went wrong.
  func finished() async -> CaptureError? {
    for await error in results { return error }
    return nil
  }
}

import Viewfinder

/// What somebody's program looks like who has just added the package.
@main struct Consumer {
  static func main() async throws {
    let camera = try SimulatedCamera()
    let session = CaptureSession()
    let output = CapturePhotoOutput()
    try session.configure {
      try session.addInput(CaptureDeviceInput(device: camera.device))
      try session.addOutput(output)
    }
    try await session.startRunning()

    var settings = CapturePhotoSettings()
    settings.outline = .card()
    let photo = try await output.capturePhoto(with: settings)
    await session.stopRunning()
    print("A photo of a card, \(photo.dimensions) pixels.")
  }
}

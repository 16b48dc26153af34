import Foundation
import Testing

@testable import Viewfinder

@Suite struct CaptureSessionTests {
  @Test func aPhotoOfTheSimulatedCardIsTaken() async throws {
    let camera = try SimulatedCamera()
    let session = CaptureSession()
    let output = CapturePhotoOutput()
    try session.configure {
      try session.addInput(CaptureDeviceInput(device: camera.device))
      try session.addOutput(output)
    }
    try await session.startRunning()
    let photo = try await output.capturePhoto(with: CapturePhotoSettings())
    print(photo.dimensions, photo.data.count, session.activeVideoFormat!, session.statistics)
    try photo.write(to: URL(fileURLWithPath: "/tmp/p.jpg"))
    var s = CapturePhotoSettings()
    s.outline = .card()
    let p2 = try await output.capturePhoto(with: s)
    try p2.write(to: URL(fileURLWithPath: "/tmp/p2.jpg"))
    await session.stopRunning()
  }
}

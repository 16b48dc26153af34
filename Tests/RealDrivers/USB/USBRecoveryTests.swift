import Foundation
import Testing
import Viewfinder

extension UVCVideoTests {
  @Suite("Recovery") struct RecoveryTests {
    private let pictures: CameraPictures

    init() throws { pictures = try CameraPictures.shared.get() }

    @Test(
      "A camera that is plugged in again goes on with the same outputs and its controls",
      .timeLimit(.minutes(1)))
    func replug() async throws {
      let camera = try USBCamera()
      let run = try await CameraRun(try await camera.device(), .mjpeg, CameraPictures.sizes[0])
      let wanted = ["brightness": Int64(-17), "auto_exposure": 1, "exposure_time_absolute": 77]
      try run.device.configure { device throws(CaptureError) in
        for name in ["brightness", "auto_exposure", "exposure_time_absolute"] {
          #expect(try device.setControl(name, to: wanted[name]!) == wanted[name])
        }
      }
      try await run.waitForFrames(5)
      let events = run.session.events
      camera.unplug()
      #expect(await eventually(seconds: 10) { run.session.isInterrupted })
      let before = run.frames.all.count
      try camera.plugIn()
      try await run.waitForFrames(10)
      #expect(!pictures.numbers(Array(run.frames.all[before...])).contains(nil))
      guard case .wasInterrupted(.disconnected) = await collect(events, 2).first else {
        Issue.record("The session didn't tell that the camera was disconnected.")
        return
      }
      // As the camera that forgot everything has them now.
      for (name, value) in wanted {
        #expect(try run.device.control(named: name)?.value == value, "\(name)")
      }
      let photo = try await run.photo.capturePhoto(with: CapturePhotoSettings())
      #expect(photo.dimensions == CameraPictures.sizes[0])
      _ = await run.stop()
    }

    @Test("Frames outlive the camera they came from", .timeLimit(.minutes(1)))
    func framesOutliveCamera() async throws {
      let camera = try USBCamera()
      let device = try await camera.device()
      let session = CaptureSession(), output = CaptureVideoDataOutput()
      try session.setSessionPreset(.vga640x480)
      try session.configure {
        try session.addInput(CaptureDeviceInput(device: device))
        try session.addOutput(output)
      }
      let frames = output.frames
      try await session.startRunning()
      let held = await collect(frames, 2)
      camera.unplug()
      await session.stopRunning()
      for frame in held where frame.format.pixelFormat == .mjpeg {
        #expect(pictures.number(of: frame.data, frame.format.dimensions) != nil)
      }
      #expect(held.count == 2)
    }

    @Test(
      "A camera that hangs interrupts the session, which goes on with it", .timeLimit(.minutes(1)))
    func hang() async throws {
      let camera = try USBCamera()
      let run = try await CameraRun(try await camera.device(), .mjpeg, CameraPictures.sizes[0])
      try await run.waitForFrames(5)
      camera.hang()
      #expect(await eventually(seconds: 15) { run.session.isInterrupted })
      camera.goOn()
      try await run.waitForFrames(10)
      #expect(!run.session.isInterrupted)
      _ = await run.stop()
      #expect(!pictures.numbers(run.frames.all).contains(nil))
    }

    @Test("A camera that another program streams from is in use by it", .timeLimit(.minutes(1)))
    func deviceInUse() async throws {
      let camera = try USBCamera()
      let device = try await camera.device()
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
      defer { try? FileManager.default.removeItem(at: file) }
      let other = try Program(
        "v4l2-ctl", "-d", device.path, "--stream-mmap", "--stream-to", file.path)
      defer { other.end() }
      let streams = await eventually(seconds: 30) {
        (try? Data(contentsOf: file))?.isEmpty == false
      }
      try #require(streams)
      await #expect {
        _ = try await CameraRun(device, .mjpeg, CameraPictures.sizes[0])
      } throws: { error in
        guard case CaptureError.deviceInUse(_, let holders) = error else { return false }
        return holders.contains { $0.name == "v4l2-ctl" }
      }
    }

    @Test("A session starts and stops again and again", .timeLimit(.minutes(1)))
    func restarts() async throws {
      let camera = try USBCamera()
      let run = try await CameraRun(try await camera.device(), .mjpeg, CameraPictures.sizes[1])
      for _ in 0..<5 {
        try await run.waitForFrames(2)
        await run.session.stopRunning()
        try await run.session.startRunning()
      }
      try await run.waitForFrames(2)
      #expect(!pictures.numbers(run.frames.all).contains(nil))
    }
  }
}

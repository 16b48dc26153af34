import Foundation
import Testing
import Viewfinder

extension UVCVideoTests {
  @Suite("Photos") struct PhotoTests {
    private let pictures: CameraPictures

    init() throws { pictures = try CameraPictures.shared.get() }

    @Test("A photo is a frame of the running stream, byte for byte behind its Exif data")
    func photo() async throws {
      let camera = try USBCamera()
      let size = Dimensions(width: 1280, height: 720)
      let run = try await CameraRun(try await camera.device(), .mjpeg, size)
      try await run.waitForFrames(5)
      let photo = try await run.photo.capturePhoto(with: CapturePhotoSettings())
      #expect(photo.dimensions == size)
      let file = photo.fileDataRepresentation()
      let picture = try pictures.picture(size)
      #expect(file.suffix(picture.count) == picture)
      try await run.waitForFrames(5)
      _ = await run.stop()
      for frames in await run.streams() { pictures.expectOrder(frames) }
    }

    @Test("A photo in the largest size interrupts a small stream, which goes on as it was")
    func largePhoto() async throws {
      let camera = try USBCamera()
      let (small, large) = (CameraPictures.sizes[0], CameraPictures.sizes[2])
      let run = try await CameraRun(try await camera.device(), .mjpeg, small)
      try await run.waitForFrames(5)
      let events = run.session.events
      var settings = CapturePhotoSettings()
      settings.maxPhotoDimensions = run.photo.supportedMaxPhotoDimensions.last
      let photo = try await run.photo.capturePhoto(with: settings)
      #expect(photo.dimensions == large)
      let file = photo.fileDataRepresentation()
      let picture = try pictures.picture(large)
      #expect(file.suffix(picture.count) == picture)
      let told = await collect(events, 2)
      guard case .wasInterrupted(.takingStill) = told.first,
        case .interruptionEnded(let format) = told.last
      else {
        Issue.record("The session told \(told)")
        return
      }
      #expect(format.dimensions == small)
      try await run.waitForFrames(5)
      _ = await run.stop()
      #expect(!pictures.numbers(run.frames.all).contains(nil))
    }

    @Test("Unplugging in the middle of a frame ends the photo that waits for it with an error")
    func unplugInLargePhoto() async throws {
      let (small, large) = (CameraPictures.sizes[0], CameraPictures.sizes[2])
      let camera = try USBCamera("-s \(large.width)")
      let run = try await CameraRun(try await camera.device(), .mjpeg, small)
      try await run.waitForFrames(2)
      let (output, events) = (run.photo, run.session.events)
      var settings = CapturePhotoSettings()
      settings.maxPhotoDimensions = output.supportedMaxPhotoDimensions.last
      let photo = Task { [settings] in try await output.capturePhoto(with: settings) }
      guard case .wasInterrupted(.takingStill) = await collect(events, 1).first else {
        Issue.record("The session didn't tell that it takes a photo.")
        return
      }
      // Enough for half of the frame to come; it makes no difference if it doesn't.
      try await Task.sleep(for: .milliseconds(500))
      camera.unplug()
      await #expect(throws: CaptureError.disconnected(device: run.device.localizedName)) {
        _ = try await photo.value
      }
      #expect(await eventually(seconds: 10) { run.session.isInterrupted })
      _ = await run.stop()
    }

    @Test("Unplugging ends a photo that waits for its frame with an error")
    func unplugInPhoto() async throws {
      let camera = try USBCamera()
      let run = try await CameraRun(try await camera.device(), .mjpeg, CameraPictures.sizes[2])
      try await run.waitForFrames(2)
      camera.hang()
      // What is on its way arrives, and then nothing.
      try await Task.sleep(for: .milliseconds(300))
      let end = PhotoEnd()
      run.photo.capturePhoto(with: CapturePhotoSettings(), delegate: end)
      camera.unplug()
      #expect(await eventually(seconds: 20) { !end.errors.all.isEmpty })
      // Where the machine was held up, the session noticed the silence first.
      switch end.errors.all.first {
      case .disconnected, .stalled: break
      case let error: Issue.record("\(String(describing: error))")
      }
      #expect(await eventually(seconds: 20) { run.session.isInterrupted })
      _ = await run.stop()
    }

    /// Notes how a photo ended.
    private final class PhotoEnd: CapturePhotoCaptureDelegate {
      let errors = Log<CaptureError?>()

      func photoOutput(
        _ output: CapturePhotoOutput,
        didFinishCaptureFor resolvedSettings: CaptureResolvedPhotoSettings, error: CaptureError?
      ) {
        errors.append(error)
      }
    }
  }
}

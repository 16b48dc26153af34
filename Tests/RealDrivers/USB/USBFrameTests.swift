import Foundation
import Testing
import Viewfinder

extension UVCVideoTests {
  @Suite("Frames") struct FrameTests {
    private let pictures: CameraPictures

    init() throws { pictures = try CameraPictures.shared.get() }

    @Test(
      "300 JPEG frames arrive byte for byte, and what doesn't arrive is counted",
      arguments: CameraPictures.sizes)
    func jpegFrames(size: Dimensions) async throws {
      try await expectFrames(300, size, USBCamera.isochronous)
    }

    @Test("JPEG frames arrive by bulk transfers, too", arguments: CameraPictures.sizes)
    func bulkFrames(size: Dimensions) async throws {
      try await expectFrames(60, size, "")
    }

    private func expectFrames(_ count: Int, _ size: Dimensions, _ transfer: String) async throws {
      let camera = try USBCamera(transfer)
      let run = try await CameraRun(try await camera.device(), .mjpeg, size)
      try await run.waitForFrames(count)
      let counts = await run.stop()
      let streams = await run.streams()
      for frames in streams { pictures.expectOrder(frames) }
      let frames = run.frames.all
      #expect(counts.corruptFrames == 0)
      // Those on their way while the session stops reach nobody: no more than there are buffers.
      let unseen = counts.deliveredFrames - frames.count - run.video.droppedFrameCount
      #expect((0...counts.bufferCount).contains(unseen))
      let missing = counts.lostFrames + counts.starvedFrames + counts.lateFrames
      #expect(frames.gaps <= missing + run.video.droppedFrameCount)
      print("\(size) \(transfer): \(frames.count) frames, \(frames.gaps) missing, \(counts)")
    }

    @Test("YUYV frames arrive whole", arguments: ["", USBCamera.isochronous])
    func rawFrames(transfer: String) async throws {
      let camera = try USBCamera(transfer)
      let size = Dimensions(width: 320, height: 240)
      let run = try await CameraRun(try await camera.device(), .yuyv, size)
      try await run.waitForFrames(45)
      _ = await run.stop()
      for frames in await run.streams() { expectRamps(frames) }
    }

    @Test(
      "Frames that were cut short never arrive, whatever the driver does with them",
      arguments: [false, true], [PixelFormat.mjpeg, .yuyv])
    func truncatedFrames(nodrop: Bool, pixelFormat: PixelFormat) async throws {
      let camera = try USBCamera("-i -t 3", nodrop: nodrop)
      let counts = try await expectWholeFrames(camera, pixelFormat)
      // The driver knows the size of raw frames alone.
      let isDropped = pixelFormat == .yuyv && !nodrop
      #expect(isDropped ? counts.lostFrames > 5 : counts.corruptFrames > 5)
      if isDropped { #expect(counts.corruptFrames == 0) }
    }

    @Test(
      "Frames that the camera flags as damaged never arrive, whatever the driver does with them",
      arguments: [false, true])
    func flaggedFrames(nodrop: Bool) async throws {
      let camera = try USBCamera("-i -e 3", nodrop: nodrop)
      let counts = try await expectWholeFrames(camera, .mjpeg)
      #expect(nodrop ? counts.corruptFrames > 5 : counts.lostFrames > 5)
      if !nodrop { #expect(counts.corruptFrames == 0) }
    }

    /// Takes frames from a camera every third of whose frames is damaged.
    private func expectWholeFrames(_ camera: USBCamera, _ pixelFormat: PixelFormat)
      async throws -> CaptureStatistics
    {
      let size =
        pixelFormat == .yuyv ? Dimensions(width: 320, height: 240) : CameraPictures.sizes[0]
      let run = try await CameraRun(try await camera.device(), pixelFormat, size)
      try await run.waitForFrames(30)
      let counts = await run.stop()
      let streams = await run.streams()
      for frames in streams {
        if pixelFormat == .yuyv {
          expectRamps(frames)
        } else {
          pictures.expectOrder(frames)
        }
      }
      let frames = run.frames.all
      #expect(frames.gaps >= frames.count / 2 - 2)
      let missing =
        counts.lostFrames + counts.corruptFrames + counts.starvedFrames + counts.lateFrames
      #expect(frames.gaps <= missing + run.video.droppedFrameCount)
      return counts
    }
  }
}

import Foundation
import Testing
import Viewfinder

extension LoopbackTests {
  /// What the tool writes to a node.
  @Suite("Own output") struct StreamTests {
    @Test(
      "What stream writes to a node is read back unchanged, by a session and by the tool",
      arguments: [PixelFormat.mjpeg, .yuyv, .nv12])
    func stream(layout: PixelFormat) async throws {
      let recording = try await Recording(layout)
      let writer = try LoopbackTests.stream(recording)
      let device = try await camera()
      #expect(device.formats.map(\.pixelFormat) == [layout])

      let run = try await CameraRun(device, layout)
      try await run.waitForFrames(30)
      let counts = await run.stop()
      #expect(counts.corruptFrames == 0)

      if layout == .mjpeg {
        let reader = try Tool("stream", "--device", node, "--count", "20")
        #expect(await reader.status() == 0, "\(reader.errors)")
        let numbers = try CameraPictures.shared.get().numbers(in: reader.output, size)
        #expect(numbers.count == 20 && !numbers.contains(nil))
      } else {
        // Raw frames go to nodes only.
        let reader = try Tool(
          "stream", "--device", node, "--type", "raw", "--output", secondNode)
        let second = try await CameraRun(try await camera(secondNode), layout)
        try await second.waitForFrames(20)
        _ = await second.stop()
        #expect(!recording.numbers(second.frames.all).contains(nil))
        await reader.interrupt()
      }

      await writer.interrupt()
      for frames in await run.streams() {
        recording.expectOrder(frames, writerKeptAll: writer.errors.isEmpty)
      }
      print("\(layout): \(run.frames.all.count) frames, \(counts), writer: \(writer.errors)")
    }

    @Test("A reader that comes later, and goes again, leaves the first one its stream")
    func secondReader() async throws {
      let recording = try await Recording(.mjpeg)
      let writer = try LoopbackTests.stream(recording)
      let run = try await CameraRun(try await camera(), .mjpeg)
      try await run.waitForFrames(10)
      let reader = try Tool("stream", "--device", node, "--count", "10")
      #expect(await reader.status() == 0, "\(reader.errors)")
      let numbers = try CameraPictures.shared.get().numbers(in: reader.output, size)
      #expect(numbers.count == 10 && !numbers.contains(nil))
      try await run.waitForFrames(20)
      let counts = await run.stop()
      #expect(!recording.numbers(run.frames.all).contains(nil))
      await writer.interrupt()
      print("\(run.frames.all.count) frames, \(counts)")
    }

    @Test("A writer that goes away interrupts the reader, which goes on when it returns")
    func writerGoesAway() async throws {
      let recording = try await Recording(.mjpeg)
      let writer = try LoopbackTests.stream(recording)
      let run = try await CameraRun(try await camera(), .mjpeg)
      try await run.waitForFrames(10)
      let events = run.session.events
      await writer.interrupt()
      #expect(await eventually(seconds: 30) { run.session.isInterrupted })
      let other = try LoopbackTests.stream(recording)
      try await run.waitForFrames(10)
      let told = await collect(events, 2)
      guard case .wasInterrupted = told.first, case .interruptionEnded = told.last else {
        Issue.record("The session told \(told)")
        return
      }
      _ = await run.stop()
      #expect(!recording.numbers(run.frames.all).contains(nil))
      await other.interrupt()
    }

    @Test(
      "A writer that stands still for two seconds interrupts the reader, whose frames keep order")
    func writerStandsStill() async throws {
      let recording = try await Recording(.mjpeg)
      let writer = try LoopbackTests.stream(recording)
      let run = try await CameraRun(try await camera(), .mjpeg)
      try await run.waitForFrames(10)
      try await writer.pause(for: .seconds(2))
      try await run.waitForFrames(10)
      _ = await run.stop()
      await writer.interrupt()
      let streams = await run.streams()
      #expect(streams.count > 1, "the camera was started anew")
      for frames in streams { recording.expectOrder(frames, writerKeptAll: writer.errors.isEmpty) }
    }

    @Test("The tool tells that the writer has gone, and goes on when it returns")
    func writerGoesAwayFromTool() async throws {
      let recording = try await Recording(.mjpeg)
      let writer = try LoopbackTests.stream(recording)
      _ = try await camera()
      let reader = try Tool("stream", "--device", node, "--wait", "60")
      #expect(await eventually(seconds: 60) { reader.output.count > 500_000 })
      await writer.interrupt()
      #expect(await eventually(seconds: 60) { !reader.errors.isEmpty })
      let before = reader.output.count
      let other = try LoopbackTests.stream(recording)
      #expect(await eventually(seconds: 60) { reader.output.count > before + 500_000 })
      await reader.interrupt()
      await other.interrupt()
      let numbers = try CameraPictures.shared.get().numbers(in: reader.output, size)
      #expect(!numbers.contains(nil))
      print("\(numbers.count) frames; the reader: \(reader.errors)")
    }

    @Test("A node that another program writes to is in use by it")
    func nodeInUse() async throws {
      let other = try oddWriter()
      defer { other.end() }
      let run = try await CameraRun(try await camera(), .mjpeg)
      try await run.waitForFrames(3)
      let tool = try await LoopbackTests.stream(Recording(.mjpeg))
      #expect(await tool.status() == 69, "EX_UNAVAILABLE")
      #expect(tool.errors.contains("oddwriter"), "\(tool.errors)")
      try await run.waitForFrames(3)
      _ = await run.stop()
    }

    @Test("A frame that is held stays as it is while the writer goes on")
    func heldFrames() async throws {
      let recording = try await Recording(.mjpeg)
      let writer = try LoopbackTests.stream(recording)
      let device = try await camera()
      let session = CaptureSession(), output = CaptureVideoDataOutput()
      try session.configure {
        try session.addInput(CaptureDeviceInput(device: device))
        try session.addOutput(output)
      }
      let (held, later) = (output.frames, output.frames)
      try await session.startRunning()
      let frames = await collect(held, 2)
      let before = frames.map(\.data)
      // More than the node has buffers, and none of them held.
      #expect(await collect(later.map(\.sequenceNumber), 25).count == 25)
      #expect(frames.map(\.data) == before)
      #expect(before.allSatisfy(recording.frames.contains))
      await session.stopRunning()
      await writer.interrupt()
    }
  }
}

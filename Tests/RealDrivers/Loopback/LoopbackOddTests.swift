import Foundation
import Testing
import Viewfinder

extension LoopbackTests {
  /// What other programs write to a node.
  @Suite("Odd writers") struct OddTests {
    private let pictures: CameraPictures

    init() throws { pictures = try CameraPictures.shared.get() }

    /// Sets one of the node's controls.
    private func set(_ control: String) throws {
      #expect(try Program("v4l2-ctl", "-d", node, "-c", control).status() == 0)
    }

    @Test("What another program writes is delivered") func frames() async throws {
      let writer = try Program(
        "v4l2-ctl", "-d", node, "--stream-out-mmap",
        "--set-fmt-video-out=width=640,height=480,pixelformat=YUYV")
      defer { writer.end() }
      let frames = try await camera().frames(3)
      #expect(frames.count == 3)
      #expect(frames.allSatisfy { $0.format.dimensions == size && $0.data.count == 640 * 480 * 2 })
    }

    @Test(
      "Frames bear the time of their arrival, whatever the writer stamps them with",
      arguments: ["none", "past", "future", "backwards", "same", "negative"])
    func timestamps(lie: String) async throws {
      let begin = monotonicTime()
      let writer = try oddWriter(lie)
      defer { writer.end() }
      let run = try await CameraRun(try await camera(), .mjpeg)
      try await run.waitForFrames(20)
      let photo = try await run.photo.capturePhoto(with: CapturePhotoSettings())
      #expect(photo.dimensions == size)
      let counts = await run.stop()
      let frames = run.frames.all, end = monotonicTime()
      #expect(!pictures.numbers(frames).contains(nil))
      for frame in frames { #expect(frame.timestamp > begin && frame.timestamp < end) }
      for (a, b) in zip(frames, frames.dropFirst()) { #expect(b.timestamp > a.timestamp) }
      #expect(await run.streams().count == 1, "the repeated frames keep the session going")
      // The driver doesn't say which clock it is.
      #expect(counts.restampedFrames == counts.producedFrames - counts.lostFrames)
      // Buffers that are queued have no number: those with one stamp can't be told apart.
      #expect(lie == "same" ? counts.repeatedFrames > 10 : counts.repeatedFrames == 0)
      print("\(lie): \(frames.count) frames, \(counts)")
    }

    private func monotonicTime() -> Duration {
      var time = timespec()
      unsafe clock_gettime(CLOCK_MONOTONIC, &time)
      return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    @Test("Frames that the driver hands out again keep the rate, and are counted")
    func repeats() async throws {
      let writer = try oddWriter(every: 1000)
      defer { writer.end() }
      let device = try await camera()
      try set("sustain_framerate=1")
      defer { try? set("sustain_framerate=0") }
      let run = try await CameraRun(device, .mjpeg)
      try await run.waitForFrames(60)
      let counts = await run.stop()
      let frames = run.frames.all, numbers = pictures.numbers(frames)
      #expect(!numbers.contains(nil))
      #expect(counts.repeatedFrames > frames.count / 2)
      for (a, b) in zip(frames, frames.dropFirst()) { #expect(b.timestamp > a.timestamp) }
      #expect(await run.streams().count == 1, "the repeated frames keep the session going")
      print("\(frames.count) frames of \(Set(numbers).count) pictures, \(counts)")
    }

    @Test("The driver's empty pictures for a writer that hangs are withheld")
    func emptyPictures() async throws {
      let writer = try oddWriter()
      defer { writer.end() }
      let device = try await camera()
      try set("timeout=200")
      defer { try? set("timeout=0") }
      let run = try await CameraRun(device, .mjpeg)
      try await run.waitForFrames(10)
      let events = run.session.events
      kill(writer.processID, SIGSTOP)
      var withheld = 0
      let isTold = await eventually(seconds: 30) {
        withheld = max(withheld, run.session.statistics.corruptFrames)
        return run.session.isInterrupted
      }
      #expect(isTold && withheld > 0)
      kill(writer.processID, SIGCONT)
      try await run.waitForFrames(10)
      let told = await collect(events, 2)
      _ = await run.stop()
      #expect(!pictures.numbers(run.frames.all).contains(nil))
      print("The session told \(told)")
    }
  }
}

import Foundation
import Testing
import Viewfinder

extension VividTests {
  @Suite("Faults") struct Faults {
    private let vivid: Vivid

    init() throws { vivid = try Vivid() }

    @Test("A flagged frame is withheld and counted, and the stream goes on") func flagged()
      async throws
    {
      let run = try await vivid.streamingWebcam()
      try vivid.press("inject_v4l2_buf_flag_error")
      #expect(await eventually(seconds: 10) { run.session.statistics.corruptFrames == 1 })
      try await run.waitForFrames(3)
      #expect(!run.session.isInterrupted)
      _ = await run.stop()
    }

    @Test("A buffer that the driver refuses doesn't stop the stream") func refusedBuffer()
      async throws
    {
      let run = try await vivid.streamingWebcam()
      try vivid.press("inject_vidioc_qbuf_error")
      try await run.waitForFrames(20)
      #expect(!run.session.isInterrupted)
      _ = await run.stop()
    }

    @Test(
      "A start that the driver refuses says which call failed, and the next one works",
      arguments: [
        ("inject_vidioc_streamon_error", "VIDIOC_STREAMON"),
        ("inject_vidioc_reqbufs_error", "VIDIOC_REQBUFS"),
      ])
    func refusedStart(control: String, call: String) async throws {
      try vivid.press(control)
      let name = vivid.webcam.localizedName
      await #expect(throws: CaptureError.system(call: call, code: EINVAL, subject: name)) {
        _ = try await CameraRun(vivid.webcam, .yuyv, Vivid.size)
      }
      let run = try await vivid.streamingWebcam()
      _ = await run.stop()
    }

    @Test("A stream that breaks is started anew") func fatalError() async throws {
      let run = try await vivid.streamingWebcam()
      let events = run.session.events
      try vivid.press("inject_fatal_streaming_error")
      await expectInterruption(events) { if case .system = $0 { true } else { false } }
      try await run.waitForFrames(3)
      _ = await run.stop()
    }

    @Test("Dropped frames are counted as lost") func droppedFrames() async throws {
      let run = try await CameraRun(vivid.webcam, .yuyv, Vivid.size)
      try vivid.set("percentage_of_dropped_buffers", 30)
      defer { try? vivid.set("percentage_of_dropped_buffers", 0) }
      try await run.waitForFrames(30)
      let counts = await run.stop()
      let gaps = run.frames.all.gaps
      #expect(counts.lostFrames >= 3)
      #expect(gaps <= counts.lostFrames + counts.lateFrames + run.video.droppedFrameCount)
    }

    @Test("Sequence numbers that wrap are no loss") func wrap() async throws {
      try vivid.set("wrap_sequence_number", 1)
      defer { try? vivid.set("wrap_sequence_number", 0) }
      let run = try await CameraRun(vivid.webcam, .yuyv, Dimensions(width: 320, height: 180))
      // The numbers begin at 0xffffff80.
      try await run.waitForFrames(150)
      let counts = await run.stop()
      // A busy machine loses some; a wrap taken for a loss would be one of billions.
      #expect(counts.lostFrames < 100_000, "\(counts)")
      for frames in await run.streams() { #expect(frames.last!.sequence < 100_000) }
    }

    // To the end of 64 bits of nanoseconds and of 32 bits of seconds.
    @Test("Time stamps that can't be true are replaced and counted", arguments: [1, 2] as [Int64])
    func wrongTime(wrap: Int64) async throws {
      try vivid.set("wrap_timestamp", wrap)
      defer { try? vivid.set("wrap_timestamp", 0) }
      let run = try await vivid.streamingWebcam()
      try await run.waitForFrames(5)
      let counts = await run.stop()
      #expect(counts.restampedFrames == counts.producedFrames - counts.lostFrames)
      let stamps = run.frames.all.map(\.timestamp)
      let now = Duration.seconds(ProcessInfo.processInfo.systemUptime)
      #expect(
        stamps == stamps.sorted() && stamps.allSatisfy { now - $0 < .seconds(300) && $0 <= now })
    }

    @Test("Each error that vivid can inject is met by a test") func allInjections() throws {
      let injections = try vivid.webcam.controls().map(\.identifier).filter {
        $0.hasPrefix("inject_")
      }
      // That of requests aside, which the library doesn't use.
      #expect(
        Set(injections) == [
          "inject_v4l2_buf_flag_error", "inject_vidioc_reqbufs_error", "inject_vidioc_qbuf_error",
          "inject_vidioc_streamon_error", "inject_fatal_streaming_error",
          "inject_req_validate_error",
        ])
    }
  }
}

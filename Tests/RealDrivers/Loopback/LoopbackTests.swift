import Testing
import Viewfinder

@Suite("v4l2loopback", .serialized, .enabled(if: Driver.v4l2loopback.isHere, Driver.comment))
struct LoopbackTests {
  @Test("What another program writes is delivered") func frames() async throws {
    let writer = try Program(
      "v4l2-ctl", "-d", "/dev/video10", "--stream-out-mmap",
      "--set-fmt-video-out=width=640,height=480,pixelformat=YUYV")
    defer { writer.end() }
    let device = try #require(await Driver.v4l2loopback.firstDevice())
    let frames = try await device.frames(3)
    #expect(frames.allSatisfy { $0.format.dimensions == Dimensions(width: 640, height: 480) })
  }
}

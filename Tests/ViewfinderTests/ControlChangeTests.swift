import Foundation
import Testing

@testable import Viewfinder

@Suite struct ControlChangeTests {
  /// A frame's moment and how bright it is.
  private struct Sight: Sendable {
    var frame: VideoFrame
    var luma: UInt8
  }

  @Test func framesThatShowAChangeForCertainShowIt() async throws {
    let rig = try Rig { $0.source = .scene(.grey) }
    try rig.choose(.yuyv, .qvga)
    let output = CaptureVideoDataOutput()
    let sights = Log<Sight>()
    let frames = output.frames
    let reader = Task {
      for await frame in frames {
        // A copy, for frames that are kept would stop the camera.
        let copy = VideoFrame(frame, picture: try frame.picture().converted(to: .grey))
        sights.append(Sight(frame: copy, luma: frame.data[0]))
      }
    }
    defer { reader.cancel() }
    try await rig.start(output)
    #expect(await eventually { sights.all.count >= 3 })
    let before = sights.all
    let old = try #require(before.last?.luma)
    let change = try rig.device.change { (device) throws(CaptureError) in
      try device.setControl("brightness", to: 60)
    }
    #expect(before.allSatisfy { !change.isVisible(in: $0.frame) })
    #expect(await eventually { sights.all.filter { change.isVisible(in: $0.frame) }.count >= 5 })
    for sight in sights.all where change.isVisible(in: sight.frame) {
      #expect(sight.luma > old + 40, "frame \(sight.frame.sequenceNumber)")
    }
  }

  @Test func slowerFramesAreWaitedForLonger() {
    let change = ControlChange(time: .seconds(100))
    let (fast, slow) = (
      FrameInterval(numerator: 1, denominator: 50), FrameInterval(numerator: 1, denominator: 4)
    )
    #expect(change.earliestCapture(at: fast) == .seconds(100) + .milliseconds(40))
    #expect(change.earliestCapture(at: slow) == .seconds(100) + .milliseconds(500))
  }

  @Test func aChangeThatFailsTellsWhy() throws {
    let device = try SimulatedCamera().device
    #expect(throws: CaptureError.sessionNotRunning) {
      try device.change { (_) throws(CaptureError) in throw .sessionNotRunning }
    }
  }
}

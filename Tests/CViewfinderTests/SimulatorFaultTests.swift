import CViewfinder
import Foundation
import Testing

@Suite("Simulated camera: faults")
struct SimulatorFaultTests {
  /// The frames that come until `last`, damaged ones too.
  private func frames(
    _ faults: String, until last: UInt32, _ fourcc: UInt32 = VF_YUYV
  ) throws -> [SimulatorPicture] {
    var frames: [SimulatorPicture] = []
    try SimulatorRig(scene: "steady", faults: faults).open { grabber in
      try grabber.start(fourcc, damaged: true)
      repeat { frames.append(try grabber.picture()) } while frames.last!.sequence < last
    }
    return frames
  }

  @Test("A flagged frame is the one that the script names")
  func flagged() throws {
    let frames = try frames("error@3;error@6-10/2", until: 12)
    #expect(frames.map(\.sequence) == Array(0...12))
    #expect(frames.filter(\.damaged).map(\.sequence) == [3, 6, 8, 10])
  }

  @Test("Without a last frame, a step goes on for ever")
  func steps() throws {
    let frames = try frames(" error@2/5 , ", until: 30)
    #expect(frames.filter(\.damaged).map(\.sequence) == [2, 7, 12, 17, 22, 27])
  }

  @Test("A truncated frame is shorter than the others, and the next is whole again")
  func truncated() throws {
    let frames = try frames("truncate@4", until: 9)
    #expect(frames[4].bytes.count == 640 * 480)
    #expect(frames.filter(\.damaged).map(\.sequence) == [4])
    #expect(Set(frames.filter { !$0.damaged }.map(\.bytes.count)) == [640 * 480 * 2])
  }

  @Test("A corrupt JPEG is damaged to whoever looks, and its buffer recovers")
  func corrupt() throws {
    var verdicts: [Bool] = []
    try SimulatorRig(scene: "steady", faults: "corrupt@2;truncate@5").open { grabber in
      try grabber.start(VF_MJPEG)
      for _ in 0..<16 {
        verdicts.append(
          try grabber.next { frame in
            var info = vf_jpeg_info()
            var failure = vf_failure()
            return vf_jpeg_inspect(frame.planes.0!, frame.counts.0, &info, &failure) == 0
          })
      }
    }
    #expect(verdicts.indices.filter { !verdicts[$0] } == [2, 5])
  }

  @Test("A dropped frame leaves a gap in the sequence")
  func dropped() throws {
    let frames = try frames("drop@2-4;drop@7", until: 9)
    #expect(frames.map(\.sequence) == [0, 1, 5, 6, 8, 9])
  }

  @Test("An input error costs one frame")
  func inputError() throws {
    let frames = try frames("eio@4", until: 7)
    #expect(frames.map(\.sequence) == [0, 1, 2, 3, 5, 6, 7])
  }

  @Test("An input error that lasts ends the stream, and a new start is well")
  func lastingInputError() throws {
    try SimulatorRig(scene: "steady", faults: "eio@4:1").open { grabber in
      try grabber.start()
      for _ in 0..<4 { _ = try grabber.picture() }
      do {
        _ = try grabber.picture()
        Issue.record("a frame came through the error")
      } catch let failure as SimulatorFailure {
        #expect(failure.code == EIO)
      }
      grabber.stop()
      try grabber.start()
      #expect(try grabber.picture(10).sequence == 10)
    }
  }

  @Test("A black frame is black", arguments: SimulatorStreamTests.formats)
  func black(fourcc: UInt32) throws {
    let frames = try frames("black@5", until: 9, fourcc)
    #expect(frames.map { $0.brightness < 2 } == (0...9).map { $0 == 5 })
  }

  @Test("After a stall, the frames go on where they stopped")
  func stall() throws {
    let frames = try frames("stall@3:0.05", until: 6)
    #expect(frames.map(\.sequence) == Array(0...6))
  }

  @Test("An unplugged camera comes back when its time is over")
  func unplug() throws {
    let rig = try SimulatorRig(scene: "steady", faults: "unplug@3:0.05")
    try rig.open { grabber in
      try grabber.start()
      for _ in 0..<3 { _ = try grabber.picture() }
      do {
        _ = try grabber.picture()
        Issue.record("a frame came from an unplugged camera")
      } catch let failure as SimulatorFailure {
        #expect(failure.code == ENODEV)
      }
    }
    var opens = false
    for _ in 0..<1000 where !opens {
      opens =
        (try? rig.open {
          try $0.start()
          _ = try $0.picture(20)
        }) != nil
      usleep(10_000)
    }
    #expect(opens)
    #expect(rig.leaks == [0, 0])
  }

  @Test("A source change ends the stream, and leaves another size")
  func format() throws {
    try SimulatorRig(scene: "steady", faults: "format@2").open { grabber in
      try grabber.start(VF_YUYV, 640, 480)
      for _ in 0..<2 { _ = try grabber.picture() }
      do {
        _ = try grabber.picture()
        Issue.record("a frame came after the change")
      } catch let failure as SimulatorFailure {
        #expect(failure.code == EPIPE)
      }
      grabber.stop()
      #expect(Set(try grabber.modes().map(\.min_width)) == [320])
      try grabber.start(VF_YUYV, 640, 480)
      #expect(grabber.format.width == 320 && grabber.format.height == 240)
      #expect(try grabber.picture(8).width == 320)
    }
  }

  @Test("Faults that come while it streams count from the stream's start")
  func injected() throws {
    let rig = try SimulatorRig(scene: "steady")
    try rig.open { grabber in
      try grabber.start(damaged: true)
      _ = try grabber.picture(5)
      try rig.inject("error@9")
      try rig.inject("error@2")
      var damaged: [UInt32] = []
      for _ in 0..<10 {
        let frame = try grabber.picture()
        if frame.damaged { damaged.append(frame.sequence) }
      }
      #expect(damaged == [9])
      // What was past already waits for the next stream.
      grabber.stop()
      try grabber.start(damaged: true)
      #expect(
        try (0..<12).map { _ in try grabber.picture() }.filter(\.damaged).map(\.sequence) == [2])
    }
  }

  @Test(
    "Words that are no fault are refused, and named",
    arguments: [
      "melt@3", "stall", "stall@", "stall@x", "error@5-3", "error@1/0", "error@1:", "error@1x",
      "drop@99999999999999999999", "@3", "error@1;;flood@2",
    ])
  func refused(script: String) {
    let (code, words) = SimulatorRig.refusal(faults: script)
    #expect(code == EINVAL)
    let last = script.split(separator: ";").last!
    #expect(words.contains("\"\(last)\""))
  }
}

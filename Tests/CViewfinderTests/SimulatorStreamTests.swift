import CViewfinder
import Foundation
import Testing

@Suite("Simulated camera: streaming")
struct SimulatorStreamTests {
  static let formats = [VF_YUYV, VF_NV12, VF_MJPEG, VF_GREY]

  @Test("It offers four formats, each in eight sizes, with rates that USB could carry")
  func modes() throws {
    try SimulatorRig().open { grabber in
      let modes = try grabber.modes()
      #expect(Set(modes.map(\.fourcc)) == Set(Self.formats))
      for fourcc in Self.formats {
        let sizes = Set(modes.filter { $0.fourcc == fourcc }.map { [$0.min_width, $0.min_height] })
        #expect(sizes.count == 8)
        #expect(sizes.contains([320, 240]) && sizes.contains([3840, 2160]))
      }
      func fastest(_ fourcc: UInt32, _ width: UInt32) -> UInt32? {
        modes.filter { $0.fourcc == fourcc && $0.min_width == width }
          .map { $0.min_interval.denominator / $0.min_interval.numerator }.max()
      }
      #expect(fastest(VF_YUYV, 640) == 60)
      #expect(fastest(VF_YUYV, 1280) == 10)
      #expect(fastest(VF_YUYV, 1920) == 5)
      #expect(fastest(VF_MJPEG, 1920) == 60)
      #expect(fastest(VF_MJPEG, 3840) == 30)
    }
  }

  @Test(
    "Frames flow in every format and size",
    arguments: formats, [(320, 240), (640, 480), (800, 600), (1280, 720), (1920, 1080)])
  func flows(fourcc: UInt32, size: (UInt32, UInt32)) throws {
    let rig = try SimulatorRig(scene: "steady")
    try rig.open { grabber in
      try grabber.start(fourcc, size.0, size.1)
      let picture = try grabber.picture(3)
      #expect(picture.width == Int(size.0) && picture.height == Int(size.1))
      #expect((90.0...170).contains(picture.brightness))
      #expect(picture.warnings == 0)
      if fourcc != VF_MJPEG {
        #expect(picture.bytes.count == Int(grabber.format.size))
      }
    }
    #expect(rig.leaks == [0, 0])
  }

  @Test("A size that isn't offered becomes the nearest one")
  func nearest() throws {
    try SimulatorRig().open { grabber in
      try grabber.start(VF_YUYV, 1300, 700)
      #expect(grabber.format.width == 1280 && grabber.format.height == 720)
      #expect(grabber.format.interval.denominator == 10)
      #expect(grabber.format.limited_range == 0)
    }
  }

  @Test("At full speed every frame comes, numbered from 0, and nothing leaks after 2000")
  func fullSpeed() throws {
    let rig = try SimulatorRig(scene: "steady")
    try rig.open { grabber in
      try grabber.start()
      for expected in 0..<UInt32(2000) {
        let sequence = try grabber.next(\.sequence)
        #expect(sequence == expected)
      }
      #expect(grabber.statistics.lost == 0)
    }
    #expect(rig.leaks == [0, 0])
  }

  @Test("In real time, stamps advance by the frame interval and lie in the past")
  func stamps() throws {
    try SimulatorRig(scene: "steady", fullSpeed: false).open { grabber in
      try grabber.start(VF_YUYV, 320, 240, rate: 60)
      var last: vf_frame?
      for _ in 0..<10 {
        let frame = try grabber.next { $0 }
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        #expect(frame.timestamp <= Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec))
        if let last {
          // Microseconds are what V4L2 tells.
          let steps = Int64(frame.sequence - last.sequence)
          #expect(abs(frame.timestamp - last.timestamp - steps * 16_666_666) <= 1000)
        }
        last = frame
      }
    }
  }

  @Test("Frames that find no buffer are lost and counted")
  func starves() throws {
    try SimulatorRig(scene: "steady", fullSpeed: false).open { grabber in
      try grabber.start(VF_GREY, 320, 240, rate: 60)
      _ = try grabber.next { $0 }
      usleep(300_000)
      var sequences: [UInt32] = []
      for _ in 0..<8 { sequences.append(try grabber.next(\.sequence)) }
      #expect(sequences.last! - sequences.first! > 8)
      #expect(grabber.statistics.lost > 0)
    }
  }

  @Test("While one streams, another can set controls but not stream")
  func busy() throws {
    let rig = try SimulatorRig(scene: "steady")
    try rig.open { first in
      try first.start()
      try rig.open { second in
        #expect { try second.start() } throws: { error in
          (error as? SimulatorFailure)?.code == EBUSY
        }
        let brightness = try second.set(.brightness, 10)
        #expect(brightness == 10)
      }
      _ = try first.picture()
      first.stop()
      try rig.open { second in
        try second.start()
        _ = try second.picture()
      }
    }
    #expect(rig.leaks == [0, 0])
  }

  @Test("Another path is no camera")
  func otherPath() throws {
    let rig = try SimulatorRig()
    var failure = vf_failure()
    #expect(vf_grabber_open(vf_simulator_system(rig.handle), "/dev/video0", &failure) == nil)
    #expect(failure.code == ENOENT)
  }

  @Test("An exported buffer shows the frame's bytes")
  func exports() throws {
    try SimulatorRig().open { grabber in
      try grabber.start()
      var frame: UnsafeMutablePointer<vf_frame>?
      var failure = vf_failure()
      #expect(vf_grabber_next(grabber.handle, 10_000, &frame, &failure) == 1)
      let held = try #require(frame)
      defer { vf_frame_release(held) }
      let descriptor = vf_frame_export(held, 0, &failure)
      try #require(descriptor >= 0)
      defer { close(descriptor) }
      let count = held.pointee.counts.0
      let mapped = try #require(mmap(nil, count, PROT_READ, MAP_SHARED, descriptor, 0))
      try #require(mapped != MAP_FAILED)
      defer { munmap(mapped, count) }
      #expect(memcmp(mapped, held.pointee.planes.0!, count) == 0)
    }
  }

  @Test("The plug can be pulled at any time, and put back", arguments: [0, 1, 5])
  func unplugs(after count: Int) throws {
    let rig = try SimulatorRig(scene: "steady", fullSpeed: false)
    try rig.open { grabber in
      try grabber.set(.brightness, 20)
      try grabber.start(VF_YUYV, 320, 240, rate: 60)
      for _ in 0..<count { _ = try grabber.picture() }
      vf_simulator_set_plugged(rig.handle, 0)
      do {
        _ = try grabber.next { $0 }
        Issue.record("a frame came from an unplugged camera")
      } catch let failure as SimulatorFailure {
        #expect(failure.code == ENODEV)
      }
      #expect { try rig.open { _ in } } throws: { error in
        (error as? SimulatorFailure)?.code == ENOENT
      }
      vf_simulator_set_plugged(rig.handle, 1)
      // The old descriptor stays dead; a new one finds the camera as it was made.
      grabber.stop()
      #expect { try grabber.start() } throws: { error in
        (error as? SimulatorFailure)?.code == ENODEV
      }
      try rig.open { fresh in
        let brightness = try fresh.controls().first { $0.identifier.0 == 98 }
        #expect(brightness?.value == 0)
        try fresh.start()
        #expect(try fresh.picture().sequence == 0)
      }
    }
    #expect(rig.leaks == [0, 0])
  }

  @Test("An unplug wakes a reader who sleeps in another thread")
  func unplugsSleeper() async throws {
    let rig = try SimulatorRig(scene: "steady", fullSpeed: false, faults: "stall@0")
    // Started here, so that the plug isn't pulled half-way through a start.
    nonisolated(unsafe) let grabber = try SimulatorGrabber(rig)
    try grabber.start()
    async let code: Int32 = Task.detached {
      var code: Int32 = 0
      do { _ = try grabber.next { $0 } } catch let failure as SimulatorFailure {
        code = failure.code
      }
      return code
    }.value
    usleep(50_000)
    vf_simulator_set_plugged(rig.handle, 0)
    #expect(try await code == ENODEV)
  }
}

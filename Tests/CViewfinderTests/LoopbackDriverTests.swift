import CViewfinder
import FaultInjection
import Foundation
import Testing

/// v4l2loopback's ways, of a driver that only claims to be it.
@Suite("A loopback's frames") struct LoopbackDriverTests {
  typealias Offset = TamperedSystem.Offset

  /// A grabber that takes its driver for v4l2loopback.
  private func withLoopback(_ body: (TestGrabber, TamperedSystem) throws -> Void) throws {
    try SimulatedCamera().use { camera in
      let tampered = TamperedSystem(camera.system, path: camera.path)
      tampered.after = { call, argument in
        guard call == .queryCapabilities else { return }
        "v4l2 loopback".withCString { name in
          argument?.copyMemory(from: name, byteCount: strlen(name) + 1)
        }
      }
      try body(try TestGrabber(tampered.system, camera.path), tampered)
      #expect(camera.leaks == SimulatedCamera.Leaks())
    }
  }

  @Test("A held frame stays as it is when the driver's buffers change, and after the stream's end")
  func heldFrames() throws {
    try withLoopback { grabber, tampered in
      var buffers: [UnsafeMutableRawBufferPointer] = []
      tampered.didMap = { address, length, _ in
        buffers.append(UnsafeMutableRawBufferPointer(start: address, count: length))
      }
      var options = GrabberFaultTests.everyFrame
      options.buffer_count = 2
      try grabber.start(options: options)
      let frames = try (0..<4).map { _ in try #require(try grabber.next()) }
      let before = frames.map { Data(bytes: $0.pointee.planes.0!, count: $0.pointee.counts.0) }
      for buffer in buffers { memset(buffer.baseAddress!, 0x55, buffer.count) }
      grabber.stop()
      let after = frames.map { Data(bytes: $0.pointee.planes.0!, count: $0.pointee.counts.0) }
      #expect(before == after)
      for frame in frames {
        var failure = vf_failure()
        #expect(vf_frame_export(frame, 0, &failure) == -ENOTSUP)
        vf_frame_release(frame)
      }
    }
  }

  @Test("With all copies lent out frames are dropped and counted, until one is released")
  func starving() throws {
    try withLoopback { grabber, _ in
      try grabber.start(options: GrabberFaultTests.everyFrame)
      var frames: [UnsafeMutablePointer<vf_frame>] = []
      while let frame = try grabber.next(timeout: frames.isEmpty ? 10_000 : 500) {
        frames.append(frame)
      }
      #expect(frames.count > 2)
      let statistics = grabber.statistics
      #expect(statistics.starved > 0 && statistics.lent == frames.count)
      #expect(
        statistics.produced == statistics.delivered + statistics.lost + statistics.starved)
      vf_frame_release(frames.removeLast())
      try grabber.look(at: 3)
      for frame in frames { vf_frame_release(frame) }
    }
  }

  @Test("Buffers of different lengths are copied whole, each into memory that holds it")
  func unevenBuffers() throws {
    try withLoopback { grabber, tampered in
      let claim = tampered.after
      tampered.after = { call, argument in
        claim(call, argument)
        guard call == .queryBuffer, let argument else { return }
        // The first frame comes in a buffer that is too short for it.
        let index = argument.load(fromByteOffset: Offset.index, as: UInt32.self)
        guard index % 2 == 0 else { return }
        argument.storeBytes(of: 4096, toByteOffset: Offset.length, as: UInt32.self)
      }
      var lengths: Set<Int> = []
      tampered.didMap = { _, length, _ in lengths.insert(length) }
      var options = GrabberFaultTests.everyFrame
      options.buffer_count = 4
      options.delivers_damaged_frames = 1
      let format = try grabber.start(wish(640, 480, fourcc: VF_YUYV), options: options)
      let whole = Int(format.stride * format.height)
      #expect(lengths == [4096, whole])
      var counts: [Int] = []
      try grabber.look(at: 12) { frame in
        counts.append(frame.counts.0)
        #expect((frame.damaged == 1) == (frame.counts.0 == 4096))
        // All of it can be read.
        let bytes = UnsafeBufferPointer(start: frame.planes.0, count: frame.counts.0)
        #expect(bytes.reduce(0) { $0 &+ Int($1) } > 0)
      }
      #expect(counts == (0..<12).map { $0 % 2 == 0 ? 4096 : whole })
    }
  }

  @Test("Numbers that the driver forgot are no losses")
  func forgottenNumbers() throws {
    try withLoopback { grabber, tampered in
      let claim = tampered.after
      // As for a reader that comes late, then while another one comes, and one that is really lost.
      var numbers: [UInt32] = [0, 0, 41, 42, 43, 0, 45, 46, 0, 47, 48, 49, 51]
      let count = numbers.count
      tampered.after = { call, argument in
        claim(call, argument)
        guard call == .dequeue, !numbers.isEmpty else { return }
        argument?.storeBytes(
          of: numbers.removeFirst(), toByteOffset: Offset.sequence, as: UInt32.self)
      }
      try grabber.start(options: GrabberFaultTests.everyFrame)
      var last: [UInt32] = []
      try grabber.look(at: count) { last.append($0.sequence) }
      #expect(grabber.statistics.lost == 1)
      #expect(zip(last, last.dropFirst()).allSatisfy { $0 < $1 })
    }
  }

  @Test("Frames that are handed out again are delivered and counted")
  func repeats() throws {
    try withLoopback { grabber, tampered in
      let claim = tampered.after
      var index = 0, first = (0, 0)
      tampered.after = { call, argument in
        claim(call, argument)
        guard call == .dequeue, let argument else { return }
        index += 1
        // Three of each.
        argument.storeBytes(of: UInt32(index / 3), toByteOffset: Offset.sequence, as: UInt32.self)
        let offsets = (Offset.seconds, Offset.microseconds)
        if index % 3 == 0 {
          first.0 = argument.load(fromByteOffset: offsets.0, as: Int.self)
          first.1 = argument.load(fromByteOffset: offsets.1, as: Int.self)
        } else if index > 3 {
          argument.storeBytes(of: first.0, toByteOffset: offsets.0, as: Int.self)
          argument.storeBytes(of: first.1, toByteOffset: offsets.1, as: Int.self)
        }
      }
      try grabber.start(options: GrabberFaultTests.everyFrame)
      var last: UInt32?
      try grabber.look(at: 12) { frame in
        #expect(last.map { frame.sequence == $0 + 1 } ?? true)
        last = frame.sequence
      }
      // Of the first three, two have stamps of their own.
      #expect(grabber.statistics.repeated == 6)
      #expect(grabber.statistics.lost == 0)
    }
  }
}

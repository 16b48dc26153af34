import CViewfinder
import FaultInjection
import Foundation
import Testing

@Suite("Grabber and faults") struct GrabberFaultTests {
  typealias Call = TamperedSystem.Call
  typealias Offset = TamperedSystem.Offset

  /// Every frame in order.
  static var everyFrame: vf_stream_options {
    var options = vf_stream_options()
    options.keeps_late_frames = 1
    return options
  }

  @Test("Thousands of frames return every buffer and leak nothing")
  func thousands() throws {
    try SimulatedCamera().use { camera in
      var grabber: TestGrabber? = try TestGrabber(camera.system, camera.path)
      try grabber?.start(options: Self.everyFrame)
      try grabber?.look(at: 2000)
      let statistics = try #require(grabber?.statistics)
      #expect(statistics.delivered == 2000 && statistics.lent == 0 && statistics.lost == 0)
      #expect(statistics.corrupt == 0 && statistics.starved == 0 && statistics.late == 0)
      grabber?.stop()
      #expect(camera.leaks.mapped == 0)
      grabber = nil
      #expect(camera.leaks.open == 0)
    }
  }

  @Test("Flagged, truncated and lost frames are counted apart")
  func counters() throws {
    try SimulatedCamera(faults: "error@5;truncate@8;drop@11-12").use { camera in
      let grabber = try TestGrabber(camera.system, camera.path)
      try grabber.start(options: Self.everyFrame)
      var sequences: [UInt32] = []
      try grabber.look(at: 16) { sequences.append($0.sequence) }
      #expect(sequences == (0..<20).filter { ![5, 8, 11, 12].contains($0) })
      #expect(grabber.statistics.corrupt == 2)
      #expect(grabber.statistics.lost == 2)
      #expect(grabber.statistics.delivered == 16)
      #expect(grabber.statistics.produced == 20)
    }
  }

  @Test("Damaged frames are delivered, and marked, to those who ask")
  func damagedFrames() throws {
    try SimulatedCamera(faults: "error@2;truncate@4").use { camera in
      let grabber = try TestGrabber(camera.system, camera.path)
      var options = Self.everyFrame
      options.delivers_damaged_frames = 1
      try grabber.start(options: options)
      var damaged: [UInt32] = []
      try grabber.look(at: 6) { if $0.damaged == 1 { damaged.append($0.sequence) } }
      #expect(damaged == [2, 4])
      #expect(grabber.statistics.corrupt == 0)
    }
  }

  @Test("The check trims compressed frames and withholds those it rejects")
  func check() throws {
    try SimulatedCamera().use { camera in
      let grabber = try TestGrabber(camera.system, camera.path)
      var calls = 0
      try withUnsafeMutablePointer(to: &calls) { calls in
        var options = Self.everyFrame
        options.check_context = UnsafeMutableRawPointer(calls)
        options.check = { context, _, count, facts in
          let calls = context!.assumingMemoryBound(to: Int.self)
          calls.pointee += 1
          facts.pointee.count =
            calls.pointee % 3 == 0 ? 0 : calls.pointee % 3 == 1 ? 100 : count + 1000
        }
        try grabber.start(wish(640, 480, fourcc: fourcc("MJPG")), options: options)
        var counts: [Int] = []
        try grabber.look(at: 4) { counts.append($0.counts.0) }
        #expect(counts[0] == 100 && counts[2] == 100)
        #expect(counts[1] > 100 && counts[3] > 100)
        grabber.stop()
      }
      #expect(grabber.statistics.corrupt == 1)
      #expect(calls == 5)
    }
  }

  @Test("A tail is appended where the frame lies, and to a copy when the buffer ends there")
  func tails() throws {
    for length in [4096, 4099, 4100, 8192] {
      try SimulatedCamera().use { camera in
        let tampered = TamperedSystem(camera.system, path: camera.path)
        var mappings: [UnsafeRawBufferPointer] = []
        tampered.didMap = { address, length, _ in
          mappings.append(UnsafeRawBufferPointer(start: address, count: length))
        }
        tampered.after = { call, argument in
          if call == .queryBuffer {
            argument?.storeBytes(
              of: UInt32(length), toByteOffset: Offset.length, as: UInt32.self)
          } else if call == .dequeue {
            argument?.storeBytes(of: 4096, toByteOffset: Offset.bytesUsed, as: UInt32.self)
          }
        }
        let grabber = try TestGrabber(tampered.system, camera.path)
        var options = Self.everyFrame
        options.check = { _, bytes, count, facts in
          facts.pointee.count = count
          facts.pointee.tail = (1, 2, 3, 4)
          facts.pointee.tail_count = 4
          (facts.pointee.width, facts.pointee.height) = (77, 55)
        }
        try grabber.start(wish(640, 480, fourcc: VF_MJPEG), options: options)
        let frames = try (0..<3).map { _ in try #require(try grabber.next()) }
        for frame in frames {
          let bytes = UnsafeRawBufferPointer(
            start: frame.pointee.planes.0, count: frame.pointee.counts.0)
          #expect(bytes.count == 4100 && bytes.prefix(2).elementsEqual([0xFF, 0xD8]))
          #expect(bytes.suffix(4).elementsEqual([1, 2, 3, 4]))
          #expect(frame.pointee.width == 77 && frame.pointee.height == 55)
          let isInPlace = mappings.contains { $0.baseAddress == bytes.baseAddress }
          #expect(isInPlace == (length >= 4100))
          vf_frame_release(frame)
        }
        #expect(grabber.statistics.lent == 0 && grabber.statistics.corrupt == 0)
      }
    }
  }

  @Test("Unplugging is reported as ENODEV, again and again, and leaks nothing")
  func unplug() throws {
    try SimulatedCamera().use { camera in
      var grabber: TestGrabber? = try TestGrabber(camera.system, camera.path)
      try grabber?.start()
      try grabber?.look(at: 3)
      let frame = try #require(try grabber?.next())
      vf_simulator_set_plugged(camera.handle, 0)
      for _ in 0..<2 { #expect(throws: Failed(code: ENODEV)) { try untilFailure(grabber!) } }
      vf_frame_release(frame)
      grabber?.stop()
      #expect(throws: Failed(code: ENODEV)) { try grabber?.modes() }
      grabber = nil
      #expect(camera.leaks == SimulatedCamera.Leaks())
      vf_simulator_set_plugged(camera.handle, 1)
      let again = try TestGrabber(camera.system, camera.path)
      try again.start()
      try again.look(at: 2)
    }
  }

  @Test("A start that fails at any call leaves nothing behind and can be repeated")
  func failingStarts() throws {
    try SimulatedCamera().use { camera in
      // Fails the first, the second, … ioctl of a start, until a start gets through.
      for survived in 0..<200 {
        let tampered = TamperedSystem(camera.system, path: camera.path)
        var grabber: TestGrabber? = try TestGrabber(tampered.system, camera.path)
        var remaining = survived, failed = false
        tampered.before = { _, _ in
          defer { remaining -= 1 }
          failed = failed || remaining == 0
          return remaining == 0 ? ENODEV : 0
        }
        let format = wish(640, 480, every: (1, 30), fourcc: fourcc("YUYV"))
        let started = (try? grabber?.startExactly(format)) != nil
        tampered.before = { _, _ in 0 }
        if !started {
          try grabber?.startExactly(format)
          try grabber?.look(at: 1)
        }
        grabber = nil
        #expect(camera.leaks == SimulatedCamera.Leaks())
        if !failed { return }
      }
      Issue.record("never started")
    }
  }

  @Test("Signals don't disturb")
  func signals() throws {
    try SimulatedCamera().use { camera in
      let tampered = TamperedSystem(camera.system, path: camera.path)
      var calls = 0
      tampered.before = { call, _ in
        // Signals interrupt calls that may wait.
        guard call != .mmap else { return 0 }
        calls += 1
        return calls % 2 == 0 ? EINTR : 0
      }
      let grabber = try TestGrabber(tampered.system, camera.path)
      try grabber.start(options: Self.everyFrame)
      try grabber.look(at: 10)
      #expect(grabber.statistics.lost == 0)
    }
  }

  @Test("A changed source ends the stream until it is started again")
  func sourceChange() throws {
    try SimulatedCamera(faults: "format@4").use { camera in
      let grabber = try TestGrabber(camera.system, camera.path)
      try grabber.start()
      for _ in 0..<2 { #expect(throws: Failed(code: EPIPE)) { try untilFailure(grabber) } }
      grabber.stop()
      try grabber.start()
      try grabber.look(at: 3)
    }
  }

  @Test("An input error that passes costs a frame, one that stays ends the stream")
  func inputErrors() throws {
    try SimulatedCamera().use { camera in
      let tampered = TamperedSystem(camera.system, path: camera.path)
      var errors = 0
      tampered.before = { call, _ in
        guard call == Call.dequeue, errors > 0 else { return 0 }
        errors -= 1
        return EIO
      }
      let grabber = try TestGrabber(tampered.system, camera.path)
      try grabber.start()
      for count in [1, 3, 7] {
        errors = count
        try grabber.look(at: 2)
        #expect(errors == 0)
      }
      errors = .max
      #expect(throws: Failed(code: EIO)) { try untilFailure(grabber) }
      errors = 0
      #expect(throws: Failed(code: EIO)) { try grabber.next() }
      grabber.stop()
      try grabber.start()
      try grabber.look(at: 2)
    }
  }

  @Test("A buffer that the driver refuses leaves the rotation; when none is left, the stream ends")
  func refusedBuffers() throws {
    try SimulatedCamera().use { camera in
      let tampered = TamperedSystem(camera.system, path: camera.path)
      var refusals = 0
      tampered.before = { call, _ in
        guard call == Call.queue, refusals > 0 else { return 0 }
        refusals -= 1
        return EINVAL
      }
      let grabber = try TestGrabber(tampered.system, camera.path)
      try grabber.start()
      // Six buffers with a reserve of two: with one buffer left the stream still flows.
      refusals = 5
      try grabber.look(at: 20)
      #expect(refusals == 0)
      // The last one is lent out: the wait ends when it comes back.
      nonisolated(unsafe) let frame = try #require(try grabber.next())
      #expect(try grabber.next(timeout: 20) == nil)
      let group = DispatchGroup()
      DispatchQueue.global().async(group: group) { vf_frame_release(frame) }
      try grabber.look(at: 1)
      group.wait()
      refusals = 1
      #expect(throws: Failed(code: EIO)) { try untilFailure(grabber) }
    }
  }

  @Test("Losing the device while a frame is given back is reported")
  func goneOnReturn() throws {
    try SimulatedCamera().use { camera in
      let tampered = TamperedSystem(camera.system, path: camera.path)
      let grabber = try TestGrabber(tampered.system, camera.path)
      try grabber.start()
      let frame = try #require(try grabber.next())
      tampered.before = { call, _ in call == Call.queue ? ENODEV : 0 }
      vf_frame_release(frame)
      #expect(throws: Failed(code: ENODEV)) { try grabber.next() }
    }
  }

  @Test(
    "The step that another program blocks is named",
    arguments: [
      (Call.setFormat, EBUSY, "VIDIOC_S_FMT"), (Call.requestBuffers, EBUSY, "VIDIOC_REQBUFS"),
      (Call.streamOn, ENOSPC, "VIDIOC_STREAMON"),
    ])
  func namedSteps(call: Call, code: Int32, step: String) throws {
    try SimulatedCamera().use { camera in
      let tampered = TamperedSystem(camera.system, path: camera.path)
      tampered.before = { made, _ in made == call ? code : 0 }
      let grabber = try TestGrabber(tampered.system, camera.path)
      do {
        try grabber.start()
        Issue.record("started")
      } catch let failed as Failed {
        #expect(failed.code == code)
        #expect(failed.description.hasPrefix("\(step):"))
      }
      tampered.before = { _, _ in 0 }
      try grabber.start()
      try grabber.look(at: 1)
    }
  }

  @Test(
    "Numbers are counted whatever the driver makes of them",
    arguments: [
      // What the driver says for frame n; numbers of the frames; losses.
      SequenceCase("plain", [0, 1, 2, 3, 4], [0, 1, 2, 3, 4], lost: 0),
      SequenceCase("starting anywhere", [70, 71, 72], [0, 1, 2], lost: 0),
      SequenceCase("wrapping", [0xffff_fffe, 0xffff_ffff, 0, 1, 3], [0, 1, 2, 3, 5], lost: 1),
      SequenceCase("by two", [0, 2, 4, 6, 8, 10, 12], [0, 1, 2, 3, 4, 5, 6], lost: 0),
      SequenceCase("by two with a gap", [0, 2, 4, 6, 10, 12], [0, 1, 2, 3, 5, 6], lost: 1),
      SequenceCase("a gap at the start", [0, 3, 4, 5, 6], [0, 1, 4, 5, 6], lost: 2),
      SequenceCase("standing still", [9, 9, 9, 9], [0, 1, 2, 3], lost: 0),
      SequenceCase("repeating", [0, 1, 1, 2, 3], [0, 1, 2, 3, 4], lost: 0),
    ])
  func sequences(example: SequenceCase) throws {
    try SimulatedCamera().use { camera in
      let tampered = TamperedSystem(camera.system, path: camera.path)
      var index = 0
      tampered.after = { call, argument in
        guard call == Call.dequeue, index < example.driver.count else { return }
        argument?.storeBytes(
          of: example.driver[index], toByteOffset: Offset.sequence, as: UInt32.self)
        index += 1
      }
      let grabber = try TestGrabber(tampered.system, camera.path)
      try grabber.start(options: Self.everyFrame)
      var numbers: [UInt32] = []
      try grabber.look(at: example.driver.count) { numbers.append($0.sequence) }
      #expect(numbers == example.numbers)
      #expect(grabber.statistics.lost == example.lost)
    }
  }

  @Test(
    "Stamps that can't be right are replaced by the present, and counted",
    arguments: [
      (0x2000, 0), (0x2000, 4_000_000_000), (0x4000, 5), (0, 5), (0x2000, -7), (0x2000, 1),
    ])
  func stamps(clock: UInt32, seconds: Int) throws {
    try SimulatedCamera().use { camera in
      let tampered = TamperedSystem(camera.system, path: camera.path)
      tampered.after = { call, argument in
        guard call == Call.dequeue else { return }
        argument?.storeBytes(of: clock, toByteOffset: Offset.flags, as: UInt32.self)
        argument?.storeBytes(of: seconds, toByteOffset: Offset.seconds, as: Int.self)
        argument?.storeBytes(of: 0, toByteOffset: Offset.microseconds, as: Int.self)
      }
      let grabber = try TestGrabber(tampered.system, camera.path)
      try grabber.start(options: Self.everyFrame)
      let before = monotonicNow()
      var last = before
      try grabber.look(at: 5) { frame in
        #expect(frame.timestamp >= last && frame.timestamp <= monotonicNow())
        last = frame.timestamp
      }
      #expect(grabber.statistics.measured_rate > 0)
      #expect(grabber.statistics.restamped == 5)
    }
  }

  @Test("A driver that claims more bytes than it has is not believed")
  func overlong() throws {
    try SimulatedCamera().use { camera in
      let tampered = TamperedSystem(camera.system, path: camera.path)
      var index = 0
      tampered.after = { call, argument in
        guard call == Call.dequeue else { return }
        index += 1
        guard index == 2 else { return }
        argument?.storeBytes(of: UInt32.max, toByteOffset: Offset.bytesUsed, as: UInt32.self)
      }
      let grabber = try TestGrabber(tampered.system, camera.path)
      var options = Self.everyFrame
      options.delivers_damaged_frames = 1
      let format = try grabber.start(options: options)
      var damaged: [UInt8] = []
      try grabber.look(at: 3) { frame in
        damaged.append(frame.damaged)
        #expect(frame.counts.0 <= Int(format.size))
      }
      #expect(damaged == [0, 1, 0])
    }
  }

  @Test("Buffers that nobody queued are passed over")
  func unknownBuffers() throws {
    try SimulatedCamera().use { camera in
      let tampered = TamperedSystem(camera.system, path: camera.path)
      var index = 0
      tampered.after = { call, argument in
        guard call == Call.dequeue else { return }
        index += 1
        if index == 2 { argument?.storeBytes(of: 1000, toByteOffset: 0, as: UInt32.self) }
      }
      let grabber = try TestGrabber(tampered.system, camera.path)
      try grabber.start(options: Self.everyFrame)
      try grabber.look(at: 10)
      #expect(grabber.statistics.delivered == 10)
    }
  }

  @Test("Late frames are skipped for the newest, unless every frame counts", arguments: [0, 1])
  func lateFrames(keepsLateFrames: UInt8) throws {
    try SimulatedCamera(fullSpeed: false).use { camera in
      let grabber = try TestGrabber(camera.system, camera.path)
      var options = vf_stream_options()
      options.keeps_late_frames = keepsLateFrames
      try grabber.start(wish(640, 480, every: (1, 60)), options: options)
      // Long enough for all six buffers to fill.
      Thread.sleep(forTimeInterval: 0.5)
      var sequences: [UInt32] = []
      try grabber.look(at: 1) { sequences.append($0.sequence) }
      if keepsLateFrames == 1 {
        #expect(sequences == [0])
        #expect(grabber.statistics.late == 0)
      } else {
        #expect(sequences[0] > 0)
        #expect(grabber.statistics.late == UInt64(sequences[0]))
      }
    }
  }

  @Test("Exported buffers hold the frame")
  func export() throws {
    try SimulatedCamera().use { camera in
      let grabber = try TestGrabber(camera.system, camera.path)
      try grabber.start()
      let frame = try #require(try grabber.next())
      var failure = vf_failure()
      let fd = vf_frame_export(frame, 0, &failure)
      #expect(fd >= 0, "\(words(failure))")
      let count = frame.pointee.counts.0
      let memory = mmap(nil, count, PROT_READ, MAP_SHARED, fd, 0)
      #expect(memcmp(memory!, frame.pointee.planes.0!, count) == 0)
      munmap(memory, count)
      close(fd)
      #expect(vf_frame_export(frame, 1, &failure) == -EINVAL)
      grabber.stop()
      #expect(vf_frame_export(frame, 0, &failure) == -EINVAL)
      vf_frame_release(frame)
    }
  }

  @Test("Listing a driver that never ends does end")
  func endlessDriver() throws {
    try SimulatedCamera().use { camera in
      let tampered = TamperedSystem(camera.system, path: camera.path)
      let grabber = try TestGrabber(tampered.system, camera.path)
      // The index of each question becomes 0: VIDIOC_ENUM_FMT, …_FRAMESIZES and …_FRAMEINTERVALS.
      tampered.before = { call, argument in
        if [.ioctl(2), .ioctl(74), .ioctl(75)].contains(call) {
          argument?.storeBytes(of: 0, toByteOffset: 0, as: UInt32.self)
        }
        return 0
      }
      let modes = try grabber.modes()
      #expect(modes.count == 1)
      // Every control is the first.
      tampered.before = { call, argument in
        if call == .ioctl(103) {
          argument?.storeBytes(of: 0x8000_0000, toByteOffset: 0, as: UInt32.self)
        }
        return 0
      }
      #expect(try grabber.controls().count <= 1)
    }
  }

  private func untilFailure(_ grabber: TestGrabber) throws {
    for _ in 0..<100 { vf_frame_release(try grabber.next(timeout: 1000)) }
  }
}

struct SequenceCase: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var driver: [UInt32], numbers: [UInt32], lost: UInt64

  init(_ name: String, _ driver: [UInt32], _ numbers: [UInt32], lost: UInt64) {
    (testDescription, self.driver, self.numbers, self.lost) = (name, driver, numbers, lost)
  }
}

func monotonicNow() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

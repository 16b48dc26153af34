import CViewfinder
import Foundation
import Testing

@Suite("Grabber", .serialized) struct GrabberTests {
  @Test("Opening needs no stream and lists formats and controls", arguments: TestCamera.all)
  func opening(camera: TestCamera) throws {
    try camera.use { system, path in
      let owner = try TestGrabber(system, path)
      try owner.start()
      let visitor = try TestGrabber(system, path)
      let modes = try visitor.modes()
      #expect(modes.contains { text($0.fourcc) == "YUYV" && $0.min_width == 640 })
      #expect(modes.allSatisfy { $0.min_width > 0 && $0.min_width <= $0.max_width })
      #expect(modes.allSatisfy { !text($0.description).isEmpty })
      let controls = try visitor.controls()
      #expect(controls.contains { text($0.identifier) == "brightness" })
      #expect(controls.allSatisfy { $0.type != 6 && $0.flags & 1 == 0 })
      #expect(Set(controls.map(\.id)).count == controls.count)
      #expect(visitor.statistics.buffer_count == 0)
    }
  }

  @Test(
    "What isn't there or is no camera is refused",
    arguments: [
      ("/dev/video-none", ENOENT), ("/dev/null", ENOTTY), ("/", EISDIR),
    ])
  func refused(path: String, code: Int32) {
    #expect(throws: Failed(code: code)) { try TestGrabber(TestCamera.linux, path) }
  }

  @Test("Format and interval are set, then read back", arguments: TestCamera.all)
  func negotiation(camera: TestCamera) throws {
    try camera.use { system, path in
      let grabber = try TestGrabber(system, path)
      let rows = try grabber.modes().filter {
        text($0.fourcc) == "YUYV" && $0.min_width == 640 && $0.max_width == 640
          && $0.min_height == 480 && $0.min_interval.denominator != 0
      }
      #expect(!rows.isEmpty)
      for row in rows {
        let interval = (Int(row.min_interval.numerator), Int(row.min_interval.denominator))
        let granted = try grabber.startExactly(
          wish(640, 480, every: interval, fourcc: row.fourcc))
        #expect(text(granted.fourcc) == "YUYV")
        #expect(granted.width == 640 && granted.height == 480)
        #expect(granted.stride >= 1280 && granted.size >= 480 * granted.stride)
        #expect(
          granted.interval.numerator * row.min_interval.denominator
            == granted.interval.denominator * row.min_interval.numerator)
        grabber.stop()
      }
      let huge = try grabber.startExactly(wish(60_000, 60_000, fourcc: fourcc("YUYV")))
      #expect(huge.width < 60_000 && huge.height < 60_000)
    }
  }

  @Test("Frames flow with increasing numbers and times", arguments: TestCamera.all)
  func flow(camera: TestCamera) throws {
    try camera.use { system, path in
      let grabber = try TestGrabber(system, path)
      let format = try grabber.start()
      var sequences: [UInt32] = [], times: [Int64] = [], wallTimes: [Int64] = []
      try grabber.look(at: 20) { frame in
        sequences.append(frame.sequence)
        times.append(frame.timestamp)
        wallTimes.append(frame.wall_time)
        #expect(frame.plane_count == 1 && frame.damaged == 0)
        #expect(frame.counts.0 >= Int(format.stride * format.height))
        #expect(frame.counts.0 <= Int(format.size))
      }
      #expect(zip(sequences, sequences.dropFirst()).allSatisfy(<))
      #expect(zip(times, times.dropFirst()).allSatisfy(<))
      #expect(abs(Double(wallTimes[0]) / 1e9 - Date().timeIntervalSince1970) < 3600)
      let statistics = grabber.statistics
      #expect(statistics.delivered == 20 && statistics.lent == 0 && statistics.corrupt == 0)
      #expect(statistics.measured_rate > 0)
      #expect(UInt64(sequences[19]) <= 19 + statistics.lost + statistics.late + statistics.starved)
    }
  }

  @Test("A compressed frame is as long as the camera says")
  func compressedLength() throws {
    try SimulatedCamera().use { camera in
      let grabber = try TestGrabber(camera.system, camera.path)
      let format = try grabber.start(wish(1280, 720, fourcc: fourcc("MJPG")))
      #expect(format.stride == 0)
      try grabber.look(at: 5) { frame in
        #expect(frame.counts.0 > 1000 && frame.counts.0 < Int(format.size))
        let bytes = UnsafeBufferPointer(start: frame.planes.0, count: frame.counts.0)
        #expect(bytes.prefix(2).elementsEqual([0xff, 0xd8]))
      }
    }
  }

  @Test("Frames come back in any order and from any thread", arguments: TestCamera.all)
  func returns(camera: TestCamera) throws {
    try camera.use { system, path in
      let grabber = try TestGrabber(system, path)
      try grabber.start()
      for round in 0..<4 {
        var frames: [UnsafeMutablePointer<vf_frame>] = []
        for _ in 0..<4 { frames.append(try #require(try grabber.next())) }
        #expect(grabber.statistics.lent == 4)
        if round % 2 == 0 { frames.reverse() }
        nonisolated(unsafe) let lent = frames
        DispatchQueue.concurrentPerform(iterations: lent.count) { index in
          vf_frame_release(vf_frame_retain(lent[index]))
          vf_frame_release(lent[index])
        }
        #expect(grabber.statistics.lent == 0)
      }
      #expect(grabber.statistics.delivered == 16)
    }
  }

  @Test("Lending everything doesn't stop the stream", arguments: TestCamera.all)
  func lendingAll(camera: TestCamera) throws {
    try camera.use { system, path in
      let grabber = try TestGrabber(system, path)
      var options = vf_stream_options()
      (options.buffer_count, options.reserve) = (6, 2)
      try grabber.start(options: options)
      let count = grabber.statistics.buffer_count
      #expect(count >= 3)
      var frames: [UnsafeMutablePointer<vf_frame>] = []
      while let frame = try grabber.next(timeout: frames.count < count - 2 ? 10_000 : 300) {
        frames.append(frame)
        guard frames.count < count else { break }
      }
      #expect(frames.count == count - 2)
      #expect(grabber.statistics.starved > 0)
      #expect(grabber.statistics.lent == count - 2)
      let last = try #require(frames.last).pointee.sequence
      frames.forEach { vf_frame_release($0) }
      try grabber.look(at: 6) { frame in #expect(frame.sequence > last) }
      #expect(grabber.statistics.lent == 0)
    }
  }

  @Test("Past what the driver can spare, copies are lent, and the last as reserved")
  func lendingCopies() throws {
    try TestCamera.simulated.use { system, path in
      let grabber = try TestGrabber(system, path)
      var options = vf_stream_options()
      (options.buffer_count, options.reserve, options.lends_copies) = (6, 2, 1)
      try grabber.start(options: options)
      let frames = try (0..<10).map { _ in try #require(try grabber.next()) }
      #expect(frames.map(\.pointee.reserved) == [0, 0, 0, 0, 0, 0, 0, 0, 1, 1])
      #expect(grabber.statistics.delivered == 8 && grabber.statistics.starved >= 2)
      #expect(Set(frames.map(\.pointee.counts.0)).count == 1)
      #expect(Set(frames.map(\.pointee.sequence)).count == 10)
      #expect(try grabber.next(timeout: 200) == nil)
      // A reserved one that comes back is lent as reserved again.
      vf_frame_release(frames[9])
      let next = try #require(try grabber.next())
      #expect(next.pointee.reserved == 1)
      vf_frame_release(next)
      for frame in frames.dropLast() { vf_frame_release(frame) }
      try grabber.look(at: 6) { frame in #expect(frame.reserved == 0) }
      #expect(grabber.statistics.lent == 0)
    }
  }

  @Test("An interruption returns at once, and once", arguments: TestCamera.all)
  func interruption(camera: TestCamera) throws {
    try camera.use { system, path in
      let grabber = try TestGrabber(system, path)
      try grabber.start()
      vf_grabber_interrupt(grabber.handle)
      vf_grabber_interrupt(grabber.handle)
      #expect(try grabber.next() == nil)
      try grabber.look(at: 2)
      // From another thread, while this one waits: ends only if the interruption arrives.
      let group = DispatchGroup()
      DispatchQueue.global().async(group: group) { [unowned grabber] in
        vf_grabber_interrupt(grabber.handle)
      }
      while let frame = try grabber.next(timeout: -1) { vf_frame_release(frame) }
      group.wait()
      #expect(grabber.statistics.lent == 0)
    }
  }

  @Test("Frames lent out survive a stop, a new stream and the grabber", arguments: TestCamera.all)
  func survival(camera: TestCamera) throws {
    try camera.use { system, path in
      var grabber: TestGrabber? = try TestGrabber(system, path)
      try grabber?.start()
      var frames: [UnsafeMutablePointer<vf_frame>] = []
      for _ in 0..<3 { frames.append(try #require(try grabber?.next())) }
      let sums = frames.map(checksum)
      grabber?.stop()
      #expect(grabber?.statistics.lent == 3)
      #expect(frames.map(checksum) == sums)
      #expect(throws: Failed(code: EINVAL)) { try grabber?.next() }

      try grabber?.start(wish(320, 180))
      #expect(grabber?.statistics.lent == 0)
      try grabber?.look(at: 8)
      #expect(frames.map(checksum) == sums)
      vf_frame_release(frames.removeFirst())
      frames.append(try #require(try grabber?.next()))
      let last = checksum(frames[2])
      grabber = nil
      #expect(frames.map(checksum) == sums.dropFirst() + [last])
      frames.forEach { vf_frame_release($0) }
    }
  }

  @Test("Only one grabber streams at a time", arguments: TestCamera.all)
  func busy(camera: TestCamera) throws {
    try camera.use { system, path in
      let first = try TestGrabber(system, path), second = try TestGrabber(system, path)
      try first.start()
      #expect(throws: Failed(code: EBUSY)) { try second.start() }
      #expect(throws: Failed(code: EBUSY)) { try first.start() }
      try first.look(at: 3)
      first.stop()
      try second.start()
      try second.look(at: 3)
    }
  }

  @Test("Starting and stopping can be repeated", arguments: TestCamera.all)
  func restarts(camera: TestCamera) throws {
    try camera.use { system, path in
      let grabber = try TestGrabber(system, path)
      for size in [(640, 480), (320, 180), (640, 480), (1280, 720)] {
        let granted = try grabber.start(
          wish(size.0, size.1), options: GrabberFaultTests.everyFrame)
        #expect(granted.width >= UInt32(size.0) && granted.height >= UInt32(size.1))
        var sequences: [UInt32] = []
        try grabber.look(at: 2) { sequences.append($0.sequence) }
        #expect(sequences[0] == 0 && sequences[1] > 0)
        grabber.stop()
        grabber.stop()
        #expect(grabber.statistics.delivered == 2)
      }
    }
  }

  @Test(
    "A slow stream takes no more of a camera's memory than its rate needs",
    arguments: [(5, 4), (15, 4), (20, 5), (30, 6)] as [(UInt32, UInt32)])
  func bufferCount(rate: UInt32, count: UInt32) throws {
    try SimulatedCamera().use { camera in
      let grabber = try TestGrabber(camera.system, camera.path)
      var format = wish(640, 480)
      format.interval = vf_interval(numerator: 1, denominator: rate)
      let granted = try grabber.start(format)
      #expect(granted.interval.denominator == rate * granted.interval.numerator)
      #expect(grabber.statistics.buffer_count == count)
    }
  }

  @Test("Nonsense options are refused", arguments: [1, 33, UInt32.max])
  func options(bufferCount: UInt32) throws {
    try SimulatedCamera().use { camera in
      let grabber = try TestGrabber(camera.system, camera.path)
      var options = vf_stream_options()
      options.buffer_count = bufferCount
      #expect(throws: Failed(code: EINVAL)) { try grabber.start(options: options) }
    }
  }

  // MARK: Controls

  @Test("Controls are read, set and read back within their limits", arguments: TestCamera.all)
  func controls(camera: TestCamera) throws {
    try camera.use { system, path in
      let grabber = try TestGrabber(system, path)
      let control = try #require(
        try grabber.controls().first { text($0.identifier) == "brightness" })
      #expect(text(control.name) == "Brightness")
      #expect(control.minimum < control.maximum && control.step == 1)
      for value in [control.minimum, control.maximum, control.default_value] {
        #expect(try grabber.set(control.id, to: value) == value)
        #expect(try grabber.value(of: control.id) == value)
      }
      for value in [control.minimum - 1, control.maximum + 1, .max, .min] {
        #expect(throws: Failed(code: ERANGE)) { try grabber.set(control.id, to: value) }
      }
      #expect(try grabber.value(of: control.id) == control.default_value)
      #expect(throws: Failed(code: EINVAL)) { try grabber.value(of: 0x98_ff00) }
      #expect(throws: Failed(code: EINVAL)) { try grabber.set(0x98_ff00, to: 0) }
    }
  }

  @Test("Menus list the values that can be set", arguments: TestCamera.all)
  func menus(camera: TestCamera) throws {
    try camera.use { system, path in
      let grabber = try TestGrabber(system, path)
      let controls = try grabber.controls()
      let menus = controls.filter { $0.type == 3 || $0.type == 9 }
      #expect(!menus.isEmpty)
      for control in menus {
        let items = try grabber.menu(of: control)
        #expect(items.contains { $0.index == control.value })
        #expect(items.allSatisfy { $0.index >= control.minimum && $0.index <= control.maximum })
        #expect(items.allSatisfy { control.type == 9 || !text($0.name).isEmpty })
      }
      let other = try #require(controls.first { $0.type == 1 })
      #expect(throws: Failed(code: EINVAL)) { try grabber.menu(of: other) }
    }
  }

  @Test("Controls can be used from other threads while frames flow", arguments: TestCamera.all)
  func concurrentControls(camera: TestCamera) throws {
    try camera.use { system, path in
      let grabber = try TestGrabber(system, path)
      try grabber.start()
      let group = DispatchGroup()
      for value in 0..<2 {
        DispatchQueue.global().async(group: group) { [unowned grabber] in
          for _ in 0..<50 {
            _ = try? grabber.set(0x98_0900, to: Int64(value))
            _ = grabber.statistics
          }
        }
      }
      try grabber.look(at: 10)
      grabber.stop()
      try grabber.start()
      try grabber.look(at: 2)
      group.wait()
      #expect(try (0...1).contains(grabber.value(of: 0x98_0900)))
    }
  }
}

func checksum(_ frame: UnsafeMutablePointer<vf_frame>) -> Int {
  let bytes = UnsafeBufferPointer(start: frame.pointee.planes.0, count: frame.pointee.counts.0)
  var sum = 0
  // Every byte would take long in a debug build; each page is touched.
  for index in stride(from: 0, to: bytes.count, by: 61) { sum = sum &* 31 &+ Int(bytes[index]) }
  return sum
}

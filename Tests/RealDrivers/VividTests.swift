import Foundation
import Testing
import Viewfinder

/// The machine has four of vivid's devices: two webcams (the second with a multi-planar node), an
/// HDMI socket, and one with every kind of node that vivid can make.
@Suite("vivid", .serialized, .enabled(if: Driver.vivid.isHere, Driver.comment))
struct VividTests {
  static let size = Dimensions(width: 640, height: 480)

  private let devices = Driver.vivid.devices
  private var webcam: CaptureDevice { devices[0] }
  private var hdmi: CaptureDevice { devices[2] }

  init() throws { try #require(devices.count == 4) }

  // MARK: Devices

  @Test("Only nodes that capture video are cameras") func discovery() throws {
    let paths = Set(devices.map(\.path))
    let others = try FileManager.default.contentsOfDirectory(atPath: "/dev")
      .filter { $0.hasPrefix("video") && !paths.contains("/dev/\($0)") }
    #expect(!others.isEmpty, "The fourth device has nodes of all kinds.")
    for node in others {
      let error = #expect(throws: CaptureError.self) {
        _ = try CaptureDevice.named("/dev/\(node)")
      }
      guard case .notACamera = error else {
        Issue.record("\(node): \(String(describing: error))")
        continue
      }
    }
    #expect(Set(devices.map(\.uniqueID)).count == 4)
  }

  @Test(
    "Every layout that both sides know shows the kernel's own colour bars", arguments: [0, 1])
  func colourBars(index: Int) async throws {
    let device = devices[index]
    try device.configure { device throws(CaptureError) in
      // 100 % colour bars without text.
      try device.setControl("test_pattern", to: 1)
      try device.setControl("osd_text_mode", to: 2)
    }
    let known: [PixelFormat] = [
      .yuyv, .uyvy, .nv12, .nv21, .i420, .yv12, .rgb24, .bgr24, .rgba32, .bgra32, .grey,
    ]
    let offered = Set(device.formats.map(\.pixelFormat))
    let layouts = known.filter(offered.contains)
    #expect(layouts.count >= 8, "\(layouts)")
    for layout in layouts {
      let run = try await CameraRun(device, layout, Self.size)
      try await run.waitForFrames(1)
      _ = await run.stop()
      let frame = try #require(run.frames.all.first)
      try expectBars(frame, isGrey: layout == .grey)
    }
    print("\(device.path): \(layouts.count) layouts: \(layouts)")
  }

  private static let bars: [[Double]] = [
    [255, 255, 255], [255, 255, 0], [0, 255, 255], [0, 255, 0], [255, 0, 255], [255, 0, 0],
    [0, 0, 255], [0, 0, 0],
  ]

  private func expectBars(_ frame: FrameLog.Frame, isGrey: Bool) throws {
    let picture = try PixelBuffer(
      pixelFormat: frame.format.pixelFormat, dimensions: frame.format.dimensions, data: frame.data)
    let rgb = try picture.converted(to: .rgb24)
    let stride = rgb.bytesPerRow()
    for (index, bar) in Self.bars.enumerated() {
      let x = (2 * index + 1) * Self.size.width / 16
      let start = Self.size.height / 2 * stride + 3 * x
      let seen = rgb.withBytes { bytes in
        (0..<3).map { unsafe Double(bytes.unsafeLoad(fromByteOffset: start + $0, as: UInt8.self)) }
      }
      // vivid's grey is BT.709's luma.
      let luma = 0.2126 * bar[0] + 0.7152 * bar[1] + 0.0722 * bar[2]
      let wanted = isGrey ? [luma, luma, luma] : bar
      let distance = zip(seen, wanted).map { abs($0 - $1) }.max() ?? 0
      #expect(distance <= 24, "\(frame.format.pixelFormat), bar \(index): \(seen), not \(wanted)")
    }
  }

  @Test("Frame intervals are granted, and kept") func intervals() async throws {
    let format = try #require(
      webcam.formats.first { $0.pixelFormat == .yuyv && $0.dimensions == Self.size })
    let durations = Set(format.videoSupportedFrameRateRanges.map(\.minFrameDuration))
    for duration in durations.filter({ 5...15 ~= $0.frameRate }) {
      let run = try await CameraRun(webcam, .yuyv, Self.size, duration: duration)
      #expect(run.session.activeVideoFormat?.frameInterval == duration)
      try await run.waitForFrames(8)
      _ = await run.stop()
      let frames = run.frames.all
      let steps = zip(frames, frames.dropFirst())
        .map { ($1.timestamp - $0.timestamp) / .seconds(1) / Double($1.sequence - $0.sequence) }
      let median = steps.sorted()[steps.count / 2]
      #expect(median > 0.7 * duration.seconds && median < 1.4 * duration.seconds)
      print("\(duration.frameRate) frames/s: \(1 / median) measured")
    }
  }

  @Test(
    "Controls of every type are set and read back, and refused out of range",
    arguments: [
      ("brightness", Int64(77)), ("boolean", 0), ("integer_32_bits", -123_456),
      ("integer_64_bits", 1 << 40), ("menu", 4), ("integer_menu", 5), ("bitmask", 0x8000_2000),
    ])
  func controls(name: String, value: Int64) throws {
    let control = try #require(try webcam.control(named: name))
    try webcam.configure { device throws(CaptureError) in
      #expect(try device.setControl(name, to: value) == value)
      #expect(try device.control(named: name)?.value == value)
      try device.setControl(name, to: control.defaultValue)
    }
    #expect(try webcam.control(named: name)?.value == control.defaultValue)
  }

  @Test("What a control doesn't take is refused by name") func refusals() throws {
    try press("button")
    let error = #expect(throws: CaptureError.self) {
      try set("menu", 99)
    }
    #expect(error?.description.contains("menu") == true)
    #expect(throws: CaptureError.self) {
      try set("read_only_integer_32_bits", 1)
    }
  }

  // MARK: Holders

  @Test("A second session on a device is told that the first has it") func ownHolder() async throws
  {
    let run = try await CameraRun(webcam, .yuyv, Self.size)
    let error = await #expect(throws: CaptureError.self) {
      _ = try await CameraRun(webcam, .yuyv, Self.size)
    }
    #expect(error?.description.contains("another session of this program") == true)
    try await run.waitForFrames(2)
    _ = await run.stop()
  }

  @Test("Another program that streams is named") func otherHolder() async throws {
    let other = try Program("v4l2-ctl", "-d", webcam.path, "--stream-mmap")
    defer { other.end() }
    try await Task.sleep(for: .seconds(1))
    let error = await #expect(throws: CaptureError.self) {
      _ = try await CameraRun(webcam, .yuyv, Self.size)
    }
    guard case .deviceInUse(_, let holders) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(holders.contains { $0.name == "v4l2-ctl" && $0.processID == other.processID })
  }

  // MARK: Injected errors

  @Test("A flagged frame is withheld and counted, and the stream goes on") func flagged()
    async throws
  {
    let run = try await CameraRun(webcam, .yuyv, Self.size)
    try await run.waitForFrames(2)
    try press("inject_v4l2_buf_flag_error")
    #expect(await eventually(seconds: 10) { run.session.statistics.corruptFrames == 1 })
    try await run.waitForFrames(3)
    #expect(!run.session.isInterrupted)
    _ = await run.stop()
  }

  @Test("A buffer that the driver refuses doesn't stop the stream") func refusedBuffer()
    async throws
  {
    let run = try await CameraRun(webcam, .yuyv, Self.size)
    try await run.waitForFrames(2)
    try press("inject_vidioc_qbuf_error")
    try await run.waitForFrames(20)
    #expect(!run.session.isInterrupted)
    _ = await run.stop()
  }

  @Test(
    "A start that the driver refuses says which call failed, and the next one works",
    arguments: ["inject_vidioc_streamon_error", "inject_vidioc_reqbufs_error"])
  func refusedStart(control: String) async throws {
    try press(control)
    let error = await #expect(throws: CaptureError.self) {
      _ = try await CameraRun(webcam, .yuyv, Self.size)
    }
    #expect(error?.description.contains("VIDIOC_") == true)
    let run = try await CameraRun(webcam, .yuyv, Self.size)
    try await run.waitForFrames(2)
    _ = await run.stop()
  }

  @Test("A stream that breaks is started anew") func fatalError() async throws {
    let run = try await CameraRun(webcam, .yuyv, Self.size)
    try await run.waitForFrames(2)
    let events = run.session.events
    try press("inject_fatal_streaming_error")
    try await expectInterruption(events) { if case .system = $0 { true } else { false } }
    try await run.waitForFrames(3)
    _ = await run.stop()
  }

  @Test("Dropped frames are counted as lost") func droppedFrames() async throws {
    let run = try await CameraRun(webcam, .yuyv, Self.size)
    try set("percentage_of_dropped_buffers", 30)
    defer { try? set("percentage_of_dropped_buffers", 0) }
    try await run.waitForFrames(30)
    let counts = await run.stop()
    let frames = run.frames.all
    let gaps = (frames.last?.sequence ?? 0) - (frames.first?.sequence ?? 0) + 1 - frames.count
    #expect(counts.lostFrames >= 3)
    #expect(gaps <= counts.lostFrames + counts.lateFrames + run.video.droppedFrameCount)
  }

  @Test("Sequence numbers that wrap are no loss") func wrap() async throws {
    try set("wrap_sequence_number", 1)
    defer { try? set("wrap_sequence_number", 0) }
    let run = try await CameraRun(webcam, .yuyv, Dimensions(width: 320, height: 180))
    // The numbers begin at 0xffffff80.
    try await run.waitForFrames(150)
    let counts = await run.stop()
    #expect(counts.lostFrames < 30, "\(counts)")
    let numbers = run.frames.all.map(\.sequence)
    #expect(numbers == numbers.sorted() && numbers.last! < 400)
  }

  // MARK: Coming and going

  @Test("A device that drops off interrupts the session, which goes on when it is back")
  func disconnect() async throws {
    let run = try await CameraRun(webcam, .yuyv, Self.size)
    try await run.waitForFrames(2)
    let events = run.session.events
    try press("disconnect")
    try await expectInterruption(events) { if case .disconnected = $0 { true } else { false } }
    try await run.waitForFrames(3)
    _ = await run.stop()
  }

  @Test("A node that vanishes and returns is told of, and the session goes on with its controls")
  func unbind() async throws {
    try set("contrast", 99)
    let run = try await CameraRun(webcam, .yuyv, Self.size)
    try await run.waitForFrames(2)
    let (events, changes) = (run.session.events, CaptureDevice.changes)
    let driver = "/sys/bus/platform/drivers/vivid"
    try Data("vivid.0".utf8).write(to: URL(fileURLWithPath: "\(driver)/unbind"))
    #expect(await eventually(seconds: 10) { run.session.isInterrupted })
    await #expect(throws: CaptureError.self) {
      try await run.photo.capturePhoto(with: CapturePhotoSettings())
    }
    try Data("vivid.0".utf8).write(to: URL(fileURLWithPath: "\(driver)/bind"))
    try await expectInterruption(events) { if case .disconnected = $0 { true } else { false } }
    try await run.waitForFrames(3)
    #expect(try run.device.control(named: "contrast")?.value == 99)
    _ = await run.stop()
    let told = await collect(changes, 2)
    guard case .disconnected(let gone) = told.first, case .connected(let back) = told.last else {
      Issue.record("\(told)")
      return
    }
    #expect(gone == run.device && back == run.device)
  }

  @Test("A lost signal interrupts the session until it is back") func noSignal() async throws {
    let run = try await CameraRun(hdmi, .yuyv)
    try await run.waitForFrames(2)
    let events = run.session.events
    try set("dv_timings_signal_mode", 1, on: hdmi)
    #expect(await eventually(seconds: 10) { run.session.isInterrupted })
    try set("dv_timings_signal_mode", 0, on: hdmi)
    try await expectInterruption(events) { reason in
      switch reason {
      case .sourceChanged, .noSignal: true
      default: false
      }
    }
    try await run.waitForFrames(2)
    _ = await run.stop()
    try set("dv_timings_signal_mode", 1, on: hdmi)
    defer { try? set("dv_timings_signal_mode", 0, on: hdmi) }
    await #expect(throws: CaptureError.noSignal(device: hdmi.localizedName)) {
      _ = try await CameraRun(hdmi, .yuyv)
    }
  }

  @Test("A source that changes its size is taken up in the new one") func sourceChange()
    async throws
  {
    let run = try await CameraRun(hdmi, .yuyv)
    try await run.waitForFrames(2)
    let before = run.session.activeVideoFormat?.dimensions
    let events = run.session.events
    // Other timings than the present ones, then the signal that has them.
    let menu = try #require(try hdmi.control(named: "dv_timings"))
    try set("dv_timings", menu.value == 4 ? 5 : 4, on: hdmi)
    try set("dv_timings_signal_mode", 4, on: hdmi)
    defer { try? set("dv_timings_signal_mode", 0, on: hdmi) }
    try await expectInterruption(events) { if case .sourceChanged = $0 { true } else { false } }
    try await run.waitForFrames(2)
    #expect(run.session.activeVideoFormat?.dimensions != before)
    _ = await run.stop()
  }

  // MARK: Helpers

  private func set(_ control: String, _ value: Int64, on device: CaptureDevice? = nil) throws {
    try (device ?? webcam).configure { device throws(CaptureError) in
      _ = try device.setControl(control, to: value)
    }
  }

  private func press(_ button: String) throws { try set(button, 1) }

  /// Waits for an interruption whose reason `isExpected`, and for its end.
  private func expectInterruption(
    _ events: AsyncStream<CaptureSession.Event>, _ isExpected: (CaptureError) -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let told = await collect(events, 2)
    guard told.count == 2, case .wasInterrupted(let reason) = told[0], isExpected(reason),
      case .interruptionEnded = told[1]
    else {
      Issue.record("The session told \(told)", sourceLocation: sourceLocation)
      return
    }
  }
}

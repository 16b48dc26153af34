import Foundation
import Testing

@testable import Viewfinder

/// Keeps all frames that it gets.
private final class Hoarder: CaptureVideoDataOutputSampleBufferDelegate {
  private let frames = Mutex<[VideoFrame]>([])

  var count: Int { frames.withLock { $0.count } }

  func letGo() { frames.withLock { $0 = [] } }

  func captureOutput(
    _ output: CaptureOutput, didOutput frame: VideoFrame, from connection: CaptureConnection
  ) {
    frames.withLock { $0.append(frame) }
  }
}

/// What is set on a session that runs acts at once, or is refused while frames go on.
@Suite struct RunningSessionTests {
  @Test func aFormatSetOnTheDeviceActsAtOnce() async throws {
    let rig = try Rig()
    try await rig.start()
    let events = rig.session.events
    try rig.choose(.yuyv, .qvga)
    let format = await firstChange(events)
    #expect(format?.dimensions == .qvga)
    #expect(format?.pixelFormat == .yuyv)
    #expect(rig.session.isRunning && !rig.session.isInterrupted)
  }

  @Test func aFrameDurationSetOnTheDeviceActsAtOnce() async throws {
    let rig = try Rig()
    try await rig.start()
    let before = try #require(rig.session.activeVideoFormat?.frameInterval?.frameRate)
    let events = rig.session.events
    let slow = FrameInterval(numerator: 1, denominator: 15)
    try rig.device.configure { device throws(CaptureError) in
      try device.setActiveVideoMinFrameDuration(slow)
    }
    #expect(before > 15)
    #expect(await firstChange(events)?.frameInterval == slow)
  }

  @Test func whatIsSetBetweenBeginAndCommitWaitsForTheCommit() async throws {
    let rig = try Rig()
    try await rig.start()
    rig.session.beginConfiguration()
    try rig.choose(.yuyv, .qvga)
    try rig.session.setSessionPreset(.hd1280x720)
    #expect(rig.session.activeVideoFormat?.dimensions == .vga)
    let events = rig.session.events
    rig.session.commitConfiguration()
    #expect(await firstChange(events)?.dimensions == Dimensions(width: 1280, height: 720))
  }

  @Test func theShortestAndTheLongestDurationAreApartAndNeverCross() throws {
    let device = try SimulatedCamera().device
    let (fast, slow) = (
      FrameInterval(numerator: 1, denominator: 30), FrameInterval(numerator: 1, denominator: 15)
    )
    try device.lockForConfiguration()
    try device.setActiveVideoMaxFrameDuration(fast)
    #expect(device.activeVideoMinFrameDuration == nil)
    try device.setActiveVideoMinFrameDuration(slow)
    #expect(device.activeVideoMinFrameDuration == slow)
    #expect(device.activeVideoMaxFrameDuration == slow)
    try device.setActiveVideoMaxFrameDuration(fast)
    #expect(device.activeVideoMinFrameDuration == fast)
    try device.setActiveVideoFrameDuration(nil)
    #expect(device.activeVideoMinFrameDuration == nil)
    #expect(device.activeVideoMaxFrameDuration == nil)
  }

  @Test func aRateIsCheckedWhileAPresetDecides() async throws {
    let rig = try Rig()
    try await rig.start()
    let granted = rig.session.activeVideoFormat
    try rig.device.lockForConfiguration()
    #expect {
      try rig.device.setActiveVideoMinFrameDuration(FrameInterval(numerator: 1, denominator: 1000))
    } throws: { error in
      guard case .valueOutOfRange("frame rate", "1000", let accepted)? = error as? CaptureError
      else { return false }
      return accepted.contains("30")
    }
    #expect(rig.device.activeVideoMinFrameDuration == nil)
    #expect(rig.session.activeVideoFormat == granted)
  }

  @Test(arguments: [.cif352x288, CaptureSession.Preset(rawValue: "nonsense")])
  func aPresetThatTheCameraLacksIsRefusedAndFramesGoOn(preset: CaptureSession.Preset) async throws {
    let rig = try Rig()
    try await rig.start()
    let events = Log<CaptureSession.Event>()
    let stream = rig.session.events
    let follower = Task { for await event in stream { events.append(event) } }
    defer { follower.cancel() }
    #expect(!rig.session.canSetSessionPreset(preset))
    #expect {
      try rig.session.setSessionPreset(preset)
    } throws: { error in
      switch error as? CaptureError {
      case .unsupportedFormat(_, "352x288", _): preset == .cif352x288
      case .invalidSettings(let reason): reason.contains("nonsense")
      default: false
      }
    }
    #expect(rig.session.sessionPreset == .low)
    let count = rig.session.statistics.deliveredFrames
    #expect(await eventually { rig.session.statistics.deliveredFrames > count + 2 })
    #expect(events.all.isEmpty)
  }

  @Test func aProgramThatHoldsAllFramesIsToldAndPhotosStillCome() async throws {
    let rig = try Rig(limits: Rig.patience.soonStalled)
    let (video, photos) = (CaptureVideoDataOutput(), CapturePhotoOutput())
    let hoarder = Hoarder()
    video.setSampleBufferDelegate(hoarder, queue: nil)
    let events = Log<CaptureSession.Event>()
    let stream = rig.session.events
    let follower = Task { for await event in stream { events.append(event) } }
    defer { follower.cancel() }
    try await rig.start(video, photos)
    #expect(await eventually { events.all.count == 2 })
    guard case .framesAreHeld(let count)? = events.all.last else {
      Issue.record("\(events.all)")
      return
    }
    #expect(count >= hoarder.count && hoarder.count >= 4)
    for _ in 0..<3 { _ = try await photos.capturePhoto(with: CapturePhotoSettings()) }
    let starved = rig.session.statistics.starvedFrames
    // Twice as long as a stall would be.
    #expect(await eventually { rig.session.statistics.starvedFrames > starved + 60 })
    let held = hoarder.count
    #expect(events.all.count == 2 && !rig.session.isInterrupted)
    hoarder.letGo()
    #expect(await eventually { hoarder.count > 2 })
    #expect(held <= 8)
  }

  @Test func aSessionWhoseInputIsRemovedIsInterruptedUntilItHasAnother() async throws {
    let rig = try Rig()
    let output = CapturePhotoOutput()
    try await rig.start(output)
    let events = rig.session.events
    rig.session.removeInput(rig.session.inputs[0])
    guard case .wasInterrupted(.invalidSettings)? = await firstEvent(events, { $0 }) else {
      Issue.record("It wasn't told.")
      return
    }
    #expect(rig.session.isRunning && rig.session.isInterrupted)
    let other = try SimulatedCamera()
    let back = rig.session.events
    try rig.session.addInput(CaptureDeviceInput(device: other.device))
    guard case .interruptionEnded? = await firstEvent(back, { $0 }) else {
      Issue.record("The end wasn't told.")
      return
    }
    _ = try await output.capturePhoto(with: CapturePhotoSettings())
  }

  @Test func ofTwoThreadsThatAddAnInputOneWins() async throws {
    for _ in 0..<200 {
      let session = CaptureSession()
      let cameras = [try SimulatedCamera(), try SimulatedCamera()]
      let inputs = try cameras.map { try CaptureDeviceInput(device: $0.device) }
      let output = CaptureVideoDataOutput()
      let wins = await withTaskGroup(of: (Int, Int).self) { group in
        for input in inputs {
          group.addTask {
            let hasInput = (try? session.addInput(input)) != nil
            let hasOutput = (try? session.addOutput(output)) != nil
            return (hasInput ? 1 : 0, hasOutput ? 1 : 0)
          }
        }
        return await group.reduce(into: (0, 0)) { $0 = ($0.0 + $1.0, $0.1 + $1.1) }
      }
      #expect(wins == (1, 1))
      #expect(session.inputs.count == 1 && session.outputs.count == 1)
      #expect(output.connections.first?.input === session.inputs.first)
    }
  }

  @Test func rotationActsOnTheNextFrame() async throws {
    let rig = try Rig()
    let output = CaptureVideoDataOutput()
    try await rig.start(output)
    var frames = output.frames.makeAsyncIterator()
    #expect(await frames.next()?.format.dimensions == .vga)
    output.connections[0].videoRotationAngle = 90
    // One may have come before.
    _ = await frames.next()
    _ = await frames.next()
    #expect(await frames.next()?.format.dimensions == Dimensions(width: 480, height: 640))
  }

  private func firstChange(_ events: AsyncStream<CaptureSession.Event>) async -> VideoFormat? {
    await firstEvent(events) { if case .didChangeFormat(let format) = $0 { format } else { nil } }
  }
}

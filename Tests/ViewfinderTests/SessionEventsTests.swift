import FaultInjection
import Foundation
import Testing

@testable import Viewfinder

/// The table of the documentation's *What a session tells, and when*, row by row.
@Suite struct SessionEventsTests {
  enum Row: CaseIterable {
    case start, failingStart, startThatTakesTooLong
    case stoppedStart, cancelledStart, startWhoseInputIsRemoved
    case unplugging, stall, stillInAnotherSize, unpluggingDuringTheStill
    case anotherFormat, anotherRate, anotherCamera, refusedFormat, cameraThatCannotStart
    case removedInput, heldFrames

    /// What the readers of `events` see; the session is stopped in the end.
    var events: [String] {
      switch self {
      case .start: ["didStartRunning", "didStopRunning"]
      case .failingStart, .startThatTakesTooLong: ["runtimeError", "didStopRunning"]
      case .stoppedStart, .cancelledStart, .startWhoseInputIsRemoved: ["didStopRunning"]
      case .unplugging, .stall, .stillInAnotherSize, .refusedFormat:
        ["didStartRunning", "wasInterrupted", "interruptionEnded", "didStopRunning"]
      case .unpluggingDuringTheStill:
        [
          "didStartRunning", "wasInterrupted", "wasInterrupted", "interruptionEnded",
          "didStopRunning",
        ]
      case .anotherFormat, .anotherRate, .anotherCamera:
        ["didStartRunning", "didChangeFormat", "didStopRunning"]
      case .cameraThatCannotStart: ["didStartRunning", "runtimeError", "didStopRunning"]
      case .removedInput: ["didStartRunning", "wasInterrupted", "didStopRunning"]
      case .heldFrames: ["didStartRunning", "framesAreHeld", "didStopRunning"]
      }
    }

    /// What an output sees.
    var calls: [String] {
      switch self {
      case .start, .heldFrames, .cameraThatCannotStart: ["start", "frames", "stop"]
      case .failingStart, .startThatTakesTooLong, .stoppedStart, .cancelledStart,
        .startWhoseInputIsRemoved:
        ["stop"]
      case .unplugging, .stall, .unpluggingDuringTheStill, .refusedFormat:
        ["start", "frames", "interrupted", "start", "frames", "stop"]
      case .stillInAnotherSize, .anotherFormat, .anotherRate, .anotherCamera:
        ["start", "frames", "start", "frames", "stop"]
      case .removedInput: ["start", "frames", "interrupted", "stop"]
      }
    }

    /// Whether a photo that waits for its self-timer ends with it; a stop ends it at the latest.
    var endsWaitingPhoto: Bool {
      switch self {
      case .unplugging, .stall, .unpluggingDuringTheStill, .refusedFormat, .cameraThatCannotStart,
        .removedInput:
        true
      default: false
      }
    }

    /// Whether the driver hangs in the start.
    var hangsInStart: Bool {
      [.startThatTakesTooLong, .stoppedStart, .cancelledStart, .startWhoseInputIsRemoved]
        .contains(self)
    }
  }

  @Test(arguments: Row.allCases)
  func eachIsToldOnceAndInOneOrder(row: Row) async throws {
    var limits = row == .stall ? TamperedRig.limits.soonStalled : TamperedRig.limits
    if row == .startThatTakesTooLong { limits.start = 1 }
    limits.abandonedStart = 0.01
    let rig = try TamperedRig(limits: limits)
    let isHanging = Shared(row.hangsInStart)
    defer { isHanging.value = false }
    let hangs = rig.hang(in: .streamOn, while: isHanging)
    let session = rig.session
    let (recorder, photos) = (Recorder(), CapturePhotoOutput())
    let events = Log<CaptureSession.Event>()
    let follower = rig.follow(events)
    defer { follower.cancel() }
    try rig.connect(recorder, photos)
    if row == .failingStart { rig.camera.unplug() }

    let start = Task { try await session.startRunning() }
    switch row {
    case .stoppedStart, .cancelledStart, .startWhoseInputIsRemoved:
      #expect(await eventually { hangs.value > 0 })
      if row == .stoppedStart { await session.stopRunning() }
      if row == .cancelledStart { start.cancel() }
      if row == .startWhoseInputIsRemoved { session.removeInput(session.inputs[0]) }
    default: break
    }
    try? await start.value

    var others: [SimulatedCamera] = []
    if row.calls.count > 1 {
      // The first frame has come, and is on its way to the outputs.
      #expect(await eventually { recorder.calls.all.starts(with: ["start", "frames"]) })
      let waiting = row == .stillInAnotherSize ? nil : try photos.waitForSelfTimer()
      try await happen(row, rig, recorder, photos, &others)
      #expect(
        await eventually { recorder.calls.all == row.calls.dropLast() || !session.isRunning })
      if let waiting {
        #expect(await eventually { waiting.isOver == row.endsWaitingPhoto })
      }
      #expect(await eventually { events.all.count >= row.events.count - 1 })
      await session.stopRunning()
      if let waiting { #expect(await eventually { waiting.isOver }) }
    }
    #expect(await eventually { events.all.count >= row.events.count })
    #expect(events.all.map(\.name) == row.events)
    #expect(recorder.calls.all == row.calls)
    withExtendedLifetime(others) {}
  }

  private func happen(
    _ row: Row, _ rig: borrowing TamperedRig, _ recorder: Recorder, _ photos: CapturePhotoOutput,
    _ others: inout [SimulatedCamera]
  ) async throws {
    let session = rig.session
    let large = CapturePhotoSettings.make {
      $0.maxPhotoDimensions = Dimensions(width: 800, height: 600)
    }
    switch row {
    case .unplugging:
      rig.camera.unplug()
      #expect(await eventually { session.isInterrupted })
      rig.camera.plugIn()
    case .stillInAnotherSize:
      _ = try await photos.capturePhoto(with: large)
    case .unpluggingDuringTheStill:
      // The stream in the large size is the next one.
      try rig.camera.inject("unplug@0:0.2")
      await #expect(throws: CaptureError.disconnected(device: rig.device.localizedName)) {
        try await photos.capturePhoto(with: large)
      }
    case .anotherFormat:
      try session.setSessionPreset(.hd1280x720)
    case .anotherRate:
      try rig.device.configure { device throws(CaptureError) in
        try device.setActiveVideoMinFrameDuration(FrameInterval(numerator: 1, denominator: 15))
      }
    case .anotherCamera, .cameraThatCannotStart:
      let camera = try SimulatedCamera()
      others.append(camera)
      try? session.configure {
        session.removeInput(session.inputs[0])
        try session.addInput(CaptureDeviceInput(device: camera.device))
        if row == .cameraThatCannotStart { camera.unplug() }
      }
    case .refusedFormat:
      let size = Shared(0)
      rig.onImageSize { size.value = $0 }
      rig.onCall { call in call == .streamOn && size.value > 640 * 480 * 2 ? ENOSPC : 0 }
      try session.setSessionPreset(.hd1280x720)
    case .removedInput:
      session.removeInput(session.inputs[0])
    case .heldFrames:
      recorder.keepsFrames.value = true
      #expect(await eventually { recorder.frames.all.count >= 4 })
    case .stall: try rig.camera.inject("stall@\(recorder.newest.value + 15):60")
    case .start, .failingStart, .startThatTakesTooLong, .stoppedStart, .cancelledStart,
      .startWhoseInputIsRemoved:
      break
    }
  }
}

/// Notes what the session tells an output; of frames that they come.
private final class Recorder: CaptureOutput, @unchecked Sendable {
  let calls = Log<String>()
  let keepsFrames = Shared(false)
  let frames = Log<VideoFrame>()
  /// The newest frame's number.
  let newest = Shared(0)

  override func streamDidStart(_ format: VideoFormat) { calls.append("start") }

  override func consume(_ frame: VideoFrame, from connection: CaptureConnection) {
    if calls.all.last == "start" { calls.append("frames") }
    newest.value = frame.sequenceNumber
    if keepsFrames.value { frames.append(frame) }
  }

  override func streamWasInterrupted(_ reason: CaptureError) { calls.append("interrupted") }

  override func sessionDidStop() { calls.append("stop") }
}

/// A photo that waits.
private final class WaitingPhoto: CapturePhotoCaptureDelegate {
  private let error = Shared<CaptureError?>(nil)

  var isOver: Bool { error.value != nil }

  func photoOutput(
    _ output: CapturePhotoOutput,
    didFinishCaptureFor resolvedSettings: CaptureResolvedPhotoSettings, error: CaptureError?
  ) {
    self.error.value = error
  }
}

extension CapturePhotoOutput {
  /// Takes a photo that waits for longer than any test.
  fileprivate func waitForSelfTimer() throws -> WaitingPhoto {
    let delegate = WaitingPhoto()
    capturePhoto(with: .make { $0.selfTimer = .delay(.seconds(3600)) }, delegate: delegate)
    return delegate
  }
}

extension CaptureSession.Event {
  /// The case's name.
  fileprivate var name: String {
    switch self {
    case .didStartRunning: "didStartRunning"
    case .didStopRunning: "didStopRunning"
    case .runtimeError: "runtimeError"
    case .wasInterrupted: "wasInterrupted"
    case .interruptionEnded: "interruptionEnded"
    case .didChangeFormat: "didChangeFormat"
    case .framesAreHeld: "framesAreHeld"
    }
  }
}

import Foundation
import Testing

@testable import Viewfinder

/// The table of the documentation's *What a session tells, and when*.
@Suite struct SessionEventsTests {
  enum Row: CaseIterable {
    case startAndStop, failingStart, unplugging, changingTheFormat, stillInAnotherSize
    case removingTheInput, anotherCamera

    /// What the readers of `events` see.
    var events: [String] {
      switch self {
      case .startAndStop: ["didStartRunning", "didStopRunning"]
      case .failingStart: ["runtimeError", "didStopRunning"]
      case .unplugging, .stillInAnotherSize:
        ["didStartRunning", "wasInterrupted", "interruptionEnded", "didStopRunning"]
      case .changingTheFormat, .anotherCamera:
        ["didStartRunning", "didChangeFormat", "didStopRunning"]
      case .removingTheInput: ["didStartRunning", "wasInterrupted", "didStopRunning"]
      }
    }

    /// What an output sees.
    var calls: [String] {
      switch self {
      case .startAndStop: ["start", "frames", "stop"]
      case .failingStart: ["stop"]
      case .unplugging: ["start", "frames", "interrupted", "start", "frames", "stop"]
      case .stillInAnotherSize, .changingTheFormat, .anotherCamera:
        ["start", "frames", "start", "frames", "stop"]
      case .removingTheInput: ["start", "frames", "interrupted", "stop"]
      }
    }
  }

  @Test(arguments: Row.allCases)
  func eachIsToldOnceAndInOneOrder(row: Row) async throws {
    let rig = try Rig()
    let session = rig.session
    let (recorder, photos) = (Recorder(), CapturePhotoOutput())
    let events = Log<String>()
    let stream = session.events
    let reader = Task { for await event in stream { events.append(event.name) } }
    defer { reader.cancel() }
    try session.configure {
      try session.addInput(CaptureDeviceInput(device: rig.device))
      try session.addOutput(recorder)
      try session.addOutput(photos)
    }
    if row == .failingStart { rig.camera.unplug() }
    try? await session.startRunning()
    // The first frame has come, and is on its way to the outputs.
    let begins = row.calls.prefix { $0 != "stop" }.prefix(2)
    #expect(await eventually { recorder.calls.all.starts(with: begins) })
    var other: SimulatedCamera?
    switch row {
    case .startAndStop, .failingStart: break
    case .unplugging:
      rig.camera.unplug()
      #expect(await eventually { session.isInterrupted })
      rig.camera.plugIn()
    case .changingTheFormat:
      try session.setSessionPreset(.hd1280x720)
    case .stillInAnotherSize:
      _ = try await photos.capturePhoto(
        with: .make { $0.maxPhotoDimensions = Dimensions(width: 800, height: 600) })
    case .removingTheInput:
      session.removeInput(session.inputs[0])
    case .anotherCamera:
      let camera = try SimulatedCamera()
      other = camera
      try session.configure {
        session.removeInput(session.inputs[0])
        try session.addInput(CaptureDeviceInput(device: camera.device))
      }
    }
    #expect(await eventually { recorder.calls.all == row.calls.dropLast() || !session.isRunning })
    await session.stopRunning()
    #expect(await eventually { events.all.count >= row.events.count })
    #expect(events.all == row.events)
    #expect(recorder.calls.all == row.calls)
    withExtendedLifetime(other) {}
  }
}

/// Notes what the session tells an output; of frames that they come.
private final class Recorder: CaptureOutput, @unchecked Sendable {
  let calls = Log<String>()

  override func streamDidStart(_ format: VideoFormat) { calls.append("start") }

  override func consume(_ frame: VideoFrame, from connection: CaptureConnection) {
    if calls.all.last == "start" { calls.append("frames") }
  }

  override func streamWasInterrupted(_ reason: CaptureError) { calls.append("interrupted") }

  override func sessionDidStop() { calls.append("stop") }
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

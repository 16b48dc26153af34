import Foundation
import Testing
import Viewfinder

/// One suite, so that its parts run one after the other: they share the nodes.
@Suite("vivid", .serialized, .enabled(if: Driver.vivid.isHere, Driver.comment))
enum VividTests {}

/// The machine's four devices of vivid: two webcams (the second with multi-planar nodes), an HDMI
/// socket, and one with every kind of node that vivid can make.
struct Vivid {
  static let size = Dimensions(width: 640, height: 480)

  let devices = Driver.vivid.devices

  init() throws { try #require(devices.count == 4) }

  var webcam: CaptureDevice { devices[0] }
  var hdmi: CaptureDevice { devices[2] }

  func set(_ control: String, _ value: Int64, on device: CaptureDevice? = nil) throws {
    try (device ?? webcam).configure { device throws(CaptureError) in
      _ = try device.setControl(control, to: value)
    }
  }

  func press(_ button: String) throws { try set(button, 1) }

  /// Starts the first webcam and waits for frames.
  func streamingWebcam() async throws -> CameraRun {
    let run = try await CameraRun(webcam, .yuyv, Self.size)
    try await run.waitForFrames(2)
    return run
  }
}

/// Waits for an interruption whose reason `isExpected`, and for its end.
///
/// - Returns: The format in which the session goes on, if it does.
@discardableResult
func expectInterruption(
  _ events: AsyncStream<CaptureSession.Event>, sourceLocation: SourceLocation = #_sourceLocation,
  _ isExpected: (CaptureError) -> Bool
) async -> VideoFormat? {
  let told = await collect(events, 2)
  guard told.count == 2, case .wasInterrupted(let reason) = told[0], isExpected(reason),
    case .interruptionEnded(let format) = told[1]
  else {
    Issue.record("The session told \(told)", sourceLocation: sourceLocation)
    return nil
  }
  return format
}

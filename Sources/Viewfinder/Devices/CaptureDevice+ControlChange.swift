/// Since when frames show what was set on a camera.
///
/// ``CaptureDevice/change(_:)`` gives it. The frames that show it for certain follow from it:
///
/// ```swift
/// let change = try camera.change { (camera) throws(CaptureError) in
///   try camera.setExposureModeCustom(duration: 0.01)
/// }
/// let first = await videoOutput.frames.first { change.isVisible(in: $0) }
/// ```
///
/// V4L2 doesn't tell which frame has a control's new value, and UVC cameras don't either: the driver
/// returns when the camera has taken the value. What is known is the moment of that, and when each
/// frame was captured. Frames that were captured before, and wait in the driver's buffers or in a
/// program's queues, are told apart by it. What isn't known is how long the sensor takes: most begin
/// with the next frame but one, which ``latency`` allows for. Automatics that take over (continuous
/// exposure, focus, white balance), and lenses that move, take longer, and nothing tells how long.
public struct ControlChange: Hashable, Sendable {
  /// When the camera had taken the last value, on the clock of ``VideoFrame/timestamp``.
  public let time: Duration

  /// How many frames' time a sensor takes for a new value: 2.
  public static let latency = 2

  /// The capture of the first frame that shows the change for certain, at a frame rate, on the clock of
  /// ``VideoFrame/timestamp``.
  public func earliestCapture(at frameInterval: FrameInterval) -> Duration {
    time + .seconds(frameInterval.seconds * Double(Self.latency))
  }

  /// Whether a frame shows the change for certain.
  ///
  /// The frame's own rate counts, and 30 frames a second where it doesn't tell.
  public func isVisible(in frame: VideoFrame) -> Bool {
    let interval = frame.format.frameInterval ?? FrameInterval(numerator: 1, denominator: 30)
    return frame.timestamp >= earliestCapture(at: interval)
  }
}

extension CaptureDevice {
  /// Runs `body` between ``lockForConfiguration()`` and ``unlockForConfiguration()``, and tells since
  /// when frames show what it set.
  ///
  /// What Apple's completion handlers of `setExposureModeCustom` and the like are told, for any
  /// control.
  public func change(_ body: (CaptureDevice) throws(CaptureError) -> Void) throws(CaptureError)
    -> ControlChange
  {
    try configure(body)
    return ControlChange(time: monotonicTime())
  }
}

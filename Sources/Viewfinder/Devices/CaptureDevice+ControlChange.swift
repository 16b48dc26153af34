/// The moment from which frames show what a program set on a camera.
///
/// ``CaptureDevice/change(_:)`` returns it. It tells which frames show the change for certain:
///
/// ```swift
/// let change = try camera.change { (camera) throws(CaptureError) in
///   try camera.setExposureModeCustom(duration: 0.01)
/// }
/// let first = await videoOutput.frames.first { change.isVisible(in: $0) }
/// ```
///
/// Neither V4L2 nor a UVC camera tells which frame first has a control's new value: the driver
/// returns when the camera has taken the value. Viewfinder knows that moment, and when the camera
/// captured each frame. So it recognises earlier frames that wait in the driver's buffers or in a
/// program's queues. It doesn't know how long the sensor takes: most begin with the next frame but
/// one, which ``latency`` allows for. Automatic controls (continuous exposure, focus, white
/// balance) and moving lenses take longer, and nothing tells how long.
public struct ControlChange: Hashable, Sendable {
  /// When the camera had taken the last value, on the clock of ``VideoFrame/timestamp``.
  public let time: Duration

  /// How many frames a sensor takes to apply a new value: 2.
  public static let latency = 2

  /// The earliest capture time at which a frame shows the change for certain, at a frame rate, on
  /// the clock of ``VideoFrame/timestamp``.
  public func earliestCapture(at frameInterval: FrameInterval) -> Duration {
    time + .seconds(frameInterval.seconds * Double(Self.latency))
  }

  /// Whether a frame shows the change for certain.
  ///
  /// The frame's own rate counts, or 30 frames a second where the frame has none.
  public func isVisible(in frame: VideoFrame) -> Bool {
    let interval = frame.format.frameInterval ?? FrameInterval(numerator: 1, denominator: 30)
    return frame.timestamp >= earliestCapture(at: interval)
  }
}

extension CaptureDevice {
  /// Runs `body` between ``lockForConfiguration()`` and ``unlockForConfiguration()``, and returns
  /// the moment from which frames show what it set.
  ///
  /// The result tells what Apple's completion handlers of `setExposureModeCustom` and the like
  /// tell, for any control.
  public func change(_ body: (CaptureDevice) throws(CaptureError) -> Void) throws(CaptureError)
    -> ControlChange
  {
    try configure(body)
    return ControlChange(time: monotonicTime())
  }
}

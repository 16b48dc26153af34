/// A camera as a session's source; Apple's `AVCaptureDeviceInput`.
public final class CaptureDeviceInput: Sendable {
  /// The camera.
  public let device: CaptureDevice

  /// Creates an input, and tries to open the camera.
  ///
  /// Waits for the driver as ``CaptureDevice`` says.
  ///
  /// - Throws: What keeps the camera from being opened, such as
  ///   ``CaptureError/permissionDenied(device:advice:)``. A camera in use by another program opens;
  ///   the session's start says so.
  public init(device: CaptureDevice) throws(CaptureError) {
    _ = try device.bounded { () throws(CaptureError) in try device.openGrabber() }
    self.device = device
  }
}

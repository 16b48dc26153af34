/// A camera as a session's source; Apple's `AVCaptureDeviceInput`.
public final class CaptureDeviceInput: Sendable {
  /// The camera.
  public let device: CaptureDevice

  /// Follows a card in the camera's frames while an output wants that.
  let outlineFollower = OutlineFollower()

  /// Creates an input, and tries to open the camera.
  ///
  /// Waits for the driver as ``CaptureDevice`` says.
  ///
  /// - Throws: Why the camera doesn't open, such as
  ///   ``CaptureError/permissionDenied(device:advice:)``. A camera that another program uses does
  ///   open: the session's start throws.
  public init(device: CaptureDevice) throws(CaptureError) {
    _ = try device.bounded { () throws(CaptureError) in try device.openGrabber() }
    self.device = device
  }
}

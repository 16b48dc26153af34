/// The way from a session's camera to one of its outputs; Apple's `AVCaptureConnection`.
///
/// Rotation and mirroring become an Exif tag in whole photos, and turned pixels in cropped photos
/// and in frames. They apply from the first frame that comes after you set them. They say how the
/// camera is mounted; a preview's own mirroring is ``PreviewGeometry/isMirrored``.
public final class CaptureConnection: Sendable {
  /// The camera's input.
  public let input: CaptureDeviceInput

  private struct State {
    var isEnabled = true
    var rotation = 0
    var isMirrored = false
  }

  private let state = Mutex(State())

  init(input: CaptureDeviceInput) { self.input = input }

  /// Whether frames flow.
  ///
  /// The default is `true`.
  public var isEnabled: Bool {
    get { state.withLock { $0.isEnabled } }
    set { state.withLock { $0.isEnabled = newValue } }
  }

  /// How far pictures are turned to be upright, in degrees clockwise.
  ///
  /// The default is 0.
  ///
  /// It ignores values that ``isVideoRotationAngleSupported(_:)`` refuses.
  public var videoRotationAngle: Double {
    get { state.withLock { Double($0.rotation) } }
    set {
      guard isVideoRotationAngleSupported(newValue) else { return }
      state.withLock { $0.rotation = Int(newValue) }
    }
  }

  /// Whether the connection can turn pictures by an angle: 0, 90, 180 or 270 degrees.
  public func isVideoRotationAngleSupported(_ angle: Double) -> Bool {
    [0, 90, 180, 270].contains(angle)
  }

  /// Whether the connection can mirror pictures: always.
  public var isVideoMirroringSupported: Bool { true }

  /// Whether pictures are mirrored left to right.
  ///
  /// The default is `false`, even for cameras that look at the person.
  public var isVideoMirrored: Bool {
    get { state.withLock { $0.isMirrored } }
    set { state.withLock { $0.isMirrored = newValue } }
  }

  /// Rotation and mirroring in one.
  var orientation: ImageOrientation {
    let (rotation, mirrored) = state.withLock { ($0.rotation, $0.isMirrored) }
    return ImageOrientation(clockwiseRotation: rotation, mirrored: mirrored) ?? .up
  }
}

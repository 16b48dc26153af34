/// How stored pixels are turned and mirrored to show the picture upright: EXIF tag 0x0112.
public enum ImageOrientation: Int, CaseIterable, Hashable, Sendable {
  /// Stored upright.
  case up = 1
  /// To be mirrored left to right.
  case upMirrored = 2
  /// To be turned by 180°.
  case down = 3
  /// To be mirrored from top to bottom.
  case downMirrored = 4
  /// To be turned by 90° clockwise, then mirrored left to right.
  case leftMirrored = 5
  /// To be turned by 90° clockwise.
  case right = 6
  /// To be turned by 270° clockwise, then mirrored left to right.
  case rightMirrored = 7
  /// To be turned by 270° clockwise.
  case left = 8

  /// Creates the orientation that turns by `degrees` clockwise, a multiple of 90, and then mirrors
  /// left to right.
  ///
  /// Returns `nil` for other angles.
  public init?(clockwiseRotation degrees: Int, mirrored: Bool = false) {
    switch (((degrees % 360) + 360) % 360, mirrored) {
    case (0, false): self = .up
    case (90, false): self = .right
    case (180, false): self = .down
    case (270, false): self = .left
    case (0, true): self = .upMirrored
    case (90, true): self = .leftMirrored
    case (180, true): self = .downMirrored
    case (270, true): self = .rightMirrored
    default: return nil
    }
  }

  /// The clockwise turn that shows the picture upright, in degrees, before any mirroring.
  public var clockwiseRotation: Int {
    switch self {
    case .up, .upMirrored: 0
    case .right, .leftMirrored: 90
    case .down, .downMirrored: 180
    case .left, .rightMirrored: 270
    }
  }

  /// Whether the picture is mirrored left to right after the turn.
  public var isMirrored: Bool {
    switch self {
    case .upMirrored, .downMirrored, .leftMirrored, .rightMirrored: true
    default: false
    }
  }

  /// Whether width and height change places when the picture is shown upright.
  public var swapsDimensions: Bool { clockwiseRotation % 180 == 90 }

  /// The orientation that undoes this one.
  public var inverse: ImageOrientation {
    // A turn that is mirrored is undone by itself.
    isMirrored ? self : ImageOrientation(clockwiseRotation: -clockwiseRotation)!
  }

  /// The one orientation that has the effect of this one followed by `next`.
  public func followed(by next: ImageOrientation) -> ImageOrientation {
    // Mirroring reverses the sense of a turn that comes before it.
    let turn = isMirrored ? -next.clockwiseRotation : next.clockwiseRotation
    return ImageOrientation(
      clockwiseRotation: clockwiseRotation + turn, mirrored: isMirrored != next.isMirrored)!
  }
}

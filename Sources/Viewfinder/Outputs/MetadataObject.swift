public import Foundation

/// Something that a ``CaptureMetadataOutput`` found in a frame; Apple's `AVMetadataObject`.
public protocol MetadataObject: Sendable {
  /// What it is.
  var type: MetadataObjectType { get }
  /// When the camera captured the frame, on the system's monotonic clock.
  var time: Duration { get }
  /// Its corners, in units of the upright picture: where it is seen at a slant, no rectangle.
  var corners: [CGPoint] { get }
}

extension MetadataObject {
  /// The upright rectangle around it, in units of the upright picture.
  ///
  /// ``PreviewGeometry/viewRect(fromPhotoRect:)`` tells where it lies in a preview.
  public var bounds: CGRect {
    guard let first = corners.first else { return .zero }
    var (least, most) = (first, first)
    for corner in corners {
      least = CGPoint(x: min(least.x, corner.x), y: min(least.y, corner.y))
      most = CGPoint(x: max(most.x, corner.x), y: max(most.y, corner.y))
    }
    return CGRect(x: least.x, y: least.y, width: most.x - least.x, height: most.y - least.y)
  }
}

/// A kind of object; Apple's `AVMetadataObject.ObjectType`.
public struct MetadataObjectType: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String

  /// Creates a type of that name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A card or a sheet: a ``MetadataOutlineObject``.
  public static let outline = MetadataObjectType(rawValue: "outline")
}

/// A card or a sheet in a frame, followed from frame to frame.
public struct MetadataOutlineObject: MetadataObject, Hashable {
  /// ``MetadataObjectType/outline``.
  public var type: MetadataObjectType { .outline }
  /// When the camera captured the frame, on the system's monotonic clock.
  public let time: Duration
  /// The card.
  public let card: TrackedOutline

  /// The corners, clockwise, in units of the upright picture.
  public var corners: [CGPoint] { card.outline.quadrilateral.corners }
}

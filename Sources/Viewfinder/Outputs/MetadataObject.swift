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

// Codes, each a ``MetadataMachineReadableCodeObject``. The names are Apple's.
extension MetadataObjectType {
  /// EAN-13, and UPC-A with a leading 0 (ISO/IEC 15420).
  public static let ean13 = MetadataObjectType(rawValue: "org.gs1.EAN-13")
  /// EAN-8.
  public static let ean8 = MetadataObjectType(rawValue: "org.gs1.EAN-8")
  /// UPC-E.
  public static let upce = MetadataObjectType(rawValue: "org.gs1.UPC-E")
  /// Code 39 (ISO/IEC 16388).
  public static let code39 = MetadataObjectType(rawValue: "org.iso.Code39")
  /// Code 93.
  public static let code93 = MetadataObjectType(rawValue: "com.intermec.Code93")
  /// Code 128 (ISO/IEC 15417).
  public static let code128 = MetadataObjectType(rawValue: "org.iso.Code128")
  /// Interleaved 2 of 5 (ISO/IEC 16390).
  public static let interleaved2of5 = MetadataObjectType(rawValue: "org.ansi.Interleaved2of5")
  /// Codabar.
  public static let codabar = MetadataObjectType(rawValue: "Codabar")
  /// GS1 DataBar (ISO/IEC 24724).
  public static let gs1DataBar = MetadataObjectType(rawValue: "GS1DataBar")
  /// GS1 DataBar Expanded.
  public static let gs1DataBarExpanded = MetadataObjectType(rawValue: "GS1DataBarExpanded")
  /// QR code (ISO/IEC 18004).
  public static let qr = MetadataObjectType(rawValue: "org.iso.QRCode")
}

/// A bar code in a frame; Apple's `AVMetadataMachineReadableCodeObject`.
public struct MetadataMachineReadableCodeObject: MetadataObject, Hashable {
  /// What kind of code it is.
  public let type: MetadataObjectType
  /// When the camera captured the frame, on the system's monotonic clock.
  public let time: Duration
  /// The corners, clockwise, in units of the upright picture: of a linear code, those of the part that was read.
  public let corners: [CGPoint]
  /// What the code says; `nil` when that isn't text in UTF-8.
  public let stringValue: String?
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

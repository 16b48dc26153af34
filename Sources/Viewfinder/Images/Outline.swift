public import Foundation

/// The shape to which a photo is cropped, such as a card's outline.
///
/// Coordinates are in units of the upright picture: (0, 0) is its top left corner, (1, 1) its
/// bottom right corner, x to the right and y down. ``PreviewGeometry`` makes outlines from what a
/// preview shows. The frames of rectangles, cards and ellipses snap to the nearest whole pixels.
///
/// ```swift
/// settings.outline = .card()
/// settings.outline = Quadrilateral(detectedCorners).map { .quadrilateral($0) }
/// ```
public enum Outline: Hashable, Sendable {
  /// A rectangle.
  case rectangle(CGRect)

  /// A rectangle with round corners; the radius is in units of the picture's width.
  case roundedRectangle(CGRect, cornerRadius: Double)

  /// The ellipse that touches the sides of a rectangle.
  case ellipse(CGRect)

  /// The area inside three or more points; where edges cross, by the even-odd rule.
  case polygon([CGPoint])

  /// The area inside four corners.
  case quadrilateral(Quadrilateral)

  /// An upright ID-1 card (see ``CardSize/id1``) as wide as `width`, with its top left corner at
  /// `origin`.
  ///
  /// The height and the corner radius follow from the card's size and the picture's shape.
  case id1Card(origin: CGPoint, width: Double)

  /// An upright ID-1 card in the middle of the picture that takes `fraction` of its width, or of
  /// its height where the picture is too flat for that.
  case centeredCard(fraction: Double)

  /// The outline whose numbers are pixels of the upright picture instead of units, such as what a
  /// detector found.
  ///
  /// A corner radius is in pixels too. (0, 0) is the top left corner of the first pixel.
  indirect case inPixels(Outline)

  /// The card or sheet that an ``OutlineDetector`` finds in the picture itself, pulled straight.
  ///
  /// Photos and crops look for it and use the surest whose middle lies in `within`, which is the whole
  /// picture by default. The result has the true proportions and a bank card's round corners (see
  /// ``DetectedOutline/crop``), or ``PhotoCrop/rectifiedSize``. Where nothing is found, the photo is cropped
  /// to `fallback`; by default it stays whole. ``CapturePhoto/detectedOutline`` and
  /// ``CroppedPhoto/detectedOutline`` say what was found.
  ///
  /// What needs no picture, such as ``boundingBox(in:)``, takes `fallback` for the outline.
  indirect case detected(within: CGRect = Outline.wholePicture, fallback: Outline? = nil)

  /// An upright ID-1 card in the middle of the picture.
  ///
  /// - Parameter fraction: The part of the picture's width that the card takes, or of its height
  ///   where the picture is too flat. The default is 0.8.
  /// - Returns: The outline.
  public static func card(fraction: Double = 0.8) -> Outline { .centeredCard(fraction: fraction) }

  /// The frame of the whole picture.
  public static let wholePicture = CGRect(x: 0, y: 0, width: 1, height: 1)
}

extension Outline {
  /// The upright rectangle of whole pixels to which a photo is cropped.
  ///
  /// - Parameter size: The size of the upright photo, in pixels.
  /// - Returns: The rectangle, in pixels from the photo's top left corner.
  /// - Throws: ``CaptureError/invalidSettings(reason:)`` for an outline without an area inside the photo.
  public func boundingBox(in size: Dimensions) throws(CaptureError) -> CGRect {
    try PixelOutline(self, in: size).boundingBox(in: size)
  }

  /// Whether the outline sticks out of a picture, by half a pixel at least.
  ///
  /// - Parameter size: The size of the upright picture, in pixels.
  /// - Returns: Whether something of it lies outside.
  public func isClipped(in size: Dimensions) -> Bool {
    let points =
      switch resolved(for: size) {
      case .rectangle(let frame), .roundedRectangle(let frame, _), .ellipse(let frame):
        Quadrilateral(frame).corners
      case .polygon(let points): points
      case .quadrilateral(let quadrilateral): quadrilateral.corners
      // resolved(for:) leaves none of these.
      case .id1Card, .centeredCard, .inPixels, .detected: [CGPoint]()
      }
    let (across, down) = (0.5 / Double(size.width), 0.5 / Double(size.height))
    return points.contains { point in
      point.x < -across || point.x > 1 + across || point.y < -down || point.y > 1 + down
    }
  }

  /// The size of a photo cropped to the outline.
  func dimensions(in size: Dimensions) throws(CaptureError) -> Dimensions {
    let box = try boundingBox(in: size)
    return Dimensions(width: Int(box.width), height: Int(box.height))
  }
}

/// Four corners, clockwise from the top left.
public struct Quadrilateral: Hashable, Sendable {
  /// The corner at the top left, in units of the picture or in points, depending on where you use
  /// it.
  public var topLeft: CGPoint
  /// The corner at the top right.
  public var topRight: CGPoint
  /// The corner at the bottom right.
  public var bottomRight: CGPoint
  /// The corner at the bottom left.
  public var bottomLeft: CGPoint

  /// Creates a quadrilateral from its corners.
  public init(topLeft: CGPoint, topRight: CGPoint, bottomRight: CGPoint, bottomLeft: CGPoint) {
    self.topLeft = topLeft
    self.topRight = topRight
    self.bottomRight = bottomRight
    self.bottomLeft = bottomLeft
  }

  /// Creates a quadrilateral from points in the order of ``corners``, as a detector lists them.
  ///
  /// Returns `nil` unless there are four.
  public init?(_ points: [CGPoint]) {
    guard points.count == 4 else { return nil }
    self.init(
      topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
  }

  /// Creates the quadrilateral of a rectangle's corners.
  public init(_ rectangle: CGRect) {
    self.init(
      topLeft: CGPoint(x: rectangle.minX, y: rectangle.minY),
      topRight: CGPoint(x: rectangle.maxX, y: rectangle.minY),
      bottomRight: CGPoint(x: rectangle.maxX, y: rectangle.maxY),
      bottomLeft: CGPoint(x: rectangle.minX, y: rectangle.maxY))
  }

  /// The corners, clockwise from the top left.
  public var corners: [CGPoint] { [topLeft, topRight, bottomRight, bottomLeft] }

  /// Returns a quadrilateral with each corner changed by `transform`.
  public func map(_ transform: (CGPoint) -> CGPoint) -> Quadrilateral {
    Quadrilateral(
      topLeft: transform(topLeft), topRight: transform(topRight),
      bottomRight: transform(bottomRight), bottomLeft: transform(bottomLeft))
  }
}

/// The size of a card, in millimetres.
public struct CardSize: Hashable, Sendable {
  /// The width, in millimetres.
  public var width: Double
  /// The height, in millimetres.
  public var height: Double
  /// The radius of the corners, in millimetres.
  public var cornerRadius: Double

  /// Creates a card size.
  public init(width: Double, height: Double, cornerRadius: Double) {
    self.width = width
    self.height = height
    self.cornerRadius = cornerRadius
  }

  /// The ID-1 card of ISO/IEC 7810: bank, loyalty and identity cards.
  public static let id1 = CardSize(width: 85.60, height: 53.98, cornerRadius: 3.18)

  /// Width divided by height.
  public var aspectRatio: Double { width / height }
}

extension Outline {
  /// The same outline in units of a picture of this size, with cards replaced by the rounded
  /// rectangles that they are in it, and what is to be found by what stands in for it.
  func resolved(for size: Dimensions) -> Outline {
    let aspect = Double(size.width) / Double(size.height)
    let card = CardSize.id1
    switch self {
    case .id1Card(let origin, let width):
      let frame = CGRect(
        x: origin.x, y: origin.y, width: width, height: width / card.aspectRatio * aspect)
      return .roundedRectangle(frame, cornerRadius: width * card.cornerRadius / card.width)
    case .centeredCard(let fraction):
      let width = min(fraction, fraction * card.aspectRatio / aspect)
      let height = width / card.aspectRatio * aspect
      return Outline.id1Card(
        origin: CGPoint(x: (1 - width) / 2, y: (1 - height) / 2), width: width
      ).resolved(for: size)
    case .inPixels(let outline):
      return outline.scaled(fromPixelsOf: size).resolved(for: size)
    case .detected(_, let fallback):
      return (fallback ?? .rectangle(Self.wholePicture)).resolved(for: size)
    default:
      return self
    }
  }

  /// The outline in units, made from one whose numbers are pixels.
  func scaled(fromPixelsOf size: Dimensions) -> Outline {
    let (width, height) = (Double(size.width), Double(size.height))
    func point(_ point: CGPoint) -> CGPoint { CGPoint(x: point.x / width, y: point.y / height) }
    func rectangle(_ frame: CGRect) -> CGRect {
      CGRect(
        x: frame.minX / width, y: frame.minY / height, width: frame.width / width,
        height: frame.height / height)
    }
    return switch self {
    case .rectangle(let frame): .rectangle(rectangle(frame))
    case .roundedRectangle(let frame, let cornerRadius):
      .roundedRectangle(rectangle(frame), cornerRadius: cornerRadius / width)
    case .ellipse(let frame): .ellipse(rectangle(frame))
    case .polygon(let points): .polygon(points.map(point))
    case .quadrilateral(let quadrilateral): .quadrilateral(quadrilateral.map(point))
    case .id1Card(let origin, let cardWidth):
      .id1Card(origin: point(origin), width: cardWidth / width)
    case .centeredCard: self
    case .inPixels(let outline): outline.scaled(fromPixelsOf: size)
    case .detected(let frame, let fallback):
      .detected(within: rectangle(frame), fallback: fallback?.scaled(fromPixelsOf: size))
    }
  }

  /// The corners that rectification pulls straight: a quadrilateral's own, else those of the frame.
  package func quadrilateral(for size: Dimensions) -> Quadrilateral? {
    switch resolved(for: size) {
    case .rectangle(let frame), .roundedRectangle(let frame, _), .ellipse(let frame):
      return Quadrilateral(frame)
    case .quadrilateral(let quadrilateral):
      return quadrilateral
    case .polygon(let points):
      return Quadrilateral(points)
    default:
      return nil
    }
  }
}

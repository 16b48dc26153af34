public import Foundation

/// How a preview fits the picture into its view; Apple's `AVLayerVideoGravity`.
public enum VideoGravity: Hashable, Sendable {
  /// The whole picture, with bars where the view has another shape.
  case resizeAspect
  /// The picture fills the view, and what doesn't fit is cut off.
  case resizeAspectFill
  /// The view stretches the picture to its own shape.
  case resize
}

/// Conversions between a view that shows a camera's picture and the photos that the camera takes.
///
/// It turns a card outline on the screen into an outline in the photo. View
/// coordinates are points with the origin at the top left; photo coordinates are units of the
/// upright picture (see ``Outline``); device coordinates are units of the picture as the camera
/// delivers it.
///
/// ```swift
/// let geometry = PreviewGeometry(
///   viewSize: view.size, videoSize: session.activeVideoFormat!.dimensions)
/// let guide = geometry.cardGuide()                       // draw this rectangle over the preview
/// settings.outline = geometry.outline(
///   ofRoundedRect: guide.frame, cornerRadius: guide.cornerRadius)
/// ```
public struct PreviewGeometry: Hashable, Sendable {
  /// The view's size, in points.
  public var viewSize: CGSize
  /// The size of the picture as the camera delivers it, in pixels.
  public var videoSize: Dimensions
  /// How the picture fits into the view.
  ///
  /// The default is `.resizeAspect`.
  public var videoGravity: VideoGravity
  /// How far the picture is turned to be upright, in degrees clockwise: 0, 90, 180 or 270.
  ///
  /// The default is 0.
  public var videoRotationAngle: Int
  /// Whether the preview is mirrored left to right, as a person's own picture usually is.
  ///
  /// The default is `false`.
  ///
  /// Photos aren't mirrored; the conversions allow for that.
  public var isMirrored: Bool

  /// Creates a geometry.
  public init(
    viewSize: CGSize, videoSize: Dimensions, videoGravity: VideoGravity = .resizeAspect,
    videoRotationAngle: Int = 0, isMirrored: Bool = false
  ) {
    self.viewSize = viewSize
    self.videoSize = videoSize
    self.videoGravity = videoGravity
    self.videoRotationAngle = videoRotationAngle
    self.isMirrored = isMirrored
  }

  /// Where the picture lies in the view, in points.
  ///
  /// With `.resizeAspectFill` it reaches past the view.
  public var videoFrame: CGRect {
    let size = uprightSize
    let across = viewSize.width / Double(size.width)
    let down = viewSize.height / Double(size.height)
    let scale: (x: Double, y: Double) =
      switch videoGravity {
      case .resizeAspect: (min(across, down), min(across, down))
      case .resizeAspectFill: (max(across, down), max(across, down))
      case .resize: (across, down)
      }
    let width = Double(size.width) * scale.x
    let height = Double(size.height) * scale.y
    return CGRect(
      x: (viewSize.width - width) / 2, y: (viewSize.height - height) / 2,
      width: width, height: height)
  }

  /// The size of the upright picture, in pixels.
  public var uprightSize: Dimensions { orientation.swapsDimensions ? videoSize.swapped : videoSize }

  private var orientation: ImageOrientation {
    ImageOrientation(clockwiseRotation: videoRotationAngle) ?? .up
  }
}

// Points.
extension PreviewGeometry {
  /// The point of the upright photo under a point of the view.
  ///
  /// Outside 0…1 where the view shows no picture.
  public func photoPoint(fromViewPoint point: CGPoint) -> CGPoint {
    let frame = videoFrame
    let x = (point.x - frame.minX) / frame.width
    let y = (point.y - frame.minY) / frame.height
    return CGPoint(x: isMirrored ? 1 - x : x, y: y)
  }

  /// The point of the view over a point of the upright photo.
  public func viewPoint(fromPhotoPoint point: CGPoint) -> CGPoint {
    let frame = videoFrame
    let x = isMirrored ? 1 - point.x : point.x
    return CGPoint(x: frame.minX + x * frame.width, y: frame.minY + point.y * frame.height)
  }

  /// The point of the camera's own picture under a point of the view; Apple's
  /// `captureDevicePointConverted(fromLayerPoint:)`.
  public func captureDevicePointConverted(fromViewPoint point: CGPoint) -> CGPoint {
    let upright = photoPoint(fromViewPoint: point)
    return switch orientation.clockwiseRotation {
    case 90: CGPoint(x: upright.y, y: 1 - upright.x)
    case 180: CGPoint(x: 1 - upright.x, y: 1 - upright.y)
    case 270: CGPoint(x: 1 - upright.y, y: upright.x)
    default: upright
    }
  }

  /// The point of the view over a point of the camera's own picture; Apple's
  /// `layerPointConverted(fromCaptureDevicePoint:)`.
  public func viewPointConverted(fromCaptureDevicePoint point: CGPoint) -> CGPoint {
    let upright =
      switch orientation.clockwiseRotation {
      case 90: CGPoint(x: 1 - point.y, y: point.x)
      case 180: CGPoint(x: 1 - point.x, y: 1 - point.y)
      case 270: CGPoint(x: point.y, y: 1 - point.x)
      default: point
      }
    return viewPoint(fromPhotoPoint: upright)
  }

  /// The rectangle of the upright photo under a rectangle of the view.
  public func photoRect(fromViewRect rect: CGRect) -> CGRect {
    let a = photoPoint(fromViewPoint: CGPoint(x: rect.minX, y: rect.minY))
    let b = photoPoint(fromViewPoint: CGPoint(x: rect.maxX, y: rect.maxY))
    return CGRect(x: min(a.x, b.x), y: min(a.y, b.y), width: abs(a.x - b.x), height: abs(a.y - b.y))
  }

  /// The rectangle of the view over a rectangle of the upright photo.
  public func viewRect(fromPhotoRect rect: CGRect) -> CGRect {
    let a = viewPoint(fromPhotoPoint: CGPoint(x: rect.minX, y: rect.minY))
    let b = viewPoint(fromPhotoPoint: CGPoint(x: rect.maxX, y: rect.maxY))
    return CGRect(x: min(a.x, b.x), y: min(a.y, b.y), width: abs(a.x - b.x), height: abs(a.y - b.y))
  }
}

// Outlines.
extension PreviewGeometry {
  /// The outline in the photo of a rectangle in the view.
  public func outline(ofRect rect: CGRect) -> Outline {
    .rectangle(photoRect(fromViewRect: rect))
  }

  /// The outline in the photo of a rounded rectangle in the view, such as a card guide;
  /// `cornerRadius` in points.
  public func outline(ofRoundedRect rect: CGRect, cornerRadius: Double) -> Outline {
    .roundedRectangle(
      photoRect(fromViewRect: rect), cornerRadius: cornerRadius / videoFrame.width)
  }

  /// The outline in the photo of the ellipse in a rectangle of the view.
  public func outline(ofEllipseIn rect: CGRect) -> Outline {
    .ellipse(photoRect(fromViewRect: rect))
  }

  /// The outline in the photo of a polygon in the view.
  public func outline(ofPolygon points: [CGPoint]) -> Outline {
    .polygon(points.map(photoPoint(fromViewPoint:)))
  }

  /// The outline in the photo of four corners in the view, clockwise from the top left as the view
  /// shows them.
  public func outline(ofQuadrilateral quadrilateral: Quadrilateral) -> Outline {
    let corners = quadrilateral.map(photoPoint(fromViewPoint:))
    guard isMirrored else { return .quadrilateral(corners) }
    // What is left in a mirrored view is right in the photo.
    return .quadrilateral(
      Quadrilateral(
        topLeft: corners.topRight, topRight: corners.topLeft,
        bottomRight: corners.bottomLeft, bottomLeft: corners.bottomRight))
  }

  /// A card guide for the view: the largest upright card that leaves a margin, in the middle of the
  /// part of the view that shows the picture.
  ///
  /// - Parameters:
  ///   - card: The card's size. The default is ``CardSize/id1``.
  ///   - fraction: The part of the visible width, or height, that the guide takes. The default is
  ///     0.86.
  /// - Returns: The guide's frame and the radius of its corners, in points.
  public func cardGuide(_ card: CardSize = .id1, fraction: Double = 0.86)
    -> (frame: CGRect, cornerRadius: Double)
  {
    let visible = videoFrame.intersection(CGRect(origin: .zero, size: viewSize))
    let width = min(visible.width * fraction, visible.height * fraction * card.aspectRatio)
    let height = width / card.aspectRatio
    let frame = CGRect(
      x: visible.midX - width / 2, y: visible.midY - height / 2, width: width, height: height)
    return (frame, width * card.cornerRadius / card.width)
  }
}

public import Foundation
public import Viewfinder

/// How a picture lies under the frame to which it is cropped: moved, zoomed and turned.
///
/// The frame stands still, the picture moves, and always covers all of the frame: a value that would uncover it
/// becomes the nearest one that doesn't.
public struct PhotoAdjustment: Hashable, Sendable {
  /// The shape of the frame.
  public enum Shape: Hashable, Sendable {
    /// Any rectangle: ``PhotoAdjustment/aspectRatio`` may be set.
    case free
    /// A square.
    case square
    /// A rectangle with width and height in this proportion.
    case ratio(Double)
    /// A card with round corners.
    case card(CardSize = .id1)
  }

  /// The size of the upright picture, in pixels.
  public let pictureSize: Dimensions
  /// The frame's shape.
  public let shape: Shape

  /// The frame's width divided by its height.
  ///
  /// Setting it only affects ``Shape/free`` frames, and keeps it between 0.05 and 20.
  public var aspectRatio: Double {
    get { ratio }
    set {
      guard shape == .free, newValue.isFinite else { return }
      ratio = min(max(newValue, 0.05), 20)
      magnification = min(magnification, maxZoom)
      center = clamped(center)
    }
  }

  /// How much larger the picture is than where it just covers the frame, from 1 to ``maxZoom``.
  public var zoom: Double {
    get { magnification }
    set {
      guard newValue.isFinite else { return }
      magnification = min(max(newValue, 1), maxZoom)
      center = clamped(center)
    }
  }

  /// How far the picture is turned, in degrees clockwise, from 0 to less than 360.
  public var angle: Double {
    get { degrees }
    set {
      guard newValue.isFinite else { return }
      let rest = newValue.truncatingRemainder(dividingBy: 360)
      degrees = rest < 0 ? rest + 360 : rest
      // Turned pictures may have to be larger to cover the frame.
      magnification = min(magnification, maxZoom)
      center = clamped(center)
    }
  }

  /// The point of the upright picture in the middle of the frame, in units: (0, 0) is the top left corner.
  public private(set) var center = CGPoint(x: 0.5, y: 0.5)

  private var ratio: Double
  private var magnification = 1.0
  private var degrees = 0.0

  /// Lays the middle of a picture under a frame, as small as possible.
  public init(pictureSize: Dimensions, shape: Shape) {
    self.pictureSize = pictureSize
    self.shape = shape
    ratio =
      switch shape {
      case .free: Double(pictureSize.width) / Double(pictureSize.height)
      case .square: 1
      case .ratio(let ratio): ratio.isFinite && ratio > 0 ? min(max(ratio, 0.05), 20) : 1
      case .card(let card): card.aspectRatio
      }
  }

  /// The greatest zoom: with it the frame shows 32 pixels along its shorter side, or as many as the picture has.
  public var maxZoom: Double {
    let smallest = cover
    return max(1, min(smallest.width, smallest.height) / 32)
  }

  // MARK: Moving

  /// Moves the picture with a finger.
  ///
  /// - Parameter translation: How far, in units of the frame's width, right and down.
  public mutating func pan(by translation: CGSize) {
    guard translation.width.isFinite, translation.height.isFinite else { return }
    let scale = frameSize.width
    let moved = turned(x: -translation.width * scale, y: -translation.height * scale)
    center = clamped(
      CGPoint(x: center.x + moved.x / width, y: center.y + moved.y / height))
  }

  /// Zooms so that what is under a point stays there.
  ///
  /// - Parameters:
  ///   - factor: More than 1 makes the picture larger.
  ///   - point: The point, in units of the frame's width from its middle, right and down.
  public mutating func zoom(by factor: Double, around point: CGPoint = .zero) {
    let before = frameSize.width
    zoom *= factor
    let change = before - frameSize.width
    let moved = turned(x: point.x * change, y: point.y * change)
    center = clamped(
      CGPoint(x: center.x + moved.x / width, y: center.y + moved.y / height))
  }

  /// Turns the picture by a quarter, clockwise.
  ///
  /// A ``Shape/free`` frame turns with it.
  public mutating func turnRight() {
    if shape == .free { ratio = 1 / ratio }
    angle += 90
  }

  // MARK: Geometry

  private var width: Double { Double(pictureSize.width) }
  private var height: Double { Double(pictureSize.height) }
  private var radians: Double { degrees * .pi / 180 }

  /// The frame's size on the picture, in pixels.
  public var frameSize: CGSize {
    let largest = cover
    return CGSize(width: largest.width / magnification, height: largest.height / magnification)
  }

  /// The largest frame that a picture turned like this covers, in its pixels.
  private var cover: CGSize {
    let (sine, cosine) = (abs(sin(radians)), abs(cos(radians)))
    let across = min(width / (cosine + sine / ratio), height / (sine + cosine / ratio))
    return CGSize(width: across, height: across / ratio)
  }

  /// A way in the frame's directions, in the picture's.
  private func turned(x: Double, y: Double) -> CGPoint {
    let (sine, cosine) = (sin(radians), cos(radians))
    return CGPoint(x: x * cosine + y * sine, y: y * cosine - x * sine)
  }

  /// The nearest middle for which the picture covers the frame.
  private func clamped(_ point: CGPoint) -> CGPoint {
    let size = frameSize
    let (sine, cosine) = (abs(sin(radians)), abs(cos(radians)))
    let across = (size.width * cosine + size.height * sine) / 2 / width
    let down = (size.width * sine + size.height * cosine) / 2 / height
    return CGPoint(
      x: min(max(point.x, min(across, 0.5)), max(1 - across, 0.5)),
      y: min(max(point.y, min(down, 0.5)), max(1 - down, 0.5)))
  }

  /// The point of the upright picture under a point of the frame.
  ///
  /// - Parameter point: In units of the frame's width from its middle, right and down.
  /// - Returns: The point in units of the picture.
  public func picturePoint(under point: CGPoint) -> CGPoint {
    let scale = frameSize.width
    let way = turned(x: point.x * scale, y: point.y * scale)
    return CGPoint(x: center.x + way.x / width, y: center.y + way.y / height)
  }

  /// The frame's corners on the upright picture, in units, clockwise from the frame's own top left.
  public var quadrilateral: Quadrilateral {
    let half = 1 / ratio / 2
    return Quadrilateral(CGRect(x: -0.5, y: -half, width: 1, height: 2 * half))
      .map(picturePoint(under:))
  }

  /// What the picture is cropped to: the frame as it lies on the upright picture.
  public var crop: PhotoCrop {
    let corners = quadrilateral
    var radius: Double?
    if case .card(let card) = shape { radius = card.cornerRadius / card.width }
    guard degrees == 0 else {
      let size = frameSize
      return PhotoCrop(
        outline: .quadrilateral(corners),
        rectifiedSize: Dimensions(
          width: max(Int(size.width.rounded()), 1), height: max(Int(size.height.rounded()), 1)),
        cornerRadius: radius)
    }
    let frame = CGRect(
      x: corners.topLeft.x, y: corners.topLeft.y, width: corners.topRight.x - corners.topLeft.x,
      height: corners.bottomLeft.y - corners.topLeft.y)
    // The radius is in units of the whole picture's width.
    return PhotoCrop(
      outline: radius.map { .roundedRectangle(frame, cornerRadius: $0 * frame.width) }
        ?? .rectangle(frame))
  }

  /// The rectangle of the upright picture that holds all of the frame, in pixels.
  public var cropRectangle: CGRect {
    let corners = quadrilateral.corners
    let (x, y) = (corners.map { $0.x * width }.sorted(), corners.map { $0.y * height }.sorted())
    return CGRect(x: x[0], y: y[0], width: x[3] - x[0], height: y[3] - y[0])
  }

  /// Whether the frame shows all of the upright picture, as it is: there is nothing to crop.
  var isWhole: Bool {
    if case .card = shape { return false }
    let frame = frameSize
    return degrees == 0 && abs(frame.width - width) < 0.5 && abs(frame.height - height) < 0.5
  }

  /// Where the upright picture lies in a view that shows the frame.
  ///
  /// - Parameter frameWidth: How wide the frame is on the screen, in points.
  /// - Returns: The picture's size and the distance from the frame's middle to the picture's, in points, before
  ///   turning both clockwise around the picture's middle by ``angle``.
  public func placement(frameWidth: Double) -> (size: CGSize, offset: CGPoint) {
    let scale = frameWidth / frameSize.width
    // From the picture's directions into the frame's.
    let (x, y) = ((0.5 - center.x) * width * scale, (0.5 - center.y) * height * scale)
    let (sine, cosine) = (sin(radians), cos(radians))
    return (
      CGSize(width: width * scale, height: height * scale),
      CGPoint(x: x * cosine - y * sine, y: x * sine + y * cosine)
    )
  }
}

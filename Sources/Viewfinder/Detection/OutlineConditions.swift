import CViewfinder
public import Foundation

/// What keeps a picture of a card from being good, with the figure behind it; the words are the app's.
public enum OutlineAdvice: Hashable, Sendable {
  /// A corner lies `margin` outside the picture, in units of its shorter side.
  case cutOff(margin: Double)
  /// The card comes so near the picture's border that its edges can't be seen well.
  case tooNear(margin: Double)
  /// The card takes only the share `fill` of the picture.
  case tooFar(fill: Double)
  /// The card is seen from this many degrees off straight above.
  case tooSlanted(degrees: Double)
  /// The whole picture is this dark, from 0 (black) to 1.
  case tooDark(luminance: Double)
  /// The share of the card on which light glares, and the middle of that, in units of the upright picture.
  case glare(share: Double, center: CGPoint)
  /// What is on the card differs by no more than this, from 0 to 1.
  case lowContrast(range: Double)
  /// The card's edges are this wide, in pixels.
  case blurred(edgeWidth: Double)
}

/// How a card lies in a picture, and how well it can be seen.
public struct OutlineConditions: Hashable, Sendable {
  /// The card's area as a share of the picture's.
  public var fill: Double
  /// The least distance of a corner to the picture's border, in units of the picture's shorter side; negative when the
  /// card is cut off.
  public var margin: Double
  /// The angle between the card and the picture's plane, in degrees from 0 to 90.
  public var slant: Double
  /// How wide the card's edges are, in pixels of the picture that was looked at: about 1.5 when sharp, 0 when none was
  /// found.
  public var edgeWidth: Double
  /// The length of the card's longest side in those pixels.
  public var longestSide: Double
  /// The mean luma on the card, from 0 to 1.
  public var luminance: Double
  /// The mean luma of the whole picture, from 0 to 1.
  public var pictureLuminance: Double
  /// The share of the card on which light glares, from 0 to 1.
  public var glare: Double
  /// The middle of that, or of the card where nothing glares, in units of the upright picture.
  public var glareCenter: CGPoint
  /// The range of luma on the card without the outermost twentieths, from 0 to 1.
  public var contrast: Double

  /// What to do for a good picture, the most urgent first; none when it is good.
  ///
  /// A dark card, a card with a white area and a plain one are good in good light: the limits are for what a code on a
  /// card needs to be read.
  public var advice: [OutlineAdvice] {
    var advice: [OutlineAdvice] = []
    if margin < 0 {
      advice.append(.cutOff(margin: -margin))
    } else if margin < 0.01 {
      advice.append(.tooNear(margin: margin))
    }
    if fill < 0.06 { advice.append(.tooFar(fill: fill)) }
    if slant > 40 { advice.append(.tooSlanted(degrees: slant)) }
    if pictureLuminance < 0.12 { advice.append(.tooDark(luminance: pictureLuminance)) }
    if glare > 0.5 { advice.append(.glare(share: glare, center: glareCenter)) }
    if contrast < 0.04 { advice.append(.lowContrast(range: contrast)) }
    // A small picture has wide edges, too.
    if edgeWidth > max(3.5, longestSide * 0.012) { advice.append(.blurred(edgeWidth: edgeWidth)) }
    return advice
  }
}

extension OutlineConditions {
  /// Looks at a picture inside four corners.
  ///
  /// - Parameters:
  ///   - quadrilateral: The corners, clockwise, in units of the picture.
  ///   - picture: The upright picture.
  /// - Throws: ``CaptureError/badImageData(what:reason:)`` for corners that aren't clockwise or lie far outside.
  public init(of quadrilateral: Quadrilateral, in picture: PixelBuffer) throws(CaptureError) {
    try self.init(of: quadrilateral, in: picture.picture)
  }

  init(of quadrilateral: Quadrilateral, in picture: Picture) throws(CaptureError) {
    let size = picture.dimensions
    let corners = quadrilateral.corners.map {
      vf_point(x: $0.x * Double(size.width), y: $0.y * Double(size.height))
    }
    var advice = vf_advice()
    var failure = unsafe vf_failure()
    var image = unsafe picture.image
    guard unsafe vf_advise(&advice, &image, corners, &failure) == 0 else {
      throw unsafe failure.imageError("the picture")
    }
    fill = advice.fill
    margin = advice.margin
    slant = advice.slant
    edgeWidth = advice.edge_width
    longestSide = (0..<4).map {
      hypot(corners[$0].x - corners[($0 + 1) % 4].x, corners[$0].y - corners[($0 + 1) % 4].y)
    }.max()!
    luminance = advice.luminance
    pictureLuminance =
      try picture.luminance(size.fitted(into: Dimensions(width: 32, height: 32))).mean / 255
    glare = advice.glare
    glareCenter = CGPoint(
      x: advice.glare_center.x / Double(size.width), y: advice.glare_center.y / Double(size.height))
    contrast = advice.contrast
  }
}

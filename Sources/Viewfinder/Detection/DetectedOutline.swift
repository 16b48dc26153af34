import CViewfinder
package import Foundation

/// A card or a sheet that an ``OutlineDetector`` found; Vision's `VNRectangleObservation` to Apple's apps.
public struct DetectedOutline: Hashable, Sendable {
  /// What the proportions say.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// About 1.5 to 1.8 to 1, as bank, loyalty and business cards are (ISO/IEC 7810 ID-1: 1.586).
    case card
    /// About 1.26 to 1.46 to 1, as paper (ISO 216: 1.414) and passports (ID-3: 1.42) are.
    case sheet
    /// Any others.
    case other
  }

  /// The size of the upright picture that it was found in, in pixels.
  public var pictureDimensions: Dimensions
  /// The corners in units of the upright picture's width and height, clockwise, the one nearest the top left first.
  ///
  /// They are where the straight edges meet: outside a card whose corners are round.
  public var quadrilateral: Quadrilateral
  /// How sure the detector is, from 0 to 1: of those given 0.9, nine in ten are right.
  public var confidence: Double
  /// The longer side over the shorter as seen from straight above: the perspective is taken out.
  public var aspectRatio: Double
  /// What the proportions say.
  public var kind: Kind
  /// The share of each edge that shows, from 0 to 1: from each corner of ``quadrilateral`` to the next.
  public var edgeSupport: [Double]
  /// Whether the ground shows in its corners, as with bank cards and playing cards; `false` where too few pixels tell.
  public var hasRoundCorners: Bool

  /// Creates a detected outline.
  public init(
    in pictureDimensions: Dimensions, quadrilateral: Quadrilateral, confidence: Double,
    aspectRatio: Double, kind: Kind,
    edgeSupport: [Double], hasRoundCorners: Bool = false
  ) {
    self.pictureDimensions = pictureDimensions
    self.quadrilateral = quadrilateral
    self.confidence = confidence
    self.aspectRatio = aspectRatio
    self.kind = kind
    self.edgeSupport = edgeSupport
    self.hasRoundCorners = hasRoundCorners
  }

  /// Creates the outline that a person drew; its ``confidence`` and ``edgeSupport`` are 1.
  ///
  /// - Parameters:
  ///   - quadrilateral: The corners, clockwise, in units of the upright picture. ``crop`` begins with the first.
  ///   - pictureDimensions: The upright picture's size, in pixels.
  /// - Throws: ``CaptureError/invalidSettings(reason:)`` for corners that aren't clockwise and convex, or lie far
  ///   outside.
  public init(drawn quadrilateral: Quadrilateral, in pictureDimensions: Dimensions)
    throws(CaptureError)
  {
    let (width, height) = (pictureDimensions.width, pictureDimensions.height)
    let corners = quadrilateral.corners.map {
      vf_point(x: $0.x * Double(width), y: $0.y * Double(height))
    }
    var candidate = vf_candidate()
    var failure = unsafe vf_failure()
    guard
      unsafe vf_describe(&candidate, corners, UInt32(width), UInt32(height), &failure) == 0
    else { throw unsafe failure.imageError("the outline") }
    self.init(candidate, in: pictureDimensions, of: pictureDimensions)
  }

  /// The shape to crop a photo of the same picture to.
  public var outline: Outline { .quadrilateral(quadrilateral) }

  /// The crop of the same picture that cuts it out along its edges and pulls it straight.
  ///
  /// The result has the true proportions, and no fewer pixels than the picture has of it. A ``Kind/card`` gets a bank
  /// card's round corners, and so does what ``hasRoundCorners``.
  public var crop: PhotoCrop { crop(to: straightDimensions) }

  /// The crop that pulls it straight to a size.
  ///
  /// A card that stands upright is laid on its side where that fits the size better, and the other way round.
  ///
  /// - Parameter size: The size, in pixels.
  /// - Returns: The crop of the same picture.
  public func crop(to size: Dimensions) -> PhotoCrop {
    let own = straightDimensions
    let isTurned = (own.width - own.height) * (size.width - size.height) < 0
    let outline = Outline.quadrilateral(isTurned ? quadrilateral.turned : quadrilateral)
    guard kind == .card || hasRoundCorners else {
      return PhotoCrop(outline: outline, rectifiedSize: size)
    }
    // The largest radius that ISO/IEC 7810 allows: the table shall not show in the corners.
    let share = (CardSize.id1.cornerRadius + 0.3) / CardSize.id1.height
    let radius = share * Double(min(size.width, size.height)) / Double(size.width)
    return PhotoCrop(outline: outline, rectifiedSize: size, cornerRadius: radius)
  }

  private var straightDimensions: Dimensions {
    let corners = quadrilateral.corners.map {
      CGPoint(
        x: $0.x * Double(pictureDimensions.width), y: $0.y * Double(pictureDimensions.height))
    }
    func side(_ a: Int, _ b: Int) -> Double {
      hypot(corners[a].x - corners[b].x, corners[a].y - corners[b].y)
    }
    let (width, height) = (max(side(0, 1), side(3, 2)), max(side(1, 2), side(0, 3)))
    // Perspective may have shortened either.
    let aspect = max(aspectRatio, 1)
    let short = max(min(width, height), max(width, height) / aspect).rounded(.up)
    let (least, most) = (max(Int(short), 1), max(Int((short * aspect).rounded()), 1))
    return width >= height
      ? Dimensions(width: most, height: least) : Dimensions(width: least, height: most)
  }
}

extension DetectedOutline {
  /// A candidate of the core in a picture of `size`, of which the one meant is `whole` large.
  init(_ candidate: vf_candidate, in size: Dimensions, of whole: Dimensions) {
    func unit(_ point: vf_point) -> CGPoint {
      CGPoint(x: point.x / Double(size.width), y: point.y / Double(size.height))
    }
    let (corners, support) = (candidate.corners, candidate.support)
    self.init(
      in: whole,
      quadrilateral: Quadrilateral(
        topLeft: unit(corners.0), topRight: unit(corners.1), bottomRight: unit(corners.2),
        bottomLeft: unit(corners.3)),
      confidence: candidate.confidence, aspectRatio: candidate.aspect,
      kind: [VF_KIND_CARD: .card, VF_KIND_SHEET: .sheet][candidate.kind] ?? .other,
      edgeSupport: [support.0, support.1, support.2, support.3],
      hasRoundCorners: candidate.has_round_corners != 0)
  }
}

extension Quadrilateral {
  /// The same corners, beginning at the one before: what was on the left is at the top.
  fileprivate var turned: Quadrilateral {
    Quadrilateral(
      topLeft: bottomLeft, topRight: topLeft, bottomRight: topRight, bottomLeft: bottomRight)
  }

  /// The middle of the corners.
  package var center: CGPoint {
    let corners = corners
    return CGPoint(
      x: corners.reduce(0) { $0 + $1.x } / 4, y: corners.reduce(0) { $0 + $1.y } / 4)
  }

  /// How far the corners are from others at most, whichever of those comes first.
  func distance(to other: Quadrilateral) -> Double {
    let (a, b) = (corners, other.corners)
    let distances = (0..<4).map { turn in
      (0..<4).map { hypot(a[$0].x - b[($0 + turn) % 4].x, a[$0].y - b[($0 + turn) % 4].y) }.max()!
    }
    return distances.min()!
  }
}

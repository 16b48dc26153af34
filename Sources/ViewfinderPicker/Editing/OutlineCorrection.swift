public import Foundation
public import Viewfinder

/// The edges of a card in a photo, as they were found or as the person moved them.
///
/// The four corners are always clockwise and convex: a move that would change that has no effect.
public struct OutlineCorrection: Hashable, Sendable {
  /// The size of the upright picture, in pixels.
  public let pictureSize: Dimensions
  /// What was found, and how surely; `nil` when nothing was, so that the person shows where the card is.
  public let detected: DetectedOutline?
  /// The edges as they lie now.
  public private(set) var outline: DetectedOutline
  /// How many quarters the card is turned by, clockwise, from 0 to 3.
  public private(set) var quarterTurns = 0

  /// Begins with what was found.
  init(_ detected: DetectedOutline) {
    self.detected = detected
    pictureSize = detected.pictureDimensions
    outline = detected
  }

  /// Begins with a place where the card may be, where nothing was found.
  init(pictureSize: Dimensions, guess: Outline?) {
    detected = nil
    self.pictureSize = pictureSize
    let frames = [guess, .card(), .rectangle(CGRect(x: 0.1, y: 0.1, width: 0.8, height: 0.8))]
    outline = frames.lazy.compactMap { $0?.quadrilateral(for: pictureSize) }
      .compactMap { try? DetectedOutline(drawn: $0, in: pictureSize) }.first!
  }

  /// The corners, clockwise, in units of the upright picture.
  public var corners: [CGPoint] { outline.quadrilateral.corners }

  /// Moves a corner.
  ///
  /// - Parameters:
  ///   - corner: Which one, from 0 to 3, in the order of ``corners``; others have no effect.
  ///   - point: Where to, in units of the upright picture. A card may stick out of it by a tenth.
  public mutating func move(_ corner: Int, to point: CGPoint) {
    var corners = corners
    guard corners.indices.contains(corner), point.x.isFinite, point.y.isFinite else { return }
    corners[corner] = CGPoint(x: min(max(point.x, -0.1), 1.1), y: min(max(point.y, -0.1), 1.1))
    guard let moved = Quadrilateral(corners),
      let outline = try? DetectedOutline(drawn: moved, in: pictureSize)
    else { return }
    self.outline = outline
  }

  /// Turns the card by a quarter, clockwise.
  public mutating func turnRight() { quarterTurns = (quarterTurns + 1) % 4 }

  /// What the picture is cropped to: the card, cut to its edges and straight.
  public var crop: PhotoCrop {
    let corners = corners
    // What was on the left is at the top after each turn.
    let turned = (0..<4).map { corners[($0 + 4 - quarterTurns) % 4] }
    var turnedOutline = outline
    turnedOutline.quadrilateral = Quadrilateral(turned) ?? outline.quadrilateral
    return turnedOutline.crop
  }
}

extension OutlineCorrection {
  /// How sure the best candidate must be of a photo that the person looks at afterwards, and can correct.
  private static let minimumConfidence = 0.3

  /// What is found where an outline says, or that outline's fallback.
  ///
  /// - Parameters:
  ///   - outline: The outline, which is to be found.
  ///   - size: The upright photo's size, in pixels.
  ///   - find: Finds outlines of at least a confidence.
  /// - Throws: What `find` throws.
  init(
    _ outline: Outline, in size: Dimensions,
    _ find: (Double) throws(CaptureError) -> [DetectedOutline]
  ) throws(CaptureError) {
    guard let (frame, fallback) = outline.search(in: size) else {
      self.init(pictureSize: size, guess: outline)
      return
    }
    let found = try find(Self.minimumConfidence).first { frame.contains($0.quadrilateral.center) }
    guard let found else {
      self.init(pictureSize: size, guess: fallback)
      return
    }
    self.init(found)
  }

  /// The same in a larger version of the picture, if its size is known.
  func scaled(to size: Dimensions?) -> OutlineCorrection {
    guard let size, size != pictureSize else { return self }
    func scaled(_ outline: DetectedOutline) -> DetectedOutline {
      var scaled = outline
      scaled.pictureDimensions = size
      return scaled
    }
    return OutlineCorrection(
      pictureSize: size, detected: detected.map(scaled), outline: scaled(outline),
      quarterTurns: quarterTurns)
  }

  private init(
    pictureSize: Dimensions, detected: DetectedOutline?, outline: DetectedOutline,
    quarterTurns: Int
  ) {
    (self.pictureSize, self.detected) = (pictureSize, detected)
    (self.outline, self.quarterTurns) = (outline, quarterTurns)
  }
}

extension Outline {
  /// The same with the whole picture where nothing is found: what comes from a library may be cut out already.
  var withoutFallback: Outline {
    let whole = Outline.rectangle(Self.wholePicture)
    return switch self {
    case .detected(let frame, _): .detected(within: frame, fallback: whole)
    case .inPixels(let outline): .inPixels(outline.withoutFallback)
    default: self
    }
  }
}

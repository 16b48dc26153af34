import Foundation
import Viewfinder

/// Where a view draws the card guide, and which outline of the photo that is: `/geometry`.
struct GuideReport: Codable, Hashable, Sendable {
  /// A rectangle of the view, in points.
  struct Frame: Codable, Hashable, Sendable {
    var x, y, width, height: Double

    init(_ rectangle: CGRect) {
      (x, y) = (rectangle.minX, rectangle.minY)
      (width, height) = (rectangle.width, rectangle.height)
    }
  }

  /// Where the picture lies.
  let picture: Frame
  /// Where the card belongs.
  let guide: Frame
  /// The radius of the guide's corners, in points.
  let cornerRadius: Double
  /// What `/photo.jpg?outline=` takes for a photo of just that.
  let outline: String

  /// The guide that stands for an outline.
  init(_ geometry: PreviewGeometry, _ outline: Outline) throws {
    let size = geometry.uprightSize
    let box = try outline.boundingBox(in: size)
    let frame = CGRect(
      x: box.minX / Double(size.width), y: box.minY / Double(size.height),
      width: box.width / Double(size.width), height: box.height / Double(size.height))
    let radius = Self.cornerRadius(of: outline, in: frame)
    picture = Frame(geometry.videoFrame)
    guide = Frame(geometry.viewRect(fromPhotoRect: frame))
    cornerRadius = radius * geometry.videoFrame.width
    self.outline = OutlineWords.write(frame, cornerRadius: radius)
  }

  /// The radius of an outline's corners, in units of the picture's width.
  private static func cornerRadius(of outline: Outline, in frame: CGRect) -> Double {
    switch outline {
    case .id1Card, .centeredCard: frame.width * CardSize.id1.cornerRadius / CardSize.id1.width
    case .roundedRectangle(_, let cornerRadius): cornerRadius
    case .detected(_, let fallback?): cornerRadius(of: fallback, in: frame)
    default: 0
    }
  }

  /// The guide for a card in the middle.
  init(_ geometry: PreviewGeometry) {
    // As large as the outline “card”: that is the guide where the whole picture is seen.
    let card = geometry.cardGuide(fraction: 0.8)
    picture = Frame(geometry.videoFrame)
    guide = Frame(card.frame)
    cornerRadius = card.cornerRadius
    outline = OutlineWords.write(
      geometry.photoRect(fromViewRect: card.frame),
      cornerRadius: card.cornerRadius / geometry.videoFrame.width)
  }
}

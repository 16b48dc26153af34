package import Foundation

// Outlines that are to be found.
extension Outline {
  /// Where an outline is to be found, and what stands in for it; `nil` for one that is known.
  package func search(in size: Dimensions) -> (frame: CGRect, fallback: Outline?)? {
    switch self {
    case .detected(let frame, let fallback): (frame, fallback)
    case .inPixels(let outline): outline.scaled(fromPixelsOf: size).search(in: size)
    default: nil
    }
  }
}

extension PhotoCrop {
  /// The crop with what a detector finds in the place of an outline that is to be found.
  ///
  /// - Parameters:
  ///   - source: The picture.
  ///   - expected: What was found there a moment ago: of the candidates, the one that lies there is the one, however
  ///     unsure.
  /// - Returns: The crop as it is then, and what was found.
  /// - Throws: ``CaptureError/badImageData(what:reason:)`` for a picture that can't be decoded.
  func found(in source: PhotoSource, expecting expected: DetectedOutline?) throws(CaptureError)
    -> (crop: PhotoCrop, outline: DetectedOutline?)
  {
    guard let search = outline?.search(in: source.uprightDimensions) else { return (self, nil) }
    let least = expected == nil ? OutlineDetector.defaultConfidence : Self.leastConfidence
    let candidates = try OutlineDetector().outlines(in: source, least, OutlineDetector.maximumCount)
      .filter { search.frame.contains($0.quadrilateral.center) }
    let near = expected.flatMap { expected in
      candidates.first {
        $0.quadrilateral.distance(to: expected.quadrilateral) < Self.nearness
      }
    }
    guard
      let found = near
        ?? candidates.first(where: { $0.confidence >= OutlineDetector.defaultConfidence })
    else {
      var crop = self
      crop.outline = search.fallback
      // A whole picture isn't squeezed into a card's shape.
      if crop.outline == nil { (crop.rectifiedSize, crop.cornerRadius) = (nil, nil) }
      return (crop, nil)
    }
    var crop = rectifiedSize.map { found.crop(to: $0) } ?? found.crop
    if let cornerRadius { crop.cornerRadius = cornerRadius }
    crop.backgroundColor = backgroundColor
    return (crop, found)
  }

  /// How sure a candidate must be that lies where one was expected.
  private static var leastConfidence: Double { 0.2 }
  /// How far its corners may be from there, in units of the picture.
  private static var nearness: Double { 0.08 }
}

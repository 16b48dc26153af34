import Foundation
import Viewfinder

/// An outline that was found, in JSON: its corners are pixels of the upright picture.
struct OutlineReport: Encodable {
  var corners: [[Double]]
  var confidence: Double
  var aspectRatio: Double
  var kind: String
  var edgeSupport: [Double]

  init(_ outline: DetectedOutline) {
    let size = outline.pictureDimensions
    corners = outline.quadrilateral.corners.map {
      [$0.x * Double(size.width), $0.y * Double(size.height)]
    }
    confidence = outline.confidence
    aspectRatio = outline.aspectRatio
    kind = outline.kind.rawValue
    edgeSupport = outline.edgeSupport
  }

  /// In a line for people.
  var line: String {
    let corners = corners.map { corner in
      corner.map { String(format: "%.1f", $0) }.joined(separator: ",")
    }
    return [
      kind, String(format: "%.0f %%", confidence * 100), String(format: "%.2f:1", aspectRatio),
      corners.joined(separator: " "),
    ].joined(separator: "  ")
  }
}

extension OutlineAdvice {
  /// What to do, in a few words.
  var words: String {
    switch self {
    case .cutOff, .tooNear: "Move back"
    case .tooFar: "Move closer"
    case .tooSlanted: "Less tilt"
    case .tooDark, .lowContrast: "More light"
    case .glare: "Too bright: turn the card"
    case .blurred: "Hold still"
    }
  }
}

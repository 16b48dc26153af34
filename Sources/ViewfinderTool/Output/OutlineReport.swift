import Foundation
import Viewfinder

/// An outline that was found, in JSON.
struct OutlineReport: Encodable {
  /// Points of the upright picture: whole numbers are the middles of pixels, as OpenCV and data of corners have them.
  var corners: [[Double]]
  var confidence: Double
  var aspectRatio: Double
  var kind: String
  var edgeSupport: [Double]
  /// As `--outline` takes it: from the picture's own corner, like all that is cropped.
  var outline: String

  init(_ found: DetectedOutline) {
    let size = found.pictureDimensions
    let points = found.quadrilateral.corners.map {
      [$0.x * Double(size.width), $0.y * Double(size.height)]
    }
    corners = points.map { $0.map { $0 - 0.5 } }
    confidence = found.confidence
    aspectRatio = found.aspectRatio
    kind = found.kind.rawValue
    edgeSupport = found.edgeSupport
    outline = "quad:" + points.joined().map { String(format: "%.1f", $0) }.joined(separator: ",")
  }

  /// In a line for people.
  var line: String {
    [
      kind, String(format: "%.0f %%", confidence * 100), String(format: "%.2f:1", aspectRatio),
      outline,
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

import Foundation

/// An outline as JSON, in units of the upright picture; `kind` says which other members there are.
///
/// | kind | members |
/// | --- | --- |
/// | `rectangle`, `ellipse` | `x`, `y`, `width`, `height` |
/// | `roundedRectangle` | the same and `cornerRadius` |
/// | `polygon` | `points`: `[[x, y], …]`, three or more |
/// | `quadrilateral` | `points`: the four corners, clockwise from the top left |
/// | `id1Card` | `x`, `y`, `width` |
/// | `centeredCard` | `fraction` |
/// | `detected` | `x`, `y`, `width`, `height` of the part where it lies; `fallback`, an outline, may be missing |
///
/// With `"unit": "pixels"` the numbers are pixels of the upright picture.
extension Outline: Codable {
  private enum Kind: String, Codable {
    case rectangle, roundedRectangle, ellipse, polygon, quadrilateral, id1Card, centeredCard,
      detected
  }

  private enum Key: String, CodingKey {
    case kind, unit, x, y, width, height, cornerRadius, points, fraction,
      fallback
  }

  /// More points than any hand draws.
  private static var maximumPoints: Int { 10_000 }

  /// Reads an outline.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    let unit = try values.decodeIfPresent(String.self, forKey: .unit) ?? "picture"
    guard ["picture", "pixels"].contains(unit) else {
      throw DecodingError.dataCorruptedError(
        forKey: .unit, in: values, debugDescription: "the unit “\(unit)” isn't known")
    }
    func number(_ key: Key) throws -> Double { try values.decode(Double.self, forKey: key) }
    func frame() throws -> CGRect {
      CGRect(
        x: try number(.x), y: try number(.y), width: try number(.width),
        height: try number(.height))
    }
    func points() throws -> [CGPoint] {
      let points = try values.decode([[Double]].self, forKey: .points)
      guard points.count >= 3, points.count <= Self.maximumPoints,
        points.allSatisfy({ $0.count == 2 })
      else {
        throw DecodingError.dataCorruptedError(
          forKey: .points, in: values, debugDescription: "three or more points [x, y] are needed")
      }
      return points.map { CGPoint(x: $0[0], y: $0[1]) }
    }
    let outline: Outline
    switch try values.decode(Kind.self, forKey: .kind) {
    case .rectangle: outline = .rectangle(try frame())
    case .roundedRectangle:
      outline = .roundedRectangle(try frame(), cornerRadius: try number(.cornerRadius))
    case .ellipse: outline = .ellipse(try frame())
    case .polygon: outline = .polygon(try points())
    case .quadrilateral:
      guard let quadrilateral = Quadrilateral(try points()) else {
        throw DecodingError.dataCorruptedError(
          forKey: .points, in: values, debugDescription: "a quadrilateral has four corners")
      }
      outline = .quadrilateral(quadrilateral)
    case .id1Card:
      outline = .id1Card(
        origin: CGPoint(x: try number(.x), y: try number(.y)), width: try number(.width))
    case .centeredCard: outline = .centeredCard(fraction: try number(.fraction))
    case .detected:
      outline = .detected(
        within: try frame(), fallback: try values.decodeIfPresent(Outline.self, forKey: .fallback))
    }
    self = unit == "pixels" ? .inPixels(outline) : outline
  }

  /// Writes the outline.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    func encode(_ kind: Kind, _ numbers: KeyValuePairs<Key, Double> = [:]) throws {
      try values.encode(kind, forKey: .kind)
      for (key, number) in numbers { try values.encode(number, forKey: key) }
    }
    func encode(_ kind: Kind, _ frame: CGRect, cornerRadius: Double? = nil) throws {
      try encode(
        kind,
        [
          .x: frame.origin.x, .y: frame.origin.y, .width: frame.size.width,
          .height: frame.size.height,
        ])
      try values.encodeIfPresent(cornerRadius, forKey: .cornerRadius)
    }
    var outline = self
    while case .inPixels(let inner) = outline {
      try values.encode("pixels", forKey: .unit)
      outline = inner
    }
    switch outline {
    case .rectangle(let frame): try encode(.rectangle, frame)
    case .roundedRectangle(let frame, let cornerRadius):
      try encode(.roundedRectangle, frame, cornerRadius: cornerRadius)
    case .ellipse(let frame): try encode(.ellipse, frame)
    case .polygon(let points):
      try encode(.polygon)
      try values.encode(points.map { [$0.x, $0.y] }, forKey: .points)
    case .quadrilateral(let corners):
      try encode(.quadrilateral)
      try values.encode(corners.corners.map { [$0.x, $0.y] }, forKey: .points)
    case .id1Card(let origin, let width):
      try encode(.id1Card, [.x: origin.x, .y: origin.y, .width: width])
    case .centeredCard(let fraction): try encode(.centeredCard, [.fraction: fraction])
    case .detected(let frame, let fallback):
      try encode(.detected, frame)
      try values.encodeIfPresent(fallback, forKey: .fallback)
    case .inPixels: break
    }
  }
}

import CViewfinder
import Foundation
import Testing

/// An outline with its points.
struct Outline: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var kind: UInt32
  var x = 0.0
  var y = 0.0
  var width = 0.0
  var height = 0.0
  var radius = 0.0
  var points: [vf_point] = []

  static func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Outline {
    Outline(
      testDescription: "rectangle \(x) \(y) \(width) \(height)", kind: VF_OUTLINE_RECTANGLE, x: x,
      y: y, width: width, height: height)
  }

  static func rounded(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, radius: Double
  ) -> Outline {
    var outline = rectangle(x, y, width, height)
    outline.testDescription = "rounded \(outline.testDescription) radius \(radius)"
    outline.kind = VF_OUTLINE_ROUNDED_RECTANGLE
    outline.radius = radius
    return outline
  }

  static func ellipse(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Outline {
    var outline = rectangle(x, y, width, height)
    outline.testDescription = "ellipse in \(outline.testDescription)"
    outline.kind = VF_OUTLINE_ELLIPSE
    return outline
  }

  static func polygon(_ points: [(Double, Double)], kind: UInt32 = VF_OUTLINE_POLYGON) -> Outline {
    Outline(
      testDescription: "\(points.count) points", kind: kind,
      points: points.map { vf_point(x: $0.0, y: $0.1) })
  }

  /// Calls `body` with the outline in C.
  func withC<R>(_ body: (UnsafePointer<vf_outline>) throws -> R) rethrows -> R {
    try points.withUnsafeBufferPointer { points in
      var outline = vf_outline(
        kind: kind, x: x, y: y, width: width, height: height, radius: radius,
        points: points.baseAddress, point_count: points.count)
      return try body(&outline)
    }
  }

  func bounds(_ width: Int, _ height: Int) throws -> [Int] {
    var bounds = vf_rectangle()
    var failure = vf_failure()
    let code = withC { vf_outline_bounds($0, UInt32(width), UInt32(height), &bounds, &failure) }
    guard code == 0 else { throw CallFailure(code: failure.code, description: words(failure)) }
    return [bounds.x, bounds.y, bounds.width, bounds.height].map(Int.init)
  }

  /// The coverage of the `width` × `height` pixels at (x, y).
  func mask(_ width: Int, _ height: Int, x: Int = 0, y: Int = 0) throws -> Picture {
    let picture = try Picture(VF_GREY, width, height)
    var region = vf_rectangle(
      x: UInt32(x), y: UInt32(y), width: UInt32(width), height: UInt32(height))
    var failure = vf_failure()
    let code = withC { vf_outline_mask($0, &region, &picture.image.planes.0, &failure) }
    guard code == 0 else { throw CallFailure(code: failure.code, description: words(failure)) }
    return picture
  }

  func crop(
    _ source: Picture, of size: (Int, Int)? = nil, at origin: (Int, Int)? = nil,
    background: vf_color? = nil
  ) throws -> Picture {
    let size = size ?? (source.width, source.height)
    var part = vf_rectangle(
      x: UInt32(origin?.0 ?? 0), y: UInt32(origin?.1 ?? 0), width: source.image.width,
      height: source.image.height)
    var color = background ?? vf_color()
    return try withC { outline in
      try withUnsafePointer(to: &part) { part in
        try withUnsafePointer(to: &color) { color in
          try Picture {
            vf_outline_crop(
              $0, &source.image, origin == nil ? nil : part, UInt32(size.0), UInt32(size.1),
              outline, background == nil ? nil : color, $1)
          }
        }
      }
    }
  }

  /// `crop` in the memory of a copy of the picture.
  func cut(
    _ source: Picture, of size: (Int, Int), at origin: (Int, Int), background: vf_color? = nil
  ) throws -> Picture {
    var part = vf_rectangle(
      x: UInt32(origin.0), y: UInt32(origin.1), width: source.image.width,
      height: source.image.height)
    var color = background ?? vf_color()
    return try withC { outline in
      try withUnsafePointer(to: &color) { color in
        try Picture { image, failure in
          let code = vf_image_convert(image, source.image.fourcc, &source.image, failure)
          guard code == 0 else { return code }
          let result = vf_outline_cut(
            image, &part, UInt32(size.0), UInt32(size.1), outline,
            background == nil ? nil : color, failure)
          if result != 0 { vf_image_free(image) }
          return result
        }
      }
    }
  }
}

import CViewfinder
import Foundation

/// A rectangle of card in space: where it lies in a picture, and how it is drawn.
struct DrawnCard {
  /// The corners where the sides' lines meet, clockwise.
  var corners: [vf_point]
  var color = (210, 60, 70)
  /// The radius of its corners as a share of its longer side.
  var radius = 0.037

  /// A card of `length` pixels and proportions `aspect` around a point, turned by `turn` degrees.
  init(
    _ x: Double, _ y: Double, length: Double, aspect: Double = 85.6 / 53.98, turn: Double = 0,
    tilt: Double = 0
  ) {
    let (sine, cosine) = (sin(turn * .pi / 180), cos(turn * .pi / 180))
    let (lean, upright) = (sin(tilt * .pi / 180), cos(tilt * .pi / 180))
    let places = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
    corners = places.map { across, down in
      let (u, v) = (across * length, down * length / aspect)
      let (a, b) = (u * cosine - v * sine, u * sine + v * cosine)
      // The camera is as far away as usual ones see it; tilted around the picture's width.
      let depth = 1 + b * lean / 544
      return vf_point(x: x + a / depth, y: y + b * upright / depth)
    }
  }

  /// A card with these corners, clockwise.
  init(_ corners: [(Double, Double)], _ color: (Int, Int, Int)) {
    self.corners = corners.map(vf_point.init)
    self.color = color
  }

  /// The point at (u, v), 0 to 1, with perspective.
  func point(_ u: Double, _ v: Double) -> vf_point {
    let (a, b, c, d) = (corners[0], corners[1], corners[2], corners[3])
    let (px, py) = (a.x - b.x + c.x - d.x, a.y - b.y + c.y - d.y)
    let (x1, y1, x2, y2) = (b.x - c.x, b.y - c.y, d.x - c.x, d.y - c.y)
    let determinant = x1 * y2 - x2 * y1
    let (g, h) = ((px * y2 - x2 * py) / determinant, (x1 * py - px * y1) / determinant)
    let w = g * u + h * v + 1
    return vf_point(
      x: ((b.x - a.x + g * b.x) * u + (d.x - a.x + h * d.x) * v + a.x) / w,
      y: ((b.y - a.y + g * b.y) * u + (d.y - a.y + h * d.y) * v + a.y) / w)
  }

  /// The outline with its round corners.
  var outline: [(Double, Double)] {
    let height = radius * hypot(corners[1].x - corners[0].x, corners[1].y - corners[0].y)
    let side = hypot(corners[3].x - corners[0].x, corners[3].y - corners[0].y)
    let (rx, ry) = (radius, height / side)
    var points: [(Double, Double)] = []
    for (corner, u, v) in [(2, rx, ry), (3, 1 - rx, ry), (0, 1 - rx, 1 - ry), (1, rx, 1 - ry)] {
      for step in 0...12 {
        let angle = (Double(corner) + Double(step) / 12) * .pi / 2
        let at = point(u + rx * cos(angle), v + ry * sin(angle))
        points.append((at.x, at.y))
      }
    }
    return points
  }
}

/// A card, and what lies along one of its sides.
enum Beside: CaseIterable, Sendable {
  case pen, note, ruler

  var card: DrawnCard {
    switch self {
    case .pen:
      DrawnCard([(468.9, 260.9), (237, 365.4), (171.1, 219.1), (403, 114.6)], (210, 225, 210))
    case .note:
      DrawnCard([(200.4, 90.4), (506.5, 196.6), (439.6, 389.6), (133.5, 283.4)], (225, 210, 140))
    case .ruler:
      DrawnCard([(270.4, 87), (479.4, 261.2), (369.6, 393), (160.6, 218.8)], (140, 140, 210))
    }
  }

  var thing: DrawnCard {
    var thing =
      switch self {
      case .pen:
        DrawnCard([(238.9, 364.6), (179, 214.9), (189.5, 210.7), (249.4, 360.4)], (30, 60, 30))
      case .note:
        DrawnCard(
          [(496.1, 241.7), (462.7, 348.4), (449.5, 344.3), (482.9, 237.6)], (200, 200, 200))
      case .ruler:
        DrawnCard([(161.2, 219.8), (277.4, 91.7), (286.9, 100.3), (170.7, 228.4)], (200, 110, 60))
      }
    thing.radius = 0.001
    return thing
  }
}

/// A picture of cards on a table, drawn with even edges and some noise.
func drawCards(
  _ cards: [DrawnCard], width: Int = 640, height: Int = 480, ground: Int = 90, noise: Int = 2,
  seed: UInt64 = 1
) throws -> Picture {
  let picture = try Picture(VF_RGB24, width, height) { _, x, _ in ground + x % 3 * 8 }
  var failure = vf_failure()
  let (data, stride) = (picture.plane(0).data!, picture.plane(0).stride)
  for card in cards {
    var mask = [UInt8](repeating: 0, count: width * height)
    let region = vf_rectangle(x: 0, y: 0, width: UInt32(width), height: UInt32(height))
    let code = mask.withUnsafeMutableBufferPointer { mask in
      Outline.polygon(card.outline).withC { outline in
        withUnsafePointer(to: region) { region in
          withUnsafePointer(to: vf_plane(data: mask.baseAddress, stride: width)) {
            vf_outline_mask(outline, region, $0, &failure)
          }
        }
      }
    }
    guard code == 0 else { throw CallFailure(code: failure.code, description: words(failure)) }
    let color = [card.color.0, card.color.1, card.color.2]
    mask.withUnsafeBufferPointer { mask in
      for y in 0..<height {
        for x in 0..<width where mask[y * width + x] > 0 {
          let cover = Int(mask[y * width + x])
          for c in 0..<3 {
            let at = y * stride + 3 * x + c
            data[at] = UInt8((Int(data[at]) * (255 - cover) + color[c] * cover) / 255)
          }
        }
      }
    }
  }
  if noise > 0 {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    for at in 0..<height * stride {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let value = Int(data[at]) + Int(state >> 40) % (2 * noise + 1) - noise
      data[at] = sample(value)
    }
  }
  return picture
}

/// The largest distance between corners of two quadrilaterals, whichever comes first.
func cornerDistance(_ a: [vf_point], _ b: [vf_point]) -> Double {
  (0..<4).map { turn in
    (0..<4).map { hypot(a[$0].x - b[($0 + turn) % 4].x, a[$0].y - b[($0 + turn) % 4].y) }.max()!
  }.min()!
}

extension vf_candidate {
  var quadrilateral: [vf_point] { [corners.0, corners.1, corners.2, corners.3] }
}

/// A detector that is released.
final class Detector {
  let handle: OpaquePointer

  init() throws {
    var failure = vf_failure()
    guard let handle = vf_detector_create(&failure) else {
      throw CallFailure(code: failure.code, description: words(failure))
    }
    self.handle = handle
  }

  deinit { vf_detector_destroy(handle) }

  func find(_ picture: Picture, threshold: Double? = nil, count: Int = 8) throws -> [vf_candidate] {
    try find(&picture.image, threshold: threshold, count: count)
  }

  func find(_ image: inout vf_image, threshold: Double? = nil, count: Int = 8) throws
    -> [vf_candidate]
  {
    var candidates = [vf_candidate](repeating: vf_candidate(), count: count)
    var failure = vf_failure()
    let found = vf_detector_find(
      handle, &image, threshold ?? vf_detector_threshold(), &candidates, count, &failure)
    guard found >= 0 else { throw CallFailure(code: failure.code, description: words(failure)) }
    return Array(candidates.prefix(Int(found)))
  }
}

/// A tracker that is released.
final class Tracker {
  let handle: OpaquePointer

  init() throws {
    var failure = vf_failure()
    guard let handle = vf_tracker_create(&failure) else {
      throw CallFailure(code: failure.code, description: words(failure))
    }
    self.handle = handle
  }

  deinit { vf_tracker_destroy(handle) }

  func follow(_ picture: Picture, at time: Double) throws -> vf_tracking {
    var tracking = vf_tracking()
    var failure = vf_failure()
    let code = vf_tracker_follow(
      handle, &picture.image, time, vf_detector_threshold(), &tracking, &failure)
    guard code == 0 else { throw CallFailure(code: failure.code, description: words(failure)) }
    return tracking
  }
}

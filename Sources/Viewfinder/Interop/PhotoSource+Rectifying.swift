import CViewfinder

extension PhotoSource {
  /// The picture inside four corners of the upright picture, clockwise from the top left, in pixels; they lie in
  /// `region`, outside of which nothing is decoded.
  ///
  /// Unless quality comes first, a JPEG is decoded at a scale that leaves as many pixels as the result has, or
  /// more.
  func rectified(
    _ corners: [vf_point], in region: vf_rectangle, to target: Dimensions,
    prioritizing priority: CapturePhotoOutput.QualityPrioritization
  ) throws(CaptureError) -> (picture: Picture, hadDamage: Bool) {
    // Turning is the filter's work; only a mirrored picture isn't seen from its other side.
    guard !orientation.isMirrored else {
      let (part, hadDamage) = try upright(region)
      let points = corners.map {
        vf_point(x: $0.x - Double(region.x), y: $0.y - Double(region.y))
      }
      return (try part.rectified(points, to: target, prioritizing: priority), hadDamage)
    }
    let scale = canScale && priority != .quality ? Self.eighths(for: corners, target) : 8
    let size = uprightDimensions
    let stored = region.stored(in: dimensions, orientation: orientation)
      .scaled(by: scale)
    let (part, hadDamage) = try decoded(stored, scale: scale, keepsSubsampling: true)
    let points = corners.map { corner in
      let point = vf_orient_point(
        corner, UInt32(size.width), UInt32(size.height), UInt32(orientation.inverse.rawValue))
      return vf_point(
        x: point.x * Double(scale) / 8 - Double(stored.x),
        y: point.y * Double(scale) / 8 - Double(stored.y))
    }
    return (try part.rectified(points, to: target, prioritizing: priority), hadDamage)
  }

  /// The smallest scale that leaves the shortest side of each pair as long as the result's.
  private static func eighths(for corners: [vf_point], _ target: Dimensions) -> UInt8 {
    func side(_ a: Int, _ b: Int) -> Double {
      let (x, y) = (corners[a].x - corners[b].x, corners[a].y - corners[b].y)
      return (x * x + y * y).squareRoot()
    }
    let across = min(side(0, 1), side(2, 3)) / Double(target.width)
    let down = min(side(1, 2), side(3, 0)) / Double(target.height)
    return [1, 2, 4].first { min(across, down) * Double($0) / 8 >= 1 } ?? 8
  }
}

extension vf_rectangle {
  /// The rectangle with a margin on each side, as far as a picture of this size has one.
  func widened(by margin: UInt32, in size: Dimensions) -> vf_rectangle {
    let (left, top) = (x - min(x, margin), y - min(y, margin))
    return vf_rectangle(
      x: left, y: top, width: min(x + width + margin, UInt32(size.width)) - left,
      height: min(y + height + margin, UInt32(size.height)) - top)
  }

  /// The pixels that show these once the picture is scaled to some eighths of its size.
  func scaled(by eighths: UInt8) -> vf_rectangle {
    let scale = UInt32(eighths)
    let (left, top) = (x * scale / 8, y * scale / 8)
    return vf_rectangle(
      x: left, y: top, width: ((x + width) * scale + 7) / 8 - left,
      height: ((y + height) * scale + 7) / 8 - top)
  }
}

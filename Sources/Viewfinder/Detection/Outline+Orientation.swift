import Foundation

// Outlines of pictures that are stored turned or mirrored.
extension ImageOrientation {
  /// Where a point of the stored picture lies in the upright one, both in units.
  func upright(_ point: CGPoint) -> CGPoint {
    let (x, y) = (point.x, point.y)
    let turned =
      switch clockwiseRotation {
      case 90: CGPoint(x: 1 - y, y: x)
      case 180: CGPoint(x: 1 - x, y: 1 - y)
      case 270: CGPoint(x: y, y: 1 - x)
      default: point
      }
    return isMirrored ? CGPoint(x: 1 - turned.x, y: turned.y) : turned
  }
}

extension TrackedOutline {
  /// The card in a stored picture as it lies in the upright one.
  func upright(_ orientation: ImageOrientation) -> TrackedOutline {
    var upright = self
    upright.outline = outline.upright(orientation)
    upright.conditions.glareCenter = orientation.upright(conditions.glareCenter)
    return upright
  }
}

extension DetectedOutline {
  /// The outline of a stored picture as it lies in the upright one.
  fileprivate func upright(_ orientation: ImageOrientation) -> DetectedOutline {
    guard orientation != .up else { return self }
    var upright = self
    upright.pictureDimensions =
      orientation.swapsDimensions ? pictureDimensions.swapped : pictureDimensions
    var corners = quadrilateral.corners.map(orientation.upright)
    if orientation.isMirrored {
      // Clockwise again: the edge before a corner is now the one after it.
      corners.reverse()
      upright.edgeSupport = [2, 1, 0, 3].map { edgeSupport[$0] }
    }
    let size = upright.pictureDimensions
    let first = (0..<4).min { a, b in
      func distance(_ index: Int) -> Double {
        hypot(corners[index].x * Double(size.width), corners[index].y * Double(size.height))
      }
      return distance(a) < distance(b)
    }!
    func turned<T>(_ list: [T]) -> [T] { (0..<4).map { list[($0 + first) % 4] } }
    upright.quadrilateral = Quadrilateral(turned(corners))!
    upright.edgeSupport = turned(upright.edgeSupport)
    return upright
  }
}

extension MetadataMachineReadableCodeObject {
  /// The code in a stored picture as it lies in the upright one.
  func upright(_ orientation: ImageOrientation) -> MetadataMachineReadableCodeObject {
    let corners = corners.map(orientation.upright)
    // Clockwise again.
    return MetadataMachineReadableCodeObject(
      type: type, time: time, corners: orientation.isMirrored ? corners.reversed() : corners,
      stringValue: stringValue)
  }
}

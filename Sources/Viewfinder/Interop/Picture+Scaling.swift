import CViewfinder

extension Picture {
  /// The picture at another size, or itself when it has that size.
  func resized(to size: Dimensions) throws(CaptureError) -> Picture {
    size == dimensions ? self : try scaled(to: size)
  }

  /// The picture at a small size: fast, and fit for no more than a thumbnail.
  func thumbnail(_ size: Dimensions) throws(CaptureError) -> Picture {
    guard size != dimensions else { return self }
    return try unsafe Picture.make("the thumbnail") { result, failure in
      var source = unsafe image
      return unsafe vf_image_thumbnail(
        result, &source, UInt32(size.width), UInt32(size.height), failure)
    }
  }

  /// The largest square in the middle.
  func centerSquare() throws(CaptureError) -> Picture {
    let (width, height) = (dimensions.width, dimensions.height)
    let side = min(width, height)
    guard width != height else { return self }
    return try cropped(
      to: vf_rectangle(
        x: UInt32((width - side) / 2), y: UInt32((height - side) / 2), width: UInt32(side),
        height: UInt32(side)))
  }
}

extension PhotoSource {
  /// The upright picture, scaled down to fit into a box where it is larger.
  func upright(fitting box: Dimensions) throws(CaptureError) -> (picture: Picture, hadDamage: Bool)
  {
    let size = dimensions.fitted(into: orientation.swapsDimensions ? box.swapped : box)
    let (small, hadDamage) = try decoded(to: size)
    return (orientation == .up ? small : try small.oriented(orientation), hadDamage)
  }
}

extension Dimensions {
  /// The smallest scale, in eighths, at which the decoder alone makes at least `size` of a JPEG of this
  /// size.
  func eighths(for size: Dimensions) -> UInt8 {
    [1, 2, 4].first { scale in
      (width * Int(scale) + 7) / 8 >= size.width && (height * Int(scale) + 7) / 8 >= size.height
    } ?? 8
  }
}

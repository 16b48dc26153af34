import CViewfinder
import Foundation

/// An uncompressed picture of the C core: memory of its own, or a view of bytes that `owner` keeps
/// alive.
///
/// Never changed once made, while anybody may see it, so it may be read from any thread.
@safe final class Picture: @unchecked Sendable {
  private(set) var image: vf_image
  private let owner: (any Sendable)?

  private init(_ image: vf_image, owner: (any Sendable)? = nil) {
    unsafe self.image = unsafe image
    self.owner = owner
  }

  deinit {
    var image = unsafe image
    unsafe vf_image_free(&image)
  }

  /// Makes a picture by a C call that fills a new image.
  static func make(
    _ what: String,
    _ body: (UnsafeMutablePointer<vf_image>, UnsafeMutablePointer<vf_failure>) -> Int32
  ) throws(CaptureError) -> Picture {
    var image = unsafe vf_image()
    var failure = unsafe vf_failure()
    guard unsafe body(&image, &failure) == 0 else { throw unsafe failure.imageError(what) }
    return unsafe Picture(image)
  }

  /// A copy of bytes laid out as V4L2 does; `bytesPerRow` 0 stands for rows without padding.
  static func copy(
    _ bytes: Data, format: PixelFormat, dimensions: Dimensions, bytesPerRow: Int
  ) throws(CaptureError) -> Picture {
    let what = "the pixels"
    let (width, height) = (UInt32(clamping: dimensions.width), UInt32(clamping: dimensions.height))
    return try unsafe bytes.withBytes { bytes throws(CaptureError) in
      try unsafe Picture.make(what) { result, failure in
        var view = unsafe vf_image()
        let start = unsafe bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)!
        let code = unsafe vf_image_view(
          &view, format.rawValue, width, height, max(bytesPerRow, 0),
          start.assumingMemoryBound(to: UInt8.self), bytes.count, failure)
        guard code == 0 else { return code }
        return unsafe vf_image_convert(result, format.rawValue, &view, failure)
      }
    }
  }

  /// A view of an uncompressed frame's bytes.
  static func view(_ lease: FrameLease, format: VideoFormat) throws(CaptureError) -> Picture {
    var image = unsafe vf_image()
    var failure = unsafe vf_failure()
    let bytes = unsafe lease.bytes
    let result = unsafe vf_image_view(
      &image, format.pixelFormat.rawValue, UInt32(format.dimensions.width),
      UInt32(format.dimensions.height), format.bytesPerRow,
      bytes.baseAddress!.assumingMemoryBound(to: UInt8.self), bytes.count, &failure)
    guard result == 0 else { throw unsafe failure.imageError("the frame") }
    unsafe image.limited_range = format.usesLimitedRange ? 1 : 0
    return unsafe Picture(image, owner: lease)
  }

  var dimensions: Dimensions {
    unsafe Dimensions(width: Int(image.width), height: Int(image.height))
  }

  var pixelFormat: PixelFormat { unsafe PixelFormat(rawValue: image.fourcc) }

  var hasAlpha: Bool {
    unsafe image.alpha.data != nil || pixelFormat.hasAlpha
  }

  /// A small grey picture, not larger than this one.
  func luminance(_ size: Dimensions) throws(CaptureError) -> Luminance {
    var pixels = [UInt8](repeating: 0, count: size.width * size.height)
    var image = unsafe image
    var failure = unsafe vf_failure()
    guard
      unsafe vf_image_luminance(
        &pixels, UInt32(size.width), UInt32(size.height), &image, &failure) == 0
    else { throw unsafe failure.imageError("the picture") }
    return Luminance(dimensions: size, pixels: pixels)
  }

  func histogram() throws(CaptureError) -> PictureHistogram {
    var counts = [UInt32](repeating: 0, count: 4 * 256)
    var image = unsafe image
    var failure = unsafe vf_failure()
    guard unsafe vf_image_histogram(&counts, &image, &failure) == 0 else {
      throw unsafe failure.imageError("the picture")
    }
    return PictureHistogram(counts: counts)
  }

  // MARK: Geometry

  func oriented(_ orientation: ImageOrientation) throws(CaptureError) -> Picture {
    try unsafe Picture.make("the picture") { result, failure in
      var source = unsafe image
      return unsafe vf_image_orient(result, &source, UInt32(orientation.rawValue), failure)
    }
  }

  func cropped(to rectangle: vf_rectangle) throws(CaptureError) -> Picture {
    try unsafe Picture.make("the picture") { result, failure in
      var source = unsafe image
      return unsafe vf_image_crop(
        result, &source, rectangle.x, rectangle.y, rectangle.width, rectangle.height, failure)
    }
  }

  func scaled(to size: Dimensions) throws(CaptureError) -> Picture {
    try unsafe Picture.make("the picture") { result, failure in
      var source = unsafe image
      return unsafe vf_image_scale(
        result, &source, UInt32(size.width), UInt32(size.height), failure)
    }
  }

  func converted(to format: PixelFormat) throws(CaptureError) -> Picture {
    try unsafe Picture.make("the picture") { result, failure in
      var source = unsafe image
      return unsafe vf_image_convert(result, format.rawValue, &source, failure)
    }
  }

  /// The picture inside `outline`; this picture shows the part of a `whole` picture that starts at
  /// `origin`.
  ///
  /// Where nobody else has this picture, the result takes its memory.
  consuming func cropped(
    to outline: borrowing PixelOutline, origin: vf_rectangle, of whole: Dimensions,
    background: PhotoColor?
  ) throws(CaptureError) -> Picture {
    var picture = self
    let isOwn = unsafe isKnownUniquelyReferenced(&picture) && picture.image.storage != nil
    var image = unsafe isOwn ? picture.image : vf_image()
    if isOwn { unsafe picture.image = vf_image() }
    var failure = unsafe vf_failure()
    let (width, height) = (UInt32(whole.width), UInt32(whole.height))
    var origin = origin
    let code = unsafe background.withColor { color in
      unsafe outline.withUnsafePointer { outline in
        if isOwn {
          return unsafe vf_outline_cut(&image, &origin, width, height, outline, color, &failure)
        }
        var source = unsafe picture.image
        return unsafe vf_outline_crop(
          &image, &source, &origin, width, height, outline, color, &failure)
      }
    }
    guard code == 0 else {
      unsafe vf_image_free(&image)
      throw unsafe failure.imageError("the outline")
    }
    return unsafe Picture(image)
  }

  /// The picture inside four corners, pulled straight.
  func rectified(
    _ corners: [vf_point], to size: Dimensions,
    prioritizing priority: CapturePhotoOutput.QualityPrioritization
  ) throws(CaptureError) -> Picture {
    let filter = UInt32(priority == .speed ? VF_FILTER_FAST : VF_FILTER_BEST)
    return try unsafe Picture.make("the outline") { result, failure in
      var source = unsafe image
      return unsafe corners.withUnsafeBufferPointer { corners in
        unsafe vf_rectify(
          result, &source, corners.baseAddress!, UInt32(size.width), UInt32(size.height), filter,
          failure)
      }
    }
  }
}

extension PhotoColor? {
  /// Lends the colour to `body`, or `nil`.
  fileprivate func withColor<R>(_ body: (UnsafePointer<vf_color>?) -> R) -> R {
    guard let self else { return body(nil) }
    var color = vf_color(red: self.red, green: self.green, blue: self.blue)
    return unsafe body(&color)
  }
}

/// An outline in pixels, with the memory that its points need.
@safe struct PixelOutline {
  private var outline = unsafe vf_outline()
  private let points: [vf_point]

  /// The outline as it lies in a picture of this size.
  init(_ outline: Outline, in size: Dimensions) {
    let width = Double(size.width)
    let height = Double(size.height)
    var kind = UInt32(VF_OUTLINE_RECTANGLE)
    var frame = CGRect.zero
    var radius = 0.0
    var corners: [CGPoint] = []
    switch outline.resolved(for: size) {
    case .rectangle(let rectangle):
      frame = rectangle
    case .roundedRectangle(let rectangle, let cornerRadius):
      (kind, frame, radius) = (UInt32(VF_OUTLINE_ROUNDED_RECTANGLE), rectangle, cornerRadius)
    case .ellipse(let rectangle):
      (kind, frame) = (UInt32(VF_OUTLINE_ELLIPSE), rectangle)
    case .polygon(let points):
      (kind, corners) = (UInt32(VF_OUTLINE_POLYGON), points)
    case .quadrilateral(let quadrilateral):
      (kind, corners) = (UInt32(VF_OUTLINE_QUADRILATERAL), quadrilateral.corners)
    case .id1Card, .centeredCard, .inPixels, .detected:
      break  // resolved(for:) leaves none.
    }
    points = corners.map { vf_point(x: $0.x * width, y: $0.y * height) }
    let across = Self.snapped(frame.minX * width, frame.maxX * width)
    let down = Self.snapped(frame.minY * height, frame.maxY * height)
    unsafe self.outline.kind = kind
    unsafe self.outline.x = across.lower
    unsafe self.outline.y = down.lower
    unsafe self.outline.width = across.upper - across.lower
    unsafe self.outline.height = down.upper - down.lower
    unsafe self.outline.radius = radius * width
  }

  /// The edges of a frame, moved to the nearest whole pixels: straight sides shall be sharp, not
  /// blended with the background.
  ///
  /// What has an extent keeps one.
  private static func snapped(_ lower: Double, _ upper: Double) -> (lower: Double, upper: Double) {
    let edges = (lower: lower.rounded(), upper: upper.rounded())
    guard edges.lower == edges.upper, lower < upper else { return edges }
    return (lower.rounded(.down), lower.rounded(.down) + 1)
  }

  func withUnsafePointer<R>(_ body: (UnsafePointer<vf_outline>) -> R) -> R {
    unsafe points.withUnsafeBufferPointer { points in
      var outline = unsafe outline
      unsafe outline.points = points.baseAddress
      unsafe outline.point_count = points.count
      return unsafe body(&outline)
    }
  }

  /// The pixels that the outline touches.
  func bounds(in size: Dimensions) throws(CaptureError) -> vf_rectangle {
    var bounds = vf_rectangle()
    var failure = unsafe vf_failure()
    let result = unsafe withUnsafePointer {
      unsafe vf_outline_bounds($0, UInt32(size.width), UInt32(size.height), &bounds, &failure)
    }
    guard result == 0 else {
      throw unsafe .invalidSettings(
        reason: "The outline can't be cropped to: \(failure.detailText). "
          + "Give it an area inside the picture (\(size) pixels).")
    }
    return bounds
  }

  /// The same, as Swift has it.
  func boundingBox(in size: Dimensions) throws(CaptureError) -> CGRect {
    let bounds = try bounds(in: size)
    return CGRect(
      x: Int(bounds.x), y: Int(bounds.y), width: Int(bounds.width), height: Int(bounds.height))
  }
}

extension vf_rectangle {
  init(_ size: Dimensions) {
    self.init(x: 0, y: 0, width: UInt32(size.width), height: UInt32(size.height))
  }

  /// The pixels of the stored picture that become these when it is turned upright.
  func stored(in size: Dimensions, orientation: ImageOrientation) -> vf_rectangle {
    vf_stored_rectangle(
      self, UInt32(size.width), UInt32(size.height), UInt32(orientation.rawValue))
  }
}

// Memory.
extension Picture {
  var planeCount: Int {
    unsafe vf_layout_find(image.fourcc).map { unsafe Int($0.pointee.plane_count) } ?? 0
  }

  private func plane(_ index: Int) -> vf_plane {
    switch index {
    case 0: unsafe image.planes.0
    case 1: unsafe image.planes.1
    default: unsafe image.planes.2
    }
  }

  func bytesPerRow(ofPlane index: Int) -> Int { unsafe plane(index).stride }

  func rowCount(ofPlane index: Int) -> Int {
    guard index > 0, let layout = unsafe vf_layout_find(image.fourcc) else {
      return dimensions.height
    }
    let shift = unsafe layout.pointee.chroma_shift_y
    return (dimensions.height + (1 << shift) - 1) >> shift
  }

  /// The bytes that a row of a plane uses.
  private func rowSize(ofPlane index: Int) -> Int {
    guard let layout = unsafe vf_layout_find(image.fourcc) else { return 0 }
    if index == 0 {
      let width =
        unsafe layout.pointee.plane_count == 1 && layout.pointee.chroma_shift_x == 1
        ? (dimensions.width + 1) & ~1 : dimensions.width
      return unsafe width * Int(layout.pointee.bytes_per_pixel)
    }
    let shift = unsafe layout.pointee.chroma_shift_x
    let samples = (dimensions.width + (1 << shift) - 1) >> shift
    return unsafe layout.pointee.plane_count == 2 ? 2 * samples : samples
  }

  /// A plane's rows; the last one without the padding that may not be there.
  func memory(ofPlane index: Int) -> UnsafeRawBufferPointer {
    precondition((0..<planeCount).contains(index), "There is no plane \(index).")
    let plane = unsafe plane(index)
    let count = unsafe plane.stride * (rowCount(ofPlane: index) - 1) + rowSize(ofPlane: index)
    return unsafe UnsafeRawBufferPointer(start: plane.data, count: count)
  }
}

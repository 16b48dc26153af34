/// A small grey picture of a frame, for programs that watch what a camera shows: whether something
/// moves, whether it is dark, whether it is sharp.
///
/// ```swift
/// /// Tells when somebody is at the door.
/// func watch(_ output: CaptureVideoDataOutput) async throws {
///   var last: Luminance?
///   for await frame in output.frames {
///     let small = try frame.luminance(fitting: Dimensions(width: 80, height: 60))
///     defer { last = small }
///     guard let before = last, before.dimensions == small.dimensions else { continue }
///     var changed = 0
///     for i in small.pixels.indices where abs(Int(small.pixels[i]) - Int(before.pixels[i])) > 24 {
///       changed += 1
///     }
///     if changed * 50 > small.pixels.count { print("Something moves.") }
///   }
/// }
/// ```
public struct Luminance: Hashable, Sendable {
  /// The size, in pixels.
  public let dimensions: Dimensions

  private let storage: [UInt8]

  /// `pixels` are as many as `dimensions` says.
  init(dimensions: Dimensions, pixels: [UInt8]) {
    self.dimensions = dimensions
    storage = pixels
  }

  /// The pixels row after row, from 0 (black) to 255 (white), without padding.
  public var pixels: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      let pixels = storage.span
      return unsafe _overrideLifetime(pixels, borrowing: self)
    }
  }

  /// The pixel at a column and row, both from 0.
  public subscript(x: Int, y: Int) -> UInt8 { storage[y * dimensions.width + x] }

  /// The mean of the pixels, from 0 to 255.
  public var mean: Double {
    let sum = storage.reduce(into: 0) { $0 += Int($1) }
    return Double(sum) / Double(max(storage.count, 1))
  }

  /// How much fine detail there is: the variance of the picture's Laplacian, in squared steps of grey.
  ///
  /// The Laplacian of a pixel is four times itself less its four neighbours; pixels at the edges have none. A
  /// plain picture has 0, noise and a picture in focus some hundreds or thousands, and no picture more than
  /// 1,040,400. Compare pictures of one scene and one size only: the sharpest of them has the most.
  public var sharpness: Double {
    let (width, height) = (dimensions.width, dimensions.height)
    guard width > 2, height > 2 else { return 0 }
    let pixels = storage.span
    var (sum, squares) = (0, 0)
    for y in 1..<height - 1 {
      for at in y * width + 1..<(y + 1) * width - 1 {
        let neighbours =
          Int(pixels[at - 1]) + Int(pixels[at + 1]) + Int(pixels[at - width])
          + Int(pixels[at + width])
        let laplacian = 4 * Int(pixels[at]) - neighbours
        sum += laplacian
        squares += laplacian * laplacian
      }
    }
    let count = Double((width - 2) * (height - 2))
    let mean = Double(sum) / count
    return Double(squares) / count - mean * mean
  }
}

extension VideoFrame {
  /// A small grey picture of the frame, without converting all of it.
  ///
  /// It decodes a JPEG frame at an eighth of its size where that is enough; of other frames it
  /// reads up to 4 × 4 pixels for each small one. It doesn't turn the picture upright.
  ///
  /// - Parameter box: The greatest width and height, in pixels; the picture keeps the frame's
  ///   proportions, and is never larger than the frame.
  /// - Returns: The small picture.
  /// - Throws: ``CaptureError/badImageData(what:reason:)`` for a damaged frame.
  public func luminance(fitting box: Dimensions) throws(CaptureError) -> Luminance {
    let size = format.dimensions.fitted(into: box)
    guard case .lease(let lease) = storage, format.pixelFormat.isJPEG else {
      return try picture().luminance(size)
    }
    let scale = format.dimensions.eighths(for: size)
    return try unsafe JPEGCodec.decode(lease.bytes, "the frame", scale: scale).picture
      .luminance(size)
  }

  /// The mean luma, from 0 to 255.
  func meanLuma() throws(CaptureError) -> Double {
    try luminance(fitting: Dimensions(width: 64, height: 64)).mean
  }
}

extension PixelBuffer {
  /// A small grey picture of this one, made from up to 4 × 4 pixels for each small one.
  ///
  /// - Parameter box: The greatest width and height, in pixels; the small picture keeps the
  ///   proportions, and is never larger than this one.
  /// - Returns: The small picture.
  /// - Throws: ``CaptureError`` when memory is short.
  public func luminance(fitting box: Dimensions) throws(CaptureError) -> Luminance {
    try picture.luminance(dimensions.fitted(into: box))
  }
}

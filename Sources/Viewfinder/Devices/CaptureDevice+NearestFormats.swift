import Foundation

extension CaptureDevice {
  /// The error for a format that the camera lacks, with the closest ones that it has.
  ///
  /// For programs that need exactly this layout or size, when
  /// ``bestFormat(_:dimensions:frameRate:)`` returned another.
  ///
  /// - Parameters:
  ///   - pixelFormat: The layout that the program needs; `nil` for any.
  ///   - dimensions: The size that the program needs; `nil` for any.
  /// - Returns: ``CaptureError/unsupportedFormat(device:requested:nearest:)``.
  public func unsupportedFormat(_ pixelFormat: PixelFormat?, dimensions: Dimensions?)
    -> CaptureError
  {
    unsupportedFormat(StreamFormat(pixelFormat: pixelFormat, dimensions: dimensions))
  }

  /// The best that the camera can do for a wish.
  func choose(_ wanted: StreamFormat) throws(CaptureError) -> ModeTable.Choice {
    guard let choice = try modes().choose(wanted) else { throw unsupportedFormat(wanted) }
    return choice
  }

  func unsupportedFormat(_ wanted: StreamFormat) -> CaptureError {
    .unsupportedFormat(
      device: path, requested: wanted.description, nearest: formats.nearest(to: wanted))
  }
}

extension [CaptureDevice.Format] {
  /// How many sizes an error names.
  private static var limit: Int { 4 }

  /// A size, or a range of sizes, and the readable layouts that it comes in.
  private struct Offer {
    var words: String
    var distance: Double
    var layouts: [PixelFormat]
  }

  /// The few sizes that come nearest to a wish, nearest first, each with its readable layouts.
  ///
  /// Where none of them comes in the wish's layout, the nearest that does is the last.
  func nearest(to wanted: StreamFormat) -> [String] {
    var offers: [Offer] = []
    for format in self where format.pixelFormat.isReadable && format.dimensions.isUsable {
      let words = format.sizeInWords
      if let known = offers.firstIndex(where: { $0.words == words }) {
        if !offers[known].layouts.contains(format.pixelFormat) {
          offers[known].layouts.append(format.pixelFormat)
        }
      } else {
        offers.append(
          Offer(
            words: words, distance: format.distance(to: wanted.dimensions),
            layouts: [format.pixelFormat]))
      }
    }
    offers.sort { $0.distance < $1.distance }
    var named = offers.prefix(Self.limit)
    if let layout = wanted.pixelFormat, !named.contains(where: { $0.layouts.contains(layout) }),
      let other = offers.first(where: { $0.layouts.contains(layout) })
    {
      named[named.count - 1] = other
    }
    return named.map { "\($0.words) (\(Self.list($0.layouts, first: wanted.pixelFormat)))" }
  }

  private static func list(_ layouts: [PixelFormat], first: PixelFormat?) -> String {
    let ordered = layouts.filter { $0 == first } + layouts.filter { $0 != first }
    let named = ordered.prefix(limit).map(\.description).joined(separator: ", ")
    let rest = ordered.count - limit
    return rest > 0 ? "\(named) and \(rest) more" : named
  }
}

extension CaptureDevice.Format {
  /// The size, or the range of sizes, as in "640x480" or "16x16–4096x2160".
  fileprivate var sizeInWords: String {
    dimensionRange.map { "\($0.minimum)–\($0.maximum)" } ?? "\(dimensions)"
  }

  /// How far the format is from a size, by how much larger or smaller each side is; from no size, how
  /// far it is from the largest.
  fileprivate func distance(to size: Dimensions?) -> Double {
    guard let size, size.isUsable else {
      // No integer holds the areas that a driver may claim.
      return -Double(dimensions.width) * Double(dimensions.height)
    }
    let nearest = dimensionRange.map { range in
      Dimensions(
        width: Swift.min(Swift.max(size.width, range.minimum.width), range.maximum.width),
        height: Swift.min(Swift.max(size.height, range.minimum.height), range.maximum.height))
    }
    let (own, wanted) = (nearest ?? dimensions, size)
    return abs(log(Double(own.width) / Double(wanted.width)))
      + abs(log(Double(own.height) / Double(wanted.height)))
  }
}

extension Dimensions {
  fileprivate var isUsable: Bool { width > 0 && height > 0 }
}

public import Foundation

/// Which assets of an album to list.
public struct AssetFilter: Hashable, Sendable {
  /// The kinds of assets; `nil`, the default, for all, unknown ones included.
  public var kinds: Set<ContentType.Kind>?
  /// Whether to list favourites only.
  ///
  /// The default is `false`.
  public var onlyFavorites = false
  /// When the assets were taken, by the camera's own clock; `nil`, the default, for any time.
  public var captured: Range<Date>?
  /// The camera's make and model, as ``Asset/camera`` has it; `nil`, the default, for any.
  public var camera: String?
  /// Where the assets were taken; `nil`, the default, for anywhere, and also for those that don't say.
  public var area: GeoArea?
  /// Words, of which each must occur in a file's name, the camera, or the name of the folder or of an album that a person
  /// made; the default is none.
  ///
  /// Letters of the Latin alphabet without marks are found in either case.
  public var words: [String] = []

  /// Creates a filter that lets everything through.
  public init() {}

  /// Everything.
  public static let all = AssetFilter()
  /// Pictures.
  public static let photos = AssetFilter(kinds: [.image, .rawImage])
  /// Videos.
  public static let videos = AssetFilter(kinds: [.video])

  /// Creates a filter for kinds of assets.
  public init(kinds: Set<ContentType.Kind>) { self.kinds = kinds }
}

/// A part of the Earth between two parallels and two meridians.
public struct GeoArea: Hashable, Sendable {
  /// Degrees north.
  public var latitudes: Range<Double>
  /// Degrees east.
  public var longitudes: Range<Double>

  /// Creates an area.
  ///
  /// - Parameters:
  ///   - latitudes: Degrees north, the upper bound not included.
  ///   - longitudes: Degrees east, likewise.
  public init(latitudes: Range<Double>, longitudes: Range<Double>) {
    (self.latitudes, self.longitudes) = (latitudes, longitudes)
  }

  /// The area of a position in a net of squares.
  ///
  /// - Parameters:
  ///   - position: The position.
  ///   - side: The side of a square, in degrees. The default is 0.1, which is 11 km from south to north.
  public init(around position: GeoPosition, side: Double = 0.1) {
    func square(_ degrees: Double) -> Range<Double> {
      let start = (degrees / side).rounded(.down)
      return start * side..<(start + 1) * side
    }
    self.init(latitudes: square(position.latitude), longitudes: square(position.longitude))
  }
}

import Viewfinder

/// How large thumbnails are: the sizes that desktops share in their cache.
public enum ThumbnailSize: Int, CaseIterable, Hashable, Sendable {
  /// At most 128 × 128 pixels.
  case normal = 128
  /// At most 256 × 256 pixels.
  case large = 256
  /// At most 512 × 512 pixels.
  case extraLarge = 512
  /// At most 1024 × 1024 pixels.
  case extraExtraLarge = 1024

  /// The greatest width and height, in pixels.
  public var side: Int { rawValue }

  /// The smallest size with at least `side` pixels, or the largest one.
  public init(atLeast side: Int) {
    self = Self.allCases.first { $0.side >= side } ?? .extraExtraLarge
  }

  var box: Dimensions { Dimensions(width: side, height: side) }

  /// The folder's name in the cache.
  var folderName: String {
    switch self {
    case .normal: "normal"
    case .large: "large"
    case .extraLarge: "x-large"
    case .extraExtraLarge: "xx-large"
    }
  }

  /// The sizes from this one up.
  var andLarger: [ThumbnailSize] { Self.allCases.filter { $0.side >= side } }
}

extension ThumbnailSize: Comparable {
  /// Whether the first size is smaller.
  public static func < (a: ThumbnailSize, b: ThumbnailSize) -> Bool { a.side < b.side }
}

/// How much of a picture a thumbnail shows.
public enum ThumbnailShape: Hashable, Sendable, CaseIterable {
  /// All of it, in its own proportions.
  case whole
  /// The square in its middle.
  case square
}

/// What the cache that desktops share has for an asset.
public enum ThumbnailStatus: Hashable, Sendable, CaseIterable {
  /// No thumbnail.
  case missing
  /// A thumbnail of the file before it changed; the library doesn't show it.
  case outdated
  /// A thumbnail of the file as it is.
  case ready
  /// A note that no thumbnail can be made of the file as it is.
  case failed
}

/// A file to make a thumbnail of, as it was when it was looked at.
struct ThumbnailItem: Hashable, Sendable {
  /// Absolute and canonical: without links, "." and "..".
  var path: FilePath
  var status: FileStatus
  var info: MediaInfo
}

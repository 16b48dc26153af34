import Foundation

/// A camera that took assets of the library.
public struct LibraryCamera: Hashable, Sendable {
  /// Make and model, for ``AssetFilter/camera``.
  public var name: String
  /// How many assets it took.
  public var assetCount: Int
}

/// A place where assets of the library were taken.
public struct LibraryPlace: Hashable, Sendable {
  /// The mean of their positions.
  public var position: GeoPosition
  /// The square around them, for ``AssetFilter/area``.
  public var area: GeoArea
  /// How many assets were taken there.
  public var assetCount: Int
}

// What there is to search for.
extension PhotoLibrary {
  /// The cameras that took assets, those with the most first.
  ///
  /// - Parameter limit: How many at most. The default is 50.
  /// - Returns: Each once.
  /// - Throws: ``PhotoLibraryError/indexUnusable(path:reason:)``.
  public func cameras(limit: Int = 50) async throws(PhotoLibraryError) -> [LibraryCamera] {
    try await core.index.read { db in try AssetQueries.cameras(limit: limit, db) }
      .map { LibraryCamera(name: $0.name, assetCount: $0.count) }
  }

  /// Where assets were taken: squares of a net, those with the most assets first.
  ///
  /// The library knows no names of places, only what the cameras wrote.
  ///
  /// - Parameters:
  ///   - side: The side of a square, in degrees. The default is 0.1, which is 11 km from south to north.
  ///   - limit: How many at most. The default is 50.
  /// - Returns: Each square in which there is an asset.
  /// - Throws: ``PhotoLibraryError/invalidRequest(reason:)`` for a side that is none,
  ///   ``PhotoLibraryError/indexUnusable(path:reason:)``.
  public func places(
    side: Double = 0.1, limit: Int = 50
  ) async throws(PhotoLibraryError) -> [LibraryPlace] {
    guard side.isFinite, side > 0, side <= 180 else {
      throw .invalidRequest(reason: "The side of a square is more than 0 and at most 180 degrees.")
    }
    return try await core.index.read { db in
      try AssetQueries.places(side: side, limit: limit, db)
    }.map {
      LibraryPlace(
        position: $0.position, area: GeoArea(around: $0.position, side: side), assetCount: $0.count)
    }
  }
}

public import Viewfinder

extension PhotoLibrary {
  /// A small upright picture of an asset.
  ///
  /// It comes from memory, from the cache that file managers share, from a picture that the file carries, or from
  /// a scaled decode, whichever is there first. A task that is cancelled waits no longer.
  ///
  /// - Parameters:
  ///   - asset: The asset.
  ///   - size: The longer side at most. The default is 256 pixels.
  ///   - shape: The whole picture, or the square in its middle. The default is the whole.
  /// - Returns: The picture; a smaller one is not enlarged.
  /// - Throws: ``PhotoLibraryError/unsupported(what:reason:)`` for what can only be listed,
  ///   ``PhotoLibraryError/damaged(what:reason:)``.
  public func thumbnail(
    of asset: Asset, size: ThumbnailSize = .large, shape: ThumbnailShape = .whole
  ) async throws(PhotoLibraryError) -> PixelBuffer {
    try await core.thumbnails.thumbnail(of: ThumbnailItem(asset), size: size, shape: shape)
  }

  /// Whether the cache that desktops share has an asset's thumbnail.
  ///
  /// - Parameters:
  ///   - asset: The asset.
  ///   - size: Just this size. The default is 256 pixels.
  /// - Returns: What the cache has.
  public func thumbnailStatus(of asset: Asset, size: ThumbnailSize = .large) async
    -> ThumbnailStatus
  {
    await Blocking.run { [cache = core.thumbnails.cache] in
      cache?.status(of: ThumbnailItem(asset), size: size) ?? .missing
    }
  }

  /// Makes thumbnails that will be asked for soon, in place of those that were to be made before.
  ///
  /// - Parameters:
  ///   - assets: The assets, in the order in which they are shown.
  ///   - place: Which of them is looked at: the nearest to it come first. The default is 0.
  ///   - size: The longer side at most. The default is 256 pixels.
  ///   - shape: The whole picture, or the square in its middle. The default is the whole.
  public func prefetchThumbnails(
    of assets: [Asset], around place: Int = 0, size: ThumbnailSize = .large,
    shape: ThumbnailShape = .whole
  ) {
    core.thumbnails.prefetch(
      assets.map { ThumbnailItem($0) }, around: place, size: size, shape: shape)
  }

  /// Makes no more thumbnails that nobody has asked for.
  public func stopPrefetchingThumbnails() { core.thumbnails.stopPrefetching() }
}

extension ThumbnailItem {
  init(_ asset: Asset) {
    self.init(path: asset.path, status: asset.file.status, info: asset.file.info)
  }
}

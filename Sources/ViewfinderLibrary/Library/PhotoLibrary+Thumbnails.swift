public import Viewfinder

extension PhotoLibrary {
  /// A small upright picture of an asset.
  ///
  /// It comes from memory, from the cache that file managers share, from a picture that the file carries, from a
  /// scaled decode, or from a program of the desktop in a sandbox, whichever is there first. A cancelled task stops
  /// waiting, and ends such a program.
  ///
  /// - Parameters:
  ///   - asset: The asset.
  ///   - size: The greatest length of the longer side. The default is 256 pixels.
  ///   - shape: The whole picture, or the square in its middle. The default is the whole.
  /// - Returns: The picture; a small one keeps its size.
  /// - Throws: ``PhotoLibraryError/unsupported(what:reason:)`` for what neither the library nor
  ///   an installed program shows, with the package that helps,
  ///   ``PhotoLibraryError/damaged(what:reason:)``.
  public func thumbnail(
    of asset: Asset, size: ThumbnailSize = .large, shape: ThumbnailShape = .whole
  ) async throws(PhotoLibraryError) -> PixelBuffer {
    try await core.thumbnails.thumbnail(of: ThumbnailItem(asset), size: size, shape: shape)
  }

  /// A small upright picture of what is in the trash.
  ///
  /// - Parameters:
  ///   - trashed: What is in the trash.
  ///   - size: The greatest length of the longer side. The default is 256 pixels.
  ///   - shape: The whole picture, or the square in its middle. The default is the whole.
  /// - Returns: The picture; a small one keeps its size.
  /// - Throws: ``PhotoLibraryError/unsupported(what:reason:)``, ``PhotoLibraryError/damaged(what:reason:)``,
  ///   ``PhotoLibraryError/cannotRead(path:code:)`` for what has left the trash.
  public func thumbnail(
    of trashed: TrashedAsset, size: ThumbnailSize = .large, shape: ThumbnailShape = .whole
  ) async throws(PhotoLibraryError) -> PixelBuffer {
    let item = try await Blocking.run { () throws(PhotoLibraryError) in
      let file = try FileReader(trashed.shownFile.file)
      return ThumbnailItem(
        path: trashed.shownFile.file, status: file.status, info: try MediaReader.read(file))
    }
    return try await core.thumbnails.thumbnail(of: item, size: size, shape: shape)
  }

  /// Whether the cache that desktops share has an asset's thumbnail.
  ///
  /// A thumbnail comes before it is written there; this waits for one that is being written.
  ///
  /// - Parameters:
  ///   - asset: The asset.
  ///   - size: This size only. The default is 256 pixels.
  /// - Returns: What the cache has.
  public func thumbnailStatus(of asset: Asset, size: ThumbnailSize = .large) async
    -> ThumbnailStatus
  {
    let item = ThumbnailItem(asset)
    await core.thumbnails.waitUntilKept(item.path)
    return await Blocking.run { [cache = core.thumbnails.cache] in
      cache?.status(of: item, size: size) ?? .missing
    }
  }

  /// Makes thumbnails that you will soon need, in place of those of the call before.
  ///
  /// - Parameters:
  ///   - assets: The assets, in the order in which you show them.
  ///   - place: The place that the person looks at: the nearest to it come first. The default is 0.
  ///   - size: The greatest length of the longer side. The default is 256 pixels.
  ///   - shape: The whole picture, or the square in its middle. The default is the whole.
  public func prefetchThumbnails(
    of assets: [Asset], around place: Int = 0, size: ThumbnailSize = .large,
    shape: ThumbnailShape = .whole
  ) {
    core.thumbnails.prefetch(
      assets.map { ThumbnailItem($0) }, around: place, size: size, shape: shape)
  }

  /// Stops making thumbnails that nobody waits for.
  public func stopPrefetchingThumbnails() { core.thumbnails.stopPrefetching() }
}

extension ThumbnailItem {
  init(_ asset: Asset) {
    self.init(path: asset.path, status: asset.file.status, info: asset.file.info)
  }
}

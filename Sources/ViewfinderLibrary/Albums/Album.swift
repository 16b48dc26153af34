public import Foundation
public import Viewfinder

/// An album: photos and videos under a name; `PHAssetCollection` and `ALAssetsGroup` to Apple's apps.
public struct Album: Identifiable, Sendable {
  /// What fills an album.
  public enum Kind: Hashable, Sendable {
    /// It fills itself.
    case smart(SmartAlbum)
    /// The photos in a folder, without those in folders inside.
    case folder(URL)
    /// A person chose its photos.
    case made
  }

  let key: AlbumKey
  let core: LibraryCore

  /// The album's name.
  ///
  /// A folder album has the folder's name.
  public let name: String

  /// Identifies the album: the same in every process and session.
  public var id: UUID { key.id }

  /// What fills it.
  public var kind: Kind {
    switch key {
    case .smart(let kind): .smart(kind)
    case .folder(let path): .folder(path.url)
    case .made: .made
    }
  }

  /// A URL that ``PhotoLibrary/album(at:)`` opens, now and later.
  public var url: URL { LibraryURL.album(key).url }
}

extension Album: Hashable {
  /// Whether both are the same album.
  public static func == (a: Album, b: Album) -> Bool { a.key == b.key && a.name == b.name }

  /// Hashes the identifier.
  public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// How many assets an album has.
public struct AlbumCounts: Hashable, Sendable {
  /// Pictures, raw ones among them.
  public var photos = 0
  /// Videos.
  public var videos = 0
  /// Files of unknown kinds.
  public var others = 0

  /// All together.
  public var all: Int { photos + videos + others }
}

extension Album {
  /// The assets that it has now.
  ///
  /// - Parameters:
  ///   - filter: Which ones; the default is all.
  ///   - order: The order; `nil`, the default, is the album's own: as the person arranged them, last
  ///     added first for recents, otherwise oldest first.
  /// - Returns: A list that stays as it is.
  /// - Throws: ``PhotoLibraryError/indexUnusable(path:reason:)``.
  public func assets(
    _ filter: AssetFilter = .all, order: AssetOrder? = nil
  ) async throws(PhotoLibraryError) -> AssetList {
    let order = order ?? (key == .smart(.recents) ? .recentlyAddedFirst : .manual)
    let query = AssetList.Query(album: key, filter: filter, order: order)
    return try await core.index.read { [core] db in try AssetList(core, query, db) }
  }

  /// How many assets it has now.
  public func counts(_ filter: AssetFilter = .all) async throws(PhotoLibraryError) -> AlbumCounts {
    let found = try await core.index.read { [key] db in try AssetQueries.counts(of: key, filter, db)
    }
    var counts = AlbumCounts()
    for (kind, count) in found {
      switch kind.flatMap(ContentType.Kind.init) {
      case .image, .rawImage: counts.photos += count
      case .video: counts.videos += count
      case nil: counts.others += count
      }
    }
    return counts
  }

  /// The asset that stands for the album: the newest one that can be shown, or the first of an album
  /// that a person made; `nil` when there is none.
  public func poster() async throws(PhotoLibraryError) -> Asset? {
    let first = try await posterCandidates()
    return first.first { $0.error == nil } ?? first.first
  }

  /// A small picture that stands for the album: the newest photo's, or a frame of the newest video; of an album that a person
  /// made, the first one's.
  ///
  /// Where no picture of that asset can be made, such as of a video without the desktop's thumbnailer, that of the next one
  /// is taken.
  ///
  /// - Parameters:
  ///   - size: The greatest length of the longer side. The default is 256 pixels.
  ///   - shape: The whole picture, or the square in its middle. The default is the square.
  /// - Returns: The picture, and the asset of which it is; `nil` for an album without assets of which one can be made.
  /// - Throws: ``PhotoLibraryError/indexUnusable(path:reason:)``.
  public func posterThumbnail(
    size: ThumbnailSize = .large, shape: ThumbnailShape = .square
  ) async throws(PhotoLibraryError) -> (picture: PixelBuffer, asset: Asset)? {
    for asset in try await posterCandidates() where asset.error == nil {
      do throws(PhotoLibraryError) {
        let item = ThumbnailItem(asset)
        return (try await core.thumbnails.thumbnail(of: item, size: size, shape: shape), asset)
      } catch {
        if error == .cancelled { throw error }
      }
    }
    return nil
  }

  private func posterCandidates() async throws(PhotoLibraryError) -> [Asset] {
    let query = AssetList.Query(
      album: key, filter: .all, order: key.isFilledByHand ? .manual : .newestFirst)
    let list = try await core.index.read { [core] db in try AssetList(core, query, limit: 20, db) }
    return try await list.assets(in: 0..<list.count)
  }

  // MARK: Changing

  /// Adds assets at the end; those that the album already has stay where they are.
  ///
  /// - Throws: ``PhotoLibraryError/invalidRequest(reason:)`` for a folder, or an album that fills itself,
  ///   ``PhotoLibraryError/cannotWrite(path:code:)``.
  public func add(_ assets: [Asset]) async throws(PhotoLibraryError) {
    try await edit { (file, store) throws(PhotoLibraryError) in
      var seen = Set(file.entries.map(\.id))
      let new = assets.filter { seen.insert($0.id).inserted }
      file.entries += try store.entries(for: new)
    }
  }

  /// Removes assets from the album; the photos stay in the library.
  public func remove(_ assets: [Asset]) async throws(PhotoLibraryError) {
    let ids = Set(assets.map(\.id))
    try await edit { (file, _) throws(PhotoLibraryError) in
      file.entries.removeAll { ids.contains($0.id) }
    }
  }

  /// Moves assets within the album.
  ///
  /// - Parameters:
  ///   - assets: The assets, in their new order.
  ///   - place: How many of the others come before them.
  /// - Throws: ``PhotoLibraryError/invalidRequest(reason:)`` for a folder, or an album that fills itself,
  ///   ``PhotoLibraryError/cannotWrite(path:code:)``.
  public func move(_ assets: [Asset], to place: Int) async throws(PhotoLibraryError) {
    let ids = assets.map(\.id)
    try await edit { (file, _) throws(PhotoLibraryError) in
      let byID = Dictionary(file.entries.map { ($0.id, $0) }) { first, _ in first }
      let moving = ids.compactMap { byID[$0] }
      var rest = file.entries.filter { !ids.contains($0.id) }
      rest.insert(contentsOf: moving, at: min(max(place, 0), rest.count))
      file.entries = rest
    }
  }

  /// Renames the album, and returns it with its new name.
  ///
  /// A folder album's folder gets the name on the disk; its assets keep their identifiers.
  ///
  /// - Throws: ``PhotoLibraryError/invalidRequest(reason:)`` for an album that fills itself, one of the library's roots, and
  ///   what is no name; ``PhotoLibraryError/cannotWrite(path:code:)``, with `EEXIST` when there is a folder of that name.
  public func rename(to name: String) async throws(PhotoLibraryError) -> Album {
    let name = try Self.checked(name)
    switch key {
    case .smart: throw notMade
    case .folder(let folder):
      return try await Blocking.run { [core] () throws(PhotoLibraryError) in
        Album(folder: try core.rename(folder, to: name), core)
      }
    case .made:
      try await edit { (file, _) throws(PhotoLibraryError) in file.name = name }
      return Album(key: key, core: core, name: name)
    }
  }

  /// Adds other albums' assets at the end, in their order, and deletes those albums.
  ///
  /// Two albums of one name come about when somebody copies folders of two computers together.
  ///
  /// - Parameter others: Albums that a person made.
  /// - Throws: ``PhotoLibraryError/invalidRequest(reason:)`` for a folder, or an album that fills itself,
  ///   ``PhotoLibraryError/cannotWrite(path:code:)``; no asset is in fewer albums then than before.
  public func merge(_ others: [Album]) async throws(PhotoLibraryError) {
    guard key.isFilledByHand else { throw notMade }
    for other in others where other.key != key {
      guard case .made(let id) = other.key else { throw other.notMade }
      try await Blocking.run { [core, key] () throws(PhotoLibraryError) in
        let entries = try core.albums.entries(of: id)
        try core.albums.edit(key.id) { (file) throws(PhotoLibraryError) in
          let known = Set(file.entries.map(\.id))
          file.entries += entries.filter { !known.contains($0.id) }
        }
        try core.albums.delete(id)
      }
    }
  }

  /// Deletes the album; its photos stay in the library.
  public func delete() async throws(PhotoLibraryError) {
    guard case .made(let id) = key else { throw notMade }
    try await Blocking.run { [core] () throws(PhotoLibraryError) in try core.albums.delete(id) }
  }

  private func edit(
    _ change: @escaping @Sendable (inout AlbumFile, AlbumStore) throws(PhotoLibraryError) -> Void
  ) async throws(PhotoLibraryError) {
    guard key.isFilledByHand else { throw notMade }
    try await Blocking.run { [core, id] () throws(PhotoLibraryError) in
      try core.albums.edit(id) { (file) throws(PhotoLibraryError) in
        try change(&file, core.albums)
      }
    }
  }

  private var notMade: PhotoLibraryError {
    .invalidRequest(
      reason:
        "“\(name)” fills itself; only albums that were made with makeAlbum(named:) can be changed.")
  }

  static func checked(_ name: String) throws(PhotoLibraryError) -> String {
    let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !name.isEmpty else { throw .invalidRequest(reason: "An album needs a name.") }
    return name
  }
}

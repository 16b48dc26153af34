public import Foundation
import GRDB
import Viewfinder

/// The photos and videos in folders; `PHPhotoLibrary` and `ALAssetsLibrary` to Apple's apps.
///
/// Photos stay plain files. Other programs may add, move, replace or delete them at any time: the library
/// notices, and never harms them.
///
/// ```swift
/// let library = try await PhotoLibrary.open()
/// for album in try await library.albums() {
///   print(album.name, try await album.counts().all)
/// }
/// ```
public final class PhotoLibrary: Sendable {
  /// Where a library is and how it is kept.
  public struct Configuration: Sendable {
    /// The folders with the photos, each with everything in it.
    ///
    /// New photos and the albums that people make go to the first one. The default is the desktop's
    /// folder for pictures (`XDG_PICTURES_DIR`).
    public var roots: [URL]?
    /// Where the index is; the default is `viewfinder` in `XDG_DATA_HOME`.
    ///
    /// It is a cache and may be deleted.
    public var indexFolder: URL?
    /// Whether the library keeps up with other programs by itself.
    ///
    /// The default is `true`; without it, ``PhotoLibrary/update(progress:)`` does.
    public var watchesFolders = true
    /// Where the library keeps thumbnails; the default is the cache that desktops share (`thumbnails` in
    /// `XDG_CACHE_HOME`).
    public var thumbnailFolder: URL?
    /// Where the library puts what people delete; the default is the desktop's trash (`Trash` in
    /// `XDG_DATA_HOME`).
    ///
    /// Files on other disks go to the trash at the top of theirs, as the freedesktop.org Trash
    /// specification says.
    public var trashFolder: URL?
    /// How many thumbnails the library makes at once, and how much memory they may take.
    public var thumbnailLimits = ThumbnailLimits()
    /// The most folders that the library watches (inotify(7)); beyond them, it looks at everything now and
    /// then.
    ///
    /// The default is 8192.
    public var watchLimit = 8192
    /// The time between two looks at everything where watches don't suffice, in seconds.
    ///
    /// The default is 60.
    public var rescanInterval = 60.0
    /// The most bytes that the library reads in a second, in the background, to make checksums of whole files; see
    /// ``PhotoLibrary/checksums()``.
    ///
    /// The default is 8 MiB; 0 makes none. Only a library that ``watchesFolders`` makes them by itself, when nobody
    /// else needs the disk or the processor.
    public var checksumRate = 8 << 20

    /// Creates a configuration with the defaults.
    public init() {}

    /// Creates a configuration for some folders.
    public init(roots: [URL]) { self.roots = roots }
  }

  let core: LibraryCore

  private init(core: LibraryCore) { self.core = core }

  /// Opens a library.
  ///
  /// What the index knows is there at once; what other programs did meanwhile follows in ``changes``, or
  /// after ``update(progress:)``. ``waitForFirstScan()`` waits until it is there.
  ///
  /// - Throws: ``PhotoLibraryError/notAuthorized(_:)`` when none of the roots can be used,
  ///   ``PhotoLibraryError/indexUnusable(path:reason:)``.
  public static func open(
    _ configuration: Configuration = Configuration()
  ) async throws(PhotoLibraryError) -> PhotoLibrary {
    try await Blocking.run { () throws(PhotoLibraryError) in
      let places: LibraryPlaces
      do throws(FolderProblem) {
        places = try LibraryPlaces(configuration)
      } catch {
        throw .notAuthorized(error)
      }
      let core = try LibraryCore(
        index: IndexDatabase(folder: places.index), places: places,
        limits: configuration.thumbnailLimits)
      try core.albums.reload()
      // In a cache of many thousands this takes longer than people wait.
      Blocking.later { core.removeLeftovers() }
      if configuration.watchesFolders { core.watch(configuration) }
      return PhotoLibrary(core: core)
    }
  }

  /// The folders with the photos, without symbolic links in their paths.
  public var roots: [URL] { core.roots.map(\.url) }

  // MARK: Keeping up

  /// Looks at all folders, and brings the index up to date with what other programs did.
  ///
  /// - Parameter progress: Receives how far it is, from time to time, on another thread.
  /// - Returns: What it did, with the folders that it couldn't read.
  /// - Throws: ``PhotoLibraryError/cancelled`` when the task was cancelled.
  @discardableResult
  public func update(
    progress: @escaping @Sendable (ScanProgress) -> Void = { _ in }
  ) async throws(PhotoLibraryError) -> ScanReport {
    let flag = Flag()
    let result = await withTaskCancellationHandler {
      await Blocking.run { [core] in
        Result { () throws(PhotoLibraryError) in
          try core.scan(.everything, isCancelled: { flag.isSet }, progress: progress)
        }
      }
    } onCancel: {
      flag.set()
    }
    return try result.get()
  }

  /// Waits until the library has looked at all folders once since it was opened.
  ///
  /// A library that doesn't keep up with other programs by itself looks at them now.
  ///
  /// - Throws: ``PhotoLibraryError/cancelled`` when the task was cancelled.
  public func waitForFirstScan() async throws(PhotoLibraryError) {
    if core.isWatching {
      try await core.firstScan.wait()
    } else if !core.firstScan.isFinished {
      try await update()
    }
  }

  /// What changes from now on, whoever does it.
  ///
  /// Each use makes a sequence of its own, which ends when nobody uses the library any more. A reader who falls more than 256
  /// changes behind loses the oldest, and gets one with ``LibraryChange/isEverything`` instead.
  public var changes: AsyncStream<LibraryChange> { core.writer.changes }

  // MARK: Albums

  /// The albums: smart ones, those that people made, and one for each folder with photos.
  public func albums() async throws(PhotoLibraryError) -> [Album] {
    let smart = SmartAlbum.allCases.map { Album($0, core) }
    let (made, folders) = try await core.index.read { db in
      let made = try Row.fetchAll(
        db, sql: "SELECT id, name FROM album WHERE id <> ?", arguments: [AlbumKey.favorites]
      ).map {
        (
          id: try $0.decode(UUID.self, forColumn: "id"),
          name: try $0.decode(String.self, forColumn: "name")
        )
      }
      return (made, try AssetQueries.folders(db))
    }
    let ordered = made.sorted { $0.name.localizedStandardCompare($1.name) == .orderedAscending }
    return smart + ordered.map { Album(key: .made($0.id), core: core, name: $0.name) }
      + folders.map { Album(folder: $0, core) }
  }

  /// An album that fills itself.
  public func album(_ kind: SmartAlbum) -> Album { Album(kind, core) }

  /// Makes an album, unless there is one of that name; also when two programs do it at once.
  ///
  /// - Parameter name: Its name.
  /// - Returns: The album of that name.
  /// - Throws: ``PhotoLibraryError/cannotWrite(path:code:)``, or
  ///   ``PhotoLibraryError/invalidRequest(reason:)`` for an empty name.
  public func makeAlbum(named name: String) async throws(PhotoLibraryError) -> Album {
    let name = try Album.checked(name)
    return try await Blocking.run { [core] () throws(PhotoLibraryError) in
      Album(key: .made(try core.albums.make(named: name)), core: core, name: name)
    }
  }

  // MARK: Assets

  /// Adds assets to the favourites, or removes them.
  public func setFavorite(
    _ isFavorite: Bool, _ assets: [Asset]
  ) async throws(PhotoLibraryError) {
    let album = album(.favorites)
    if isFavorite { try await album.add(assets) } else { try await album.remove(assets) }
  }

  /// Calls a block for each album, as `ALAssetsLibrary.enumerateGroups` does.
  ///
  /// - Parameter block: Gets the album, and a flag that ends the enumeration when set. After the last album
  ///   comes one more call, without an album.
  /// - Throws: ``PhotoLibraryError/indexUnusable(path:reason:)``.
  public func enumerateAlbums(
    using block: (_ album: Album?, _ stop: inout Bool) -> Void
  ) async throws(PhotoLibraryError) {
    var stop = false
    for album in try await albums() {
      block(album, &stop)
      if stop { return }
    }
    block(nil, &stop)
  }
}

extension Album {
  init(_ kind: SmartAlbum, _ core: LibraryCore) {
    let name =
      switch kind {
      case .all: "All Photos"
      case .recents: "Recents"
      case .cameraRoll: "Camera Roll"
      case .videos: "Videos"
      case .favorites: "Favorites"
      case .bursts: "Bursts"
      case .screenshots: "Screenshots"
      }
    self.init(key: .smart(kind), core: core, name: name)
  }

  init(folder: FilePath, _ core: LibraryCore) {
    self.init(key: .folder(folder), core: core, name: folder.name.description)
  }
}

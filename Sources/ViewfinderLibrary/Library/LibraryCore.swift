import Foundation
import GRDB
import Viewfinder

/// What the library's public types share: the index, the albums, and what keeps up with other programs.
///
/// It lives as long as something that shows photos: a list goes on hearing of changes when the library that made it
/// is no longer used otherwise.
final class LibraryCore: Sendable {
  let writer: LibraryWriter
  let roots: [FilePath]
  let excluded: [FilePath]
  let albums: AlbumStore
  let trash: Trash
  let thumbnails: ThumbnailLoader
  let scanner: Scanner
  /// The numbers of the photos that were saved last.
  let usedNumbers = UsedNumbers()
  let firstScan = FirstScan()
  /// Identifiers that photos have which aren't saved yet.
  let promised = Mutex<Set<UUID>>([])
  /// One scan of everything at a time.
  private let scanning = Mutex(())
  private let monitor = Mutex<LibraryMonitor?>(nil)
  private let checksums = Mutex<ChecksumKeeper?>(nil)

  var index: IndexDatabase { writer.index }

  init(
    index: IndexDatabase, places: LibraryPlaces, limits: ThumbnailLimits
  ) throws(PhotoLibraryError) {
    thumbnails = ThumbnailLoader(
      cache: places.thumbnails.map(ThumbnailCache.init), limits: limits)
    writer = try LibraryWriter(index)
    roots = places.roots
    excluded = places.excluded
    trash = Trash(home: places.trash)
    albums = AlbumStore(writer: writer, roots: roots)
    scanner = Scanner(writer: writer, roots: roots, excluded: excluded)
  }

  deinit {
    monitor.withLock { $0 }?.stop()
    checksums.withLock { $0 }?.stop()
  }

  /// Keeps up with other programs from now on.
  func watch(_ configuration: PhotoLibrary.Configuration) {
    monitor.withLock {
      $0 = LibraryMonitor(
        core: self, watchLimit: configuration.watchLimit,
        rescanInterval: configuration.rescanInterval)
    }
    guard configuration.checksumRate > 0 else { return }
    checksums.withLock { $0 = ChecksumKeeper(self, rate: configuration.checksumRate) }
  }

  /// Whether it keeps up with other programs by itself.
  var isWatching: Bool { monitor.withLock { $0 != nil } }

  /// Brings the index up to date while the caller waits.
  func scan(
    _ scope: ScanScope, meanwhile: () -> ScanScope = { ScanScope() },
    isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: (ScanProgress) -> Void = { _ in }
  ) throws(PhotoLibraryError) -> ScanReport {
    guard scope.isEverything else {
      return try scanOnce(scope, meanwhile, isCancelled, progress)
    }
    let result = scanning.withLock { _ in
      Result { () throws(PhotoLibraryError) in
        try scanOnce(scope, meanwhile, isCancelled, progress)
      }
    }
    if case .success = result { firstScan.finish() }
    return try result.get()
  }

  private func scanOnce(
    _ scope: ScanScope, _ meanwhile: () -> ScanScope, _ isCancelled: @escaping @Sendable () -> Bool,
    _ progress: (ScanProgress) -> Void
  ) throws(PhotoLibraryError) -> ScanReport {
    let report = try scanner.scan(
      scope, meanwhile: meanwhile, isCancelled: isCancelled, progress: progress)
    try albums.reload()
    return report
  }

  /// Renames a folder, whose assets stay what they are.
  func rename(_ folder: FilePath, to name: String) throws(PhotoLibraryError) -> FilePath {
    guard !roots.contains(folder), roots.contains(where: { folder.isInside($0) }) else {
      throw .invalidRequest(
        reason: "\(folder) is one of the library's own folders, or outside: it can't be renamed.")
    }
    let new = folder.folder.appending(name)
    guard !name.utf8.contains(UInt8(ascii: "/")), !new.name.isHidden, name.utf8.count <= 255 else {
      throw .invalidRequest(
        reason: "“\(name)” can't be a folder's name: leave out / and a dot at the beginning.")
    }
    let code = folder.moveToFree(new)
    guard code == 0 else { throw .cannotWrite(path: new.description, code: code) }
    FileSystem.syncFolder(of: new.bytes)
    _ = try scan(.folders([folder.folder]))
    return new
  }

  /// Clears away what killed processes left in the folders that are the library's own, or where it saves.
  func removeLeftovers() {
    for folder in roots.flatMap(AlbumStore.folders) + roots.map(RecipeFolder.folder(beside:)) {
      folder.removeLeftovers { $0.pathExtension == "json" }
    }
    for folder in [roots[0], roots[0].appending("DCIM")] {
      folder.removeLeftovers { $0 == PendingFile.draftName }
    }
    thumbnails.cache?.removeLeftovers()
  }
}

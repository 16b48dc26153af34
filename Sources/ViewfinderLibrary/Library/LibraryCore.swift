import Foundation
import GRDB
import Viewfinder

/// What the library's public types share: the index, the albums, and who may scan.
final class LibraryCore: Sendable {
  let index: IndexDatabase
  let roots: [FilePath]
  let excluded: [FilePath]
  let albums: AlbumStore
  let trash: Trash
  let thumbnails: ThumbnailLoader
  private let broadcast = Broadcast(.events, loss: LibraryChange.everything)
  /// One scan at a time; `told` is the version of the change log that listeners know.
  private let scanning: Mutex<Int64>

  init(
    index: IndexDatabase, places: LibraryPlaces, limits: ThumbnailLimits
  ) throws(PhotoLibraryError) {
    thumbnails = ThumbnailLoader(
      cache: places.thumbnails.map(ThumbnailCache.init), limits: limits)
    self.index = index
    roots = places.roots
    excluded = places.excluded
    trash = Trash(home: places.trash)
    albums = AlbumStore(index: index, roots: roots)
    scanning = Mutex(try index.readNow { db in try ChangeLog.version(in: db) })
  }

  var changes: AsyncStream<LibraryChange> { broadcast.subscribe() }

  /// Says that something has changed, to those who look for themselves.
  var signals: AsyncStream<LibraryChange> { broadcast.subscribe(keeping: 1) }

  /// Brings the index up to date while the caller waits, and tells listeners what has changed.
  func scan(
    _ scope: ScanScope, meanwhile: () -> ScanScope = { ScanScope() },
    isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: (ScanProgress) -> Void = { _ in }
  ) throws(PhotoLibraryError) -> ScanReport {
    let scanner = Scanner(index: index, roots: roots, excluded: excluded)
    return try edit { () throws(PhotoLibraryError) in
      let report = try scanner.scan(
        scope, meanwhile: meanwhile, isCancelled: isCancelled, progress: progress)
      try albums.reload()
      return report
    }
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

  /// The folders around a new file that the index may not know yet.
  func newFolders(above path: FilePath) -> [FilePath] {
    var folders: [FilePath] = []
    var folder = path.folder
    while let root = roots.first(where: { folder.isInside($0) }), folder != root {
      folder = folder.folder
      folders.append(folder)
    }
    return folders
  }

  /// Runs what changes the index or albums, one at a time, and tells listeners.
  func edit<R: Sendable>(_ body: () throws(PhotoLibraryError) -> R) throws(PhotoLibraryError) -> R {
    let result = scanning.withLock { told -> Result<R, PhotoLibraryError> in
      let result = Result { () throws(PhotoLibraryError) in try body() }
      tell(&told)
      return result
    }
    return try result.get()
  }

  /// Sends what the log has since `told`.
  private func tell(_ told: inout Int64) {
    let from = told
    let found = try? index.readNow { db in
      (try ChangeLog.version(in: db), try ChangeLog.entries(after: from, in: db))
    }
    guard let (version, entries) = found else { return }
    told = version
    let change = entries.map { LibraryChange($0) } ?? .everything
    if !change.isEmpty { broadcast.send(change) }
  }
}

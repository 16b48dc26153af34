import Foundation
import GRDB
import Viewfinder

// What people delete, and what brings it back.
extension PhotoLibrary {
  /// Puts assets into the desktop's trash, from which ``restore(_:intoOwnFolder:)`` or a file manager brings them back;
  /// `PHAssetChangeRequest.deleteAssets` to Apple's apps.
  ///
  /// Each goes with all its files, and with its sidecar files: crop recipes, XMP, AAE, and a camera's small versions. Of one
  /// asset all files go, or none.
  ///
  /// - Parameter assets: The assets.
  /// - Returns: What is in the trash now, in the same order.
  /// - Throws: ``PhotoLibraryError/invalidRequest(reason:)`` where there is no trash for a file,
  ///   ``PhotoLibraryError/notFound(what:)`` for an asset without files, ``PhotoLibraryError/cannotRead(path:code:)``;
  ///   ``PhotoLibraryError/incomplete(done:left:because:)`` when other assets had gone before.
  @discardableResult
  public func trash(_ assets: [Asset]) async throws(PhotoLibraryError) -> [TrashedAsset] {
    var trashed: [TrashedAsset] = []
    try await forEach(assets) { (asset) throws(PhotoLibraryError) in
      let paths = try await asset.representations().filter { !$0.isPart }.map(\.path)
      let files = try await Blocking.run { [core] () throws(PhotoLibraryError) in
        try core.trash.put(paths + Sidecars.files(beside: paths))
      }
      trashed.append(TrashedAsset(assetID: asset.id, files: files))
      return Step(done: files.map(\.fileURL), paths: paths)
    } left: { asset in
      [asset.fileURL]
    }
    return trashed
  }

  /// What is in the trash and came out of this library's folders, whoever put it there; the last first.
  ///
  /// It looks into the user's own trash, and into those at the top of the disks on which the library's folders are.
  ///
  /// - Returns: Assets, and other files and folders.
  /// - Throws: ``PhotoLibraryError/indexUnusable(path:reason:)``.
  public func trashedAssets() async throws(PhotoLibraryError) -> [TrashedAsset] {
    let (folders, known) = try await core.index.read { db in
      (
        try Data.fetchAll(db, sql: "SELECT path FROM folder").map { FilePath(data: $0) },
        try RemovedFile.all(db)
      )
    }
    return await Blocking.run { [core] in
      TrashedAsset.groups(of: core.trash.contents(of: core.roots + folders)) { file in
        FileStatus(of: file.file, followsLinks: false).flatMap { known[RemovedFile($0)] }
      }
    }
  }

  /// Brings assets back from the trash, with their identifiers, albums, favourites and crops; never over another file.
  ///
  /// Of one asset all files come back, or none. Folders that are gone are made again.
  ///
  /// - Parameters:
  ///   - trashed: What to restore.
  ///   - intoOwnFolder: Whether what has lost its place to another file goes into the folder `Restored` beside it. The
  ///     default is `false`, which is an error then.
  /// - Returns: The assets as they are now.
  /// - Throws: ``PhotoLibraryError/cannotWrite(path:code:)``, with `EEXIST` when another file has the name now;
  ///   ``PhotoLibraryError/notFound(what:)`` for what is no longer in the trash;
  ///   ``PhotoLibraryError/incomplete(done:left:because:)`` when others had come back before.
  @discardableResult
  public func restore(
    _ trashed: [TrashedAsset], intoOwnFolder: Bool = false
  ) async throws(PhotoLibraryError) -> [Asset] {
    var places: [FilePath] = []
    try await forEach(trashed) { (item) throws(PhotoLibraryError) in
      let restored = try await Blocking.run { [core] () throws(PhotoLibraryError) in
        let folder = intoOwnFolder ? item.freeFolder : nil
        return try core.trash.restore(item.files) { $0.place(in: folder, of: item) }
      }
      places += restored
      return Step(
        done: restored.map(\.url), paths: restored,
        isFolder: FileStatus(of: restored[0])?.kind == .folder)
    } left: { item in
      item.files.map(\.fileURL)
    }
    let found = try await core.index.read { [places] db in
      try places.compactMap { try AssetQueries.asset(at: $0, db) }
    }
    var seen: Set<UUID> = []
    return found.filter { seen.insert($0.file.asset).inserted }.map { Asset($0, core) }
  }

  /// Deletes assets for good, with all their files and sidecar files.
  ///
  /// It deletes nothing of an asset whose files have changed since the library looked at them: nobody has seen what they
  /// hold now.
  ///
  /// - Parameter assets: The assets.
  /// - Throws: ``PhotoLibraryError/invalidRequest(reason:)`` for an asset that has changed,
  ///   ``PhotoLibraryError/cannotWrite(path:code:)``; ``PhotoLibraryError/incomplete(done:left:because:)`` when other files
  ///   are gone by then.
  public func deletePermanently(_ assets: [Asset]) async throws(PhotoLibraryError) {
    try await forEach(assets) { (asset) throws(PhotoLibraryError) in
      let files = try await asset.representations().filter { !$0.isPart }
      return try await Blocking.run { () throws(PhotoLibraryError) in
        try Self.delete(files)
        let paths = files.map(\.path)
        return Step(done: paths.map(\.url), paths: paths)
      }
    } left: { asset in
      [asset.fileURL]
    }
  }

  /// Deletes from the trash for good.
  ///
  /// - Parameter trashed: What to delete; what is no longer there counts as deleted.
  /// - Throws: ``PhotoLibraryError/cannotWrite(path:code:)``; ``PhotoLibraryError/incomplete(done:left:because:)`` when other
  ///   files are gone by then.
  public func deletePermanently(_ trashed: [TrashedAsset]) async throws(PhotoLibraryError) {
    try await forEach(trashed.flatMap(\.files)) { (file) throws(PhotoLibraryError) in
      try await Blocking.run { [core] () throws(PhotoLibraryError) in try core.trash.delete(file) }
      return Step(done: [file.fileURL])
    } left: { file in
      [file.fileURL]
    }
  }

  private static func delete(_ files: [AssetRepresentation]) throws(PhotoLibraryError) {
    for file in files {
      guard FileStatus(of: file.path)?.isUnchanged(since: file.file.status) != false else {
        throw .changed(path: file.path.description)
      }
    }
    let paths = files.map(\.path)
    let all = Sidecars.files(beside: paths) + paths.reversed()
    for (index, path) in all.enumerated() {
      let code = path.unlink()
      guard code == 0 || code == ENOENT else {
        let error = PhotoLibraryError.cannotWrite(path: path.description, code: code)
        guard index > 0 else { throw error }
        throw .incomplete(
          done: all[..<index].map(\.url), left: all[index...].map(\.url), because: error)
      }
    }
  }

  /// What one item came to.
  private struct Step {
    var done: [URL]
    /// What is there now, or isn't any more.
    var paths: [FilePath] = []
    /// Whether a whole folder came back, about which the index may know anything.
    var isFolder = false
  }

  /// Works on items one by one, brings the index up to date, and says which were done when one fails.
  private func forEach<T>(
    _ items: [T], _ body: (T) async throws(PhotoLibraryError) -> Step, left: (T) -> [URL]
  ) async throws(PhotoLibraryError) {
    var total = Step(done: [])
    var failure: (error: PhotoLibraryError, left: [URL])?
    for (index, item) in items.enumerated() {
      do throws(PhotoLibraryError) {
        let step = try await body(item)
        total.done += step.done
        total.paths += step.paths
        total.isFolder = total.isFolder || step.isFolder
      } catch {
        failure = (error, items[index...].flatMap(left))
        if case .incomplete(let done, let rest, let cause) = error {
          total.done += done
          total.paths += (done + rest).map { FilePath($0) }.filter { path in
            core.roots.contains { path.isInside($0) }
          }
          failure = (cause, rest + items[(index + 1)...].flatMap(left))
        }
        break
      }
    }
    do throws(PhotoLibraryError) {
      try await lookAgain(at: total)
    } catch {
      failure = failure ?? (error, [])
    }
    guard let failure else { return }
    if total.done.isEmpty { throw failure.error }
    throw .incomplete(done: total.done, left: failure.left, because: failure.error)
  }

  private func lookAgain(at step: Step) async throws(PhotoLibraryError) {
    try await Blocking.run { [core] () throws(PhotoLibraryError) in
      if step.isFolder { _ = try core.scan(.everything) }
      try core.scanner.takeUp(step.paths)
      try core.albums.reload()
    }
  }
}

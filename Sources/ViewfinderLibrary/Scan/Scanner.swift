import Foundation
import GRDB
import Viewfinder

/// How far a scan is.
public struct ScanProgress: Hashable, Sendable {
  /// Files found in the folders so far.
  public var filesFound = 0
  /// Files whose content the scan has read.
  public var filesRead = 0
  /// Files whose content the scan must read: new and changed ones.
  public var filesToRead = 0
}

/// What a scan did.
public struct ScanReport: Hashable, Sendable {
  /// Files that are in the folders, of whatever kind.
  public var filesFound = 0
  /// Files whose content the scan read; 0 where nothing changed.
  public var filesRead = 0
  /// Folders that the scan couldn't read; the library keeps what it knew of them.
  public var problems: [PhotoLibraryError] = []
  /// Folders to look at again soon: somebody was still writing files.
  var unsettled: Set<FilePath> = []
}

/// Brings the index up to date with the folders.
///
/// Files are read only where they are new or their size, times or inode have changed. A file that
/// vanished in one place and turned up with the same content in another has moved and stays what it was.
///
/// It writes in turns of some files. Several scans may run at once, in this process and in others.
struct Scanner: Sendable {
  let writer: LibraryWriter
  let roots: [FilePath]
  let excluded: [FilePath]

  /// Files that are read and written to the index at a time.
  ///
  /// Whoever saves a photo meanwhile waits while they are written.
  static let batchSize = 100

  /// Compares the folders with the index and writes down what is different.
  ///
  /// `meanwhile` tells what has changed since it was last asked. A file that moves when its new folder has
  /// been looked at and its old one not yet would be lost for a while: then all is looked at again.
  func scan(
    _ scope: ScanScope, meanwhile: () -> ScanScope = { ScanScope() },
    isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: (ScanProgress) -> Void = { _ in }
  ) throws(PhotoLibraryError) -> ScanReport {
    writer.index.refresh()
    var scope = scope
    var plan = try walk(scope, isCancelled)
    // Somebody may be busy for long; what is missed then is found the next time.
    for _ in 0..<5 {
      let more = meanwhile()
      guard !more.isEmpty else { break }
      scope.add(more)
      plan = try walk(scope, isCancelled)
    }
    var run = ScanRun(
      plan: plan, roots: roots, writer: writer, finished: scope.finished)
    let filesRead = try run.run(isCancelled, progress)
    if scope.isEverything { try forget() }
    return ScanReport(
      filesFound: plan.fileCount, filesRead: filesRead, problems: plan.problems,
      unsettled: plan.unsettled.union(run.unsettled))
  }

  /// Takes up files that somebody has just saved, changed or taken away, without looking at their folders.
  ///
  /// `identifiers` are those that were promised for new files.
  func takeUp(_ paths: [FilePath], identifiers: [FilePath: UUID] = [:])
    throws(PhotoLibraryError)
  {
    var plan = ScanPlan()
    for path in paths where try takesUp(path) {
      let folder = path.folder
      let status = FileStatus(of: path).flatMap { $0.kind == .file ? $0 : nil }
      let known = try writer.index.readNow { db in try KnownFile.at(path, db) }
      // Folders that nobody has looked at yet are known by their names.
      plan.folders[folder] = FileStatus(of: folder)?.device ?? 0
      let found = status.map {
        FoundFile(
          folder: folder, name: path.name, status: $0, sidecar: Sidecar.beside(path))
      }
      switch (known, found) {
      case (let known?, let found?):
        if known.isStale || known.status != found.status || known.sidecar != found.sidecar?.state {
          plan.changed.append((known, found))
        }
      case (let known?, nil): plan.vanished.append((known, path))
      case (nil, let found?): plan.new.append(found)
      case (nil, nil): break
      }
    }
    var run = ScanRun(plan: plan, roots: roots, writer: writer, identifiers: identifiers)
    _ = try run.run({ false }, { _ in })
  }

  /// Whether a scan would come to a file, as far as its path tells.
  private func takesUp(_ path: FilePath) throws(PhotoLibraryError) -> Bool {
    guard !path.name.isHidden, !Leftovers.isFile(path.name) else { return false }
    if FolderListing.reaches(path.folder, from: roots) {
      return !excluded.contains { path.isInside($0) }
    }
    // A link may lead to it.
    return try writer.index.readNow { db in
      try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM folder WHERE path = ?)",
        arguments: [Data(path.folder.bytes)])!
    }
  }

  /// How long files that are gone are remembered, in nanoseconds: 30 days, for they may come back.
  private static let memory: Int64 = 30 * 86_400 * 1_000_000_000

  private func forget() throws(PhotoLibraryError) {
    let limit = Int64.now - Self.memory
    // Most scans find none, and need not write then.
    let (areThere, isLogLong) = try writer.index.readNow { db in
      let areThere = try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM file WHERE removed <> 0 AND removed < ?)",
        arguments: [limit])!
      return (areThere, try ChangeLog.isLong(db))
    }
    guard areThere || isLogLong else { return }
    try writer.write { db in
      try IndexWriter(db).forget(removedBefore: limit)
      try ChangeLog.trim(in: db)
    }
  }

  /// Compares the folders with the index, and only that.
  func walk(
    _ scope: ScanScope, _ isCancelled: @escaping @Sendable () -> Bool
  ) throws(PhotoLibraryError) -> ScanPlan {
    var walk = try FolderWalk(
      roots: roots, excluded: excluded, index: writer.index,
      isSettled: { Self.isSettled($0, scope.finished) }, isCancelled: isCancelled)
    try walk.run(scope)
    return walk.plan
  }

  /// How long ago a file must have been written to at least, in nanoseconds, where nobody said that it is whole.
  static let settlingTime: Int64 = 500_000_000

  private static func isSettled(_ file: FoundFile, _ finished: Set<FilePath>?) -> Bool {
    guard let finished else { return true }
    let age = Int64.now - file.status.modified
    return age < 0 || age >= settlingTime || finished.contains(file.path)
  }
}

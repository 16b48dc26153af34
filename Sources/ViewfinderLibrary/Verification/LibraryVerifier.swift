import Foundation
import GRDB
import Viewfinder

/// Compares the index with the folders, and reads every photo through; writes nothing.
struct LibraryVerifier: Sendable {
  let core: LibraryCore

  /// Files that are looked up in the index at a time.
  private static let pageSize = 100

  func verify(
    _ progress: @Sendable (VerificationProgress) -> Void
  ) async throws(PhotoLibraryError) -> VerificationReport {
    var report = VerificationReport()
    report.indexProblem = try await core.index.read { db in try IndexDatabase.problem(db) }
    // What it says then is not to be relied on.
    guard report.indexProblem == nil else { return report }
    let plan = try await Blocking.run { [core] () throws(PhotoLibraryError) in
      try Scanner(index: core.index, roots: core.roots, excluded: core.excluded)
        .walk(.everything) { false }
    }
    report.add(plan)
    report.damagedAlbums = core.albums.damagedFiles().map {
      VerificationReport.Finding(fileURL: $0.path.url, error: $0.error)
    }
    report.incompleteAlbums = try await incompleteAlbums()
    try await readThrough(&report, progress)
    return report
  }

  private func incompleteAlbums() async throws(PhotoLibraryError)
    -> [VerificationReport.IncompleteAlbum]
  {
    let found = try await core.index.read { [core] db in try core.albums.missingMembers(db) }
    return found.map { id, name, count in
      let album =
        id == AlbumKey.favorites
        ? Album(.favorites, core) : Album(key: .made(id), core: core, name: name)
      return VerificationReport.IncompleteAlbum(album: album, missingCount: count)
    }
  }

  private func readThrough(
    _ report: inout VerificationReport, _ progress: @Sendable (VerificationProgress) -> Void
  ) async throws(PhotoLibraryError) {
    let rows = try await core.index.read { db in
      try Int64.fetchAll(db, sql: "SELECT row FROM file WHERE removed = 0 AND isItem = 1")
    }
    for start in stride(from: 0, to: rows.count, by: Self.pageSize) {
      progress(VerificationProgress(filesRead: start, filesToRead: rows.count))
      let page = rows[start..<min(start + Self.pageSize, rows.count)]
      let files = try await core.index.read { db in try AssetQueries.assets(rows: page, db) }
      for result in await results(of: files) { report.add(result) }
      if Task.isCancelled { throw .cancelled }
    }
    report.filesRead = rows.count
    progress(VerificationProgress(filesRead: rows.count, filesToRead: rows.count))
  }

  fileprivate struct FileResult: Sendable {
    var path: FilePath
    var problem: PhotoLibraryError?
    var hasOutdatedThumbnail: Bool
  }

  /// What was found in the files, in their order, several of which are read at once.
  private func results(of files: [AssetQueries.Located]) async -> [FileResult] {
    await withTaskGroup(of: (Int, FileResult).self) { group in
      var results = [FileResult?](repeating: nil, count: files.count)
      let workers = min(ProcessInfo.processInfo.activeProcessorCount, 4)
      for (place, file) in files.enumerated() {
        if place >= workers, let (done, result) = await group.next() { results[done] = result }
        group.addTask { (place, await Blocking.run { check(file) }) }
      }
      for await (done, result) in group { results[done] = result }
      return results.compactMap(\.self)
    }
  }

  private func check(_ file: AssetQueries.Located) -> FileResult {
    let path = file.folder.appending(file.file.name)
    var isOutdated = false
    if file.file.isDefault, let cache = core.thumbnails.cache, let status = FileStatus(of: path) {
      let item = ThumbnailItem(path: path, status: status, info: file.file.info)
      isOutdated = ThumbnailSize.allCases.contains { cache.status(of: item, size: $0) == .outdated }
    }
    return FileResult(
      path: path, problem: FileVerifier.problem(with: file.file, at: path),
      hasOutdatedThumbnail: isOutdated)
  }
}

extension VerificationReport {
  fileprivate mutating func add(_ plan: ScanPlan) {
    newFiles = plan.new.map(\.path.url)
    changedFiles = plan.changed.filter { $0.known.status.isOther(than: $0.found.status) }
      .map(\.found.path.url)
    vanishedFiles = plan.vanished.map(\.path.url)
    problems = plan.problems
  }

  fileprivate mutating func add(_ result: LibraryVerifier.FileResult) {
    if let problem = result.problem {
      damagedFiles.append(Finding(fileURL: result.path.url, error: problem))
    }
    if result.hasOutdatedThumbnail { outdatedThumbnails.append(result.path.url) }
  }
}

extension FileStatus {
  /// Whether a file differs from what the index has; one that was read right after it was written is noted without the
  /// time, to be read again.
  fileprivate func isOther(than found: FileStatus) -> Bool {
    var found = found
    if changed == 0 { found.changed = 0 }
    return self != found
  }
}

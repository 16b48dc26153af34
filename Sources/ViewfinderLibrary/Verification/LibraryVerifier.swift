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
    report.indexProblem = try await core.index.read { db in try IndexDamage.problem(db) }
    let plan = try await Blocking.run { [core] () throws(PhotoLibraryError) in
      try core.scanner.walk(.everything) { false }
    }
    report.add(plan)
    report.damagedAlbums = core.albums.damagedFiles().map {
      VerificationReport.Finding(fileURL: $0.path.url, error: $0.error)
    }
    report.incompleteAlbums = try await incompleteAlbums()
    try await readThrough(plan, &report, progress)
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

  /// Reads all files that there are: those of the index, and those that it doesn't have.
  private func readThrough(
    _ plan: ScanPlan, _ report: inout VerificationReport,
    _ progress: @Sendable (VerificationProgress) -> Void
  ) async throws(PhotoLibraryError) {
    let away = plan.unreadable
    let rows = try await core.index.read { db in
      try Int64.fetchAll(db, sql: "SELECT row FROM file WHERE removed = 0 AND isItem = 1")
    }
    let count = rows.count + plan.new.count
    var done = 0
    func note(_ results: [FileResult]) throws(PhotoLibraryError) {
      for result in results { report.add(result) }
      done += results.count
      progress(VerificationProgress(filesRead: done, filesToRead: count))
      if Task.isCancelled { throw .cancelled }
    }
    progress(VerificationProgress(filesRead: 0, filesToRead: count))
    for start in stride(from: 0, to: rows.count, by: Self.pageSize) {
      let page = rows[start..<min(start + Self.pageSize, rows.count)]
      let files = try await core.index.read { db in
        try AssetQueries.assets(rows: page, db).map { file in
          (file, try file.file.row.flatMap { try ChecksumStore.entry(of: $0, db) })
        }
      }
      let reachable = files.filter { file, _ in !away.contains { file.folder.isInside($0) } }
      report.filesUnread += files.count - reachable.count
      done += files.count - reachable.count
      try note(await results(of: reachable.map { .known($0.0, $0.1) }))
    }
    for start in stride(from: 0, to: plan.new.count, by: Self.pageSize) {
      let page = plan.new[start..<min(start + Self.pageSize, plan.new.count)]
      try note(await results(of: page.map { .new($0) }))
    }
  }

  private enum Subject: Sendable {
    case known(AssetQueries.Located, ChecksumStore.Entry?)
    /// The index doesn't have it.
    case new(FoundFile)
  }

  fileprivate struct FileResult: Sendable {
    var path: FilePath
    var found: FileVerifier.Result
    var hasOutdatedThumbnail = false
  }

  /// What was found in the files, in their order, several of which are read at once.
  private func results(of files: [Subject]) async -> [FileResult] {
    await withTaskGroup(of: (Int, FileResult?).self) { group in
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

  /// `nil` for what is neither picture nor video.
  private func check(_ subject: Subject) -> FileResult? {
    switch subject {
    case .known(let file, let checksum):
      let path = file.folder.appending(file.file.name)
      let verifier = FileVerifier(path: path, row: file.file, checksum: checksum)
      return FileResult(
        path: path, found: verifier.verify(), hasOutdatedThumbnail: isOutdated(file, path))
    case .new(let file):
      guard FileExaminer.examine(file)?.isItem == true else { return nil }
      let verifier = FileVerifier(path: file.path, row: nil, checksum: nil)
      return FileResult(path: file.path, found: verifier.verify())
    }
  }

  private func isOutdated(_ file: AssetQueries.Located, _ path: FilePath) -> Bool {
    guard file.file.isDefault, let cache = core.thumbnails.cache,
      let status = FileStatus(of: path)
    else { return false }
    let item = ThumbnailItem(path: path, status: status, info: file.file.info)
    return ThumbnailSize.allCases.contains { cache.status(of: item, size: $0) == .outdated }
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
    if result.found.isGone { return }
    filesRead += 1
    if result.found.isCompared { filesCompared += 1 }
    if let problem = result.found.problem {
      damagedFiles.append(
        Finding(fileURL: result.path.url, error: problem, goodSince: result.found.goodSince))
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

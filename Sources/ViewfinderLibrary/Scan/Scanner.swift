import Foundation
import GRDB

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
struct Scanner: Sendable {
  let index: IndexDatabase
  let roots: [FilePath]
  let excluded: [FilePath]

  /// Files that are read and written to the index at a time.
  ///
  /// Whoever shows photos meanwhile waits while they are written.
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
    var scope = scope
    var plan = try walk(scope, isCancelled)
    // Somebody may be busy for long; what is missed then is found the next time.
    for _ in 0..<5 {
      let more = meanwhile()
      guard !more.isEmpty else { break }
      scope.add(more)
      plan = try walk(scope, isCancelled)
    }
    let moved = plan.takeMoved()
    var job = ScanJob(plan: plan, moved: moved, roots: roots)
    var state = ScanProgress(
      filesFound: plan.fileCount, filesToRead: plan.changed.count + plan.new.count)
    progress(state)
    job.examineChanged()
    state.filesRead = plan.changed.count
    var rest = plan.new[...]
    repeat {
      if isCancelled() { throw .cancelled }
      let batch = Array(rest.prefix(Self.batchSize))
      rest = rest.dropFirst(Self.batchSize)
      let files = FileExaminer.examine(batch)
      let isLast = rest.isEmpty
      if isLast, files.isEmpty, job.isEmpty { break }
      job = try index.writeNow { db in
        var (job, writer) = (job, IndexWriter(db))
        try job.add(files, &writer)
        if isLast { try job.finish(&writer) }
        try writer.finish()
        if isLast { try ChangeLog.trim(in: db) }
        return job
      }
      state.filesRead += batch.count
      progress(state)
    } while !rest.isEmpty
    if scope.isEverything { try forgetOldFiles() }
    return ScanReport(
      filesFound: plan.fileCount, filesRead: state.filesRead, problems: plan.problems,
      unsettled: plan.unsettled)
  }

  /// How long files that are gone are remembered, in nanoseconds: 30 days, for they may come back.
  private static let memory: Int64 = 30 * 86_400 * 1_000_000_000

  private func forgetOldFiles() throws(PhotoLibraryError) {
    let limit = Int64.now - Self.memory
    // Most scans find none, and need not write then.
    let areThere = try index.readNow { db in
      try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM file WHERE removed <> 0 AND removed < ?)",
        arguments: [limit])!
    }
    if areThere { try index.writeNow { db in try IndexWriter(db).forget(removedBefore: limit) } }
  }

  /// Compares the folders with the index, and only that.
  func walk(
    _ scope: ScanScope, _ isCancelled: @escaping @Sendable () -> Bool
  ) throws(PhotoLibraryError) -> ScanPlan {
    var walk = try FolderWalk(
      roots: roots, excluded: excluded, index: index,
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

/// Writes down what a scan found: which files are new, and which only went elsewhere.
private struct ScanJob {
  private let plan: ScanPlan
  private let moved: [(row: Int64, to: FoundFile)]
  private let roots: [FilePath]
  /// Files that were written to, with what they hold now.
  private var replaced: [(known: KnownFile, file: ExaminedFile)] = []
  /// Files that only got new times, or another inode.
  private var touched: [(known: KnownFile, file: ExaminedFile)] = []
  /// Rows whose content isn't where it was, so that it may be found elsewhere.
  private var candidates: [ContentID: [Int64]] = [:]
  private var claimed: Set<Int64> = []

  init(plan: ScanPlan, moved: [(row: Int64, to: FoundFile)], roots: [FilePath]) {
    self.plan = plan
    self.moved = moved
    self.roots = roots
    for (known, _) in plan.vanished { candidates[known.content, default: []].append(known.row) }
  }

  /// Whether there is nothing to write.
  var isEmpty: Bool {
    !plan.hasNewFolders && moved.isEmpty && replaced.isEmpty && touched.isEmpty
      && plan.vanished.isEmpty
  }

  mutating func examineChanged() {
    for (known, found) in plan.changed {
      guard let file = FileExaminer.examine(found) else { continue }
      if file.content == known.content {
        touched.append((known, file))
      } else {
        replaced.append((known, file))
        candidates[known.content, default: []].append(known.row)
      }
    }
  }

  private func folder(_ path: FilePath, _ writer: IndexWriter) throws -> Int64 {
    try writer.folder(
      path, device: plan.folders[path] ?? 0,
      inCameraRoll: roots.contains { path.isInside($0.appending("DCIM")) })
  }

  /// Writes down new files.
  mutating func add(_ files: [ExaminedFile], _ writer: inout IndexWriter) throws {
    for file in files {
      let folder = try folder(file.found.folder, writer)
      // Another process may have been faster.
      if let row = try writer.file(in: folder, named: file.found.name), !isLost(row) {
        if row.content != file.content { try writer.update(row, with: file, in: folder) }
      } else {
        try place(file, in: folder, &writer)
      }
    }
  }

  private func isLost(_ row: FileRow) -> Bool {
    row.row.map { candidates[row.content]?.contains($0) == true } ?? false
  }

  /// Gives a file the row of one with the same content that isn't where it was, else a new one.
  private mutating func place(_ file: ExaminedFile, in folder: Int64, _ writer: inout IndexWriter)
    throws
  {
    if let row = try lostFile(with: file.content, writer) ?? writer.removedFile(file) {
      if let key = row.row { claimed.insert(key) }
      try writer.update(row, with: file, in: folder)
    } else {
      try writer.insert(file, in: folder)
    }
  }

  /// A file with this content that isn't where the index has it.
  private mutating func lostFile(with content: ContentID, _ writer: IndexWriter) throws -> FileRow?
  {
    while let candidate = candidates[content]?.popLast() {
      if !claimed.contains(candidate), let row = try writer.file(row: candidate) { return row }
    }
    // One that has moved since its folder was looked at.
    return try writer.files(with: content).first { file in
      guard let key = file.row.row, !claimed.contains(key) else { return false }
      return FileStatus(of: file.path)?.inode != file.row.status.inode
    }?.row
  }

  /// Writes down what became of the files that the index knows.
  mutating func finish(_ writer: inout IndexWriter) throws {
    // Folders that hold nothing are known too, so that they aren't entered again.
    for path in plan.folders.keys { _ = try folder(path, writer) }
    for (row, found) in moved {
      guard let row = try writer.file(row: row) else { continue }
      try makeRoom(at: found, for: row, &writer)
      try writer.move(row, to: found, in: folder(found.folder, writer))
    }
    for (known, file) in touched {
      guard !claimed.contains(known.row), let row = try writer.file(row: known.row) else {
        continue
      }
      try writer.update(row, with: file, in: known.folder)
    }
    for (known, file) in replaced { try replace(known, with: file, &writer) }
    for (known, path) in plan.vanished where !claimed.contains(known.row) {
      // One that is there again came back meanwhile, unless it is no longer looked at.
      guard FileStatus(of: path) == nil || !FolderListing.finds(path, from: roots),
        let row = try writer.file(row: known.row)
      else { continue }
      try writer.remove(row)
    }
  }

  private mutating func replace(
    _ known: KnownFile, with file: ExaminedFile, _ writer: inout IndexWriter
  ) throws {
    guard let row = try writer.file(row: known.row), !claimed.contains(known.row) else {
      return try place(file, in: known.folder, &writer)
    }
    if let other = try lostFile(with: file.content, writer), let key = other.row {
      claimed.insert(key)
      try writer.remove(row)
      return try writer.update(other, with: file, in: known.folder)
    }
    claimed.insert(known.row)
    try writer.update(row, with: file, in: known.folder)
  }

  /// A row of another process may be in the way.
  private func makeRoom(at found: FoundFile, for row: FileRow, _ writer: inout IndexWriter) throws {
    let folder = try folder(found.folder, writer)
    if let other = try writer.file(in: folder, named: found.name), other.row != row.row {
      try writer.remove(other)
    }
  }
}

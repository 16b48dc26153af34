import Foundation
import GRDB

/// Reads the files that a plan names, and writes down which are new, and which only went elsewhere.
struct ScanRun {
  private let plan: ScanPlan
  private let roots: [FilePath]
  private let writer: LibraryWriter
  /// Files that somebody has written to the end; others, which may still be written, are left for later.
  ///
  /// `nil` leaves none.
  private let finished: Set<FilePath>?
  /// Identifiers that were promised for new files.
  private let identifiers: [FilePath: UUID]
  /// Files that were written to, with what they hold now.
  private var replaced: [(known: KnownFile, file: ExaminedFile)] = []
  /// Those of them that hold what no file held before.
  private var edited: [(known: KnownFile, file: ExaminedFile)] = []
  /// Files whose content isn't where it was, so that it may be found elsewhere.
  private var candidates: [ContentID: [KnownFile]] = [:]
  /// Rows of which it is known where their files are.
  private var claimed: Set<Int64>
  /// The files that were found, whose own rows are no copy's.
  private let found: Set<FileIdentity>
  /// Folders with files that nobody has written whole yet.
  private(set) var unsettled: Set<FilePath> = []
  private var state: ScanProgress

  init(
    plan: ScanPlan, roots: [FilePath], writer: LibraryWriter, finished: Set<FilePath>? = nil,
    identifiers: [FilePath: UUID] = [:]
  ) {
    self.plan = plan
    self.roots = roots
    self.writer = writer
    self.finished = finished
    self.identifiers = identifiers
    state = ScanProgress(
      filesFound: plan.fileCount, filesToRead: plan.changed.count + plan.new.count)
    claimed = Set(plan.moved.map(\.row))
    found = Set((plan.new + plan.changed.map(\.found)).map { FileIdentity($0.status) })
    for (known, _) in plan.vanished { candidates[known.content, default: []].append(known) }
  }

  /// Does it all, turn by turn; returns how many files it read.
  mutating func run(
    _ isCancelled: () -> Bool, _ progress: (ScanProgress) -> Void
  ) throws(PhotoLibraryError) -> Int {
    progress(state)
    // What changed comes first: only then is it known which content may have gone elsewhere.
    try inBatches(plan.changed, isCancelled, progress, found: \.found) {
      (run, batch, files, writer) in try run.addChanged(batch, files, &writer)
    }
    try inBatches(plan.new, isCancelled, progress, found: \.self) { (run, _, files, writer) in
      try run.add(files, &writer)
    }
    try inTurns(plan.moved) { (run, moved, writer) in try run.move(moved.row, moved.to, &writer) }
    // Files that changed places come before those that somebody edited, or one would pass for the other.
    try inTurns(replaced) { (run, replaced, writer) in
      try run.takePlace(of: replaced.known, replaced.file, &writer)
    }
    try inTurns(edited) { (run, edited, writer) in
      try run.edit(edited.known, edited.file, &writer)
    }
    try inTurns(plan.vanished) { (run, vanished, writer) in
      try run.vanish(vanished.known, vanished.path, &writer)
    }
    try noteFolders()
    return state.filesRead
  }

  // MARK: Turns

  /// Reads files, the next ones while those before are written.
  private mutating func inBatches<Item>(
    _ items: [Item], _ isCancelled: () -> Bool, _ progress: (ScanProgress) -> Void,
    found: (Item) -> FoundFile,
    _ body: (inout ScanRun, ArraySlice<Item>, [ExaminedFile?], inout IndexWriter) throws -> Void
  ) throws(PhotoLibraryError) {
    var rest = items[...]
    var batch = Self.batch(of: rest, found)
    var examination = FileExaminer.begin(batch.map(found))
    while !batch.isEmpty {
      if isCancelled() { throw .cancelled }
      let files = examination.results()
      rest = rest.dropFirst(batch.count)
      let next = Self.batch(of: rest, found)
      examination = FileExaminer.begin(next.map(found))
      let whole = settled(files)
      try turn { run, writer in try body(&run, batch, whole, &writer) }
      state.filesRead += batch.count
      progress(state)
      batch = next
    }
  }

  /// The first ones, without parting those that may be one asset: they lie side by side, by name.
  private static func batch<Item>(
    of items: ArraySlice<Item>, _ found: (Item) -> FoundFile
  ) -> ArraySlice<Item> {
    var batch = items.prefix(Scanner.batchSize)
    while let last = batch.last, batch.endIndex < items.endIndex,
      found(items[batch.endIndex]).name.stem == found(last).name.stem
    {
      batch = items.prefix(batch.count + 1)
    }
    return batch
  }

  /// Writes some at a time.
  private mutating func inTurns<Item>(
    _ items: [Item], _ body: (inout ScanRun, Item, inout IndexWriter) throws -> Void
  ) throws(PhotoLibraryError) {
    var rest = items[...]
    while !rest.isEmpty {
      let batch = rest.prefix(Scanner.batchSize)
      rest = rest.dropFirst(batch.count)
      try turn { run, writer in
        for item in batch { try body(&run, item, &writer) }
      }
    }
  }

  private mutating func turn(
    _ body: (inout ScanRun, inout IndexWriter) throws -> Void
  ) throws(PhotoLibraryError) {
    var run = self
    // It may run twice; what the first time did is forgotten then.
    try writer.write { db in
      var (next, writer) = (self, IndexWriter(db))
      try body(&next, &writer)
      try writer.finish()
      run = next
    }
    self = run
  }

  /// Takes out files that somebody is still writing: they don't hold all that they will.
  ///
  /// What belongs to the same asset waits, too.
  private mutating func settled(_ files: [ExaminedFile?]) -> [ExaminedFile?] {
    guard let finished else { return files }
    let unfinished = files.compactMap(\.self).filter { file in
      file.isItem && file.isFresh && file.completeness != .complete
        && (file.completeness == .incomplete || !finished.contains(file.found.path))
    }
    guard !unfinished.isEmpty else { return files }
    let groups = Set(unfinished.map(\.found.group))
    unsettled.formUnion(unfinished.map(\.found.folder))
    return files.map { file in file.flatMap { groups.contains($0.found.group) ? nil : $0 } }
  }

  // MARK: Files

  private func folder(_ path: FilePath, _ writer: IndexWriter) throws -> Int64 {
    try writer.folder(
      path, device: plan.folders[path] ?? 0,
      inCameraRoll: roots.contains { path.isInside($0.appending("DCIM")) })
  }

  private mutating func addChanged(
    _ batch: ArraySlice<(known: KnownFile, found: FoundFile)>, _ files: [ExaminedFile?],
    _ writer: inout IndexWriter
  ) throws {
    for ((known, _), file) in zip(batch, files) {
      guard let file else { continue }
      guard file.content == known.content else {
        replaced.append((known, file))
        candidates[known.content, default: []].append(known)
        continue
      }
      // It only got new times, or another inode.
      guard let row = try present(known, writer) else { continue }
      try writer.update(row, with: file, in: known.folder)
    }
  }

  /// Writes down new files.
  private mutating func add(_ files: [ExaminedFile?], _ writer: inout IndexWriter) throws {
    for file in files {
      guard let file else { continue }
      let folder = try folder(file.found.folder, writer)
      // Another process may have been faster.
      guard let row = try writer.file(in: folder, named: file.found.name), !isLost(row) else {
        try place(file, in: folder, &writer)
        continue
      }
      if row.content != file.content {
        replaced.append((KnownFile(row), file))
        candidates[row.content, default: []].append(KnownFile(row))
      } else if row.isStale {
        try writer.update(row, with: file, in: folder)
      }
    }
  }

  private func isLost(_ row: FileRow) -> Bool {
    candidates[row.content]?.contains { $0.row == row.row } ?? false
  }

  /// Gives a file the row of one with the same content that isn't where it was, else a new one.
  private mutating func place(_ file: ExaminedFile, in folder: Int64, _ writer: inout IndexWriter)
    throws
  {
    if let row = try lostFile(file, writer) ?? writer.removedFile(file) {
      if let key = row.row { claimed.insert(key) }
      try writer.update(row, with: file, in: folder)
    } else {
      try writer.insert(file, in: folder, id: identifiers[file.found.path])
    }
  }

  /// A file with the same content that isn't where the index has it.
  private mutating func lostFile(_ file: ExaminedFile, _ writer: IndexWriter) throws -> FileRow? {
    // There may be thousands of copies.
    while let last = candidates[file.content]?.last, claimed.contains(last.row) {
      candidates[file.content]?.removeLast()
    }
    let lost = candidates[file.content]?.reversed() ?? []
    for known in lost where mayBe(file, known.row, known.status) {
      if let row = try writer.file(row: known.row) { return row }
    }
    // One that has moved since its folder was looked at.
    return try writer.files(with: file.content).first { (row, path) in
      guard let key = row.row, mayBe(file, key, row.status) else { return false }
      return FileStatus(of: path)?.inode != row.status.inode
    }?.row
  }

  /// Whether a file may be that of a row, which isn't found elsewhere.
  private func mayBe(_ file: ExaminedFile, _ row: Int64, _ status: FileStatus) -> Bool {
    guard !claimed.contains(row) else { return false }
    let identity = FileIdentity(status)
    return identity == FileIdentity(file.found.status) || !found.contains(identity)
  }

  /// Notes where a file is now that only has another path.
  private mutating func move(_ row: Int64, _ found: FoundFile, _ writer: inout IndexWriter) throws {
    guard let row = try writer.file(row: row) else { return }
    try writer.move(row, to: found, in: folder(found.folder, writer))
  }

  /// Notes a file that now has the name of another one; one that no other can be is left for ``edit(_:_:_:)``.
  private mutating func takePlace(
    of known: KnownFile, _ file: ExaminedFile, _ writer: inout IndexWriter
  ) throws {
    guard
      let other = try lostFile(file, writer) ?? writer.removedFile(file),
      let key = other.row
    else {
      if try isCopy(file, inPlaceOf: known, writer) { return try replace(known, file, &writer) }
      edited.append((known, file))
      return
    }
    if key != known.row, !claimed.contains(known.row), let row = try present(known, writer) {
      try writer.remove(row)
    }
    claimed.insert(key)
    try writer.update(other, with: file, in: known.folder)
  }

  /// Whether what has a file's name now is another file, with what is elsewhere, too.
  private func isCopy(
    _ file: ExaminedFile, inPlaceOf known: KnownFile, _ writer: IndexWriter
  ) throws -> Bool {
    try FileIdentity(file.found.status) != FileIdentity(known.status)
      && !writer.files(with: file.content).isEmpty
  }

  /// Notes another file under a name; the one that had it may come back.
  private mutating func replace(
    _ known: KnownFile, _ file: ExaminedFile, _ writer: inout IndexWriter
  ) throws {
    if !claimed.contains(known.row), let row = try present(known, writer) { try writer.remove(row) }
    try placeUnlessKnown(file, known, &writer)
  }

  /// Places a file where another one was, unless another process has done so.
  private mutating func placeUnlessKnown(
    _ file: ExaminedFile, _ known: KnownFile, _ writer: inout IndexWriter
  ) throws {
    let there = try writer.file(in: known.folder, named: known.name)
    if there?.content != file.content { try place(file, in: known.folder, &writer) }
  }

  /// The row of a file, if no other process has found meanwhile that it is elsewhere, or holds something else.
  private func present(_ known: KnownFile, _ writer: IndexWriter) throws -> FileRow? {
    guard let row = try writer.file(row: known.row), row.removed == 0, row.folder == known.folder,
      row.name == known.name, row.content == known.content
    else { return nil }
    return row
  }

  /// Notes that somebody wrote to a file.
  private mutating func edit(
    _ known: KnownFile, _ file: ExaminedFile, _ writer: inout IndexWriter
  ) throws {
    guard !claimed.contains(known.row), let row = try present(known, writer) else {
      return try placeUnlessKnown(file, known, &writer)
    }
    // A photo that was just saved under the name of one that went away is a new one; and what stood for a part of a
    // file is none of its own, but who put it into an album meant the file.
    let isNew = identifiers[file.found.path] != nil
    let wasPart = row.info.isIncomplete && !file.info.isIncomplete
    if isNew || wasPart, try isNew || !writer.isInAlbum(row) {
      try writer.remove(row)
      return try place(file, in: known.folder, &writer)
    }
    claimed.insert(known.row)
    try writer.update(row, with: file, in: known.folder)
  }

  private func vanish(_ known: KnownFile, _ path: FilePath, _ writer: inout IndexWriter) throws {
    guard !claimed.contains(known.row), let row = try present(known, writer) else { return }
    // One that is there again came back meanwhile, unless it is no longer looked at.
    guard FileStatus(of: path) == nil || !FolderListing.finds(path, from: roots) else { return }
    try writer.remove(row)
  }

  // MARK: Folders

  /// Folders that hold nothing are known too, so that they aren't entered again; and which can't be reached.
  private func noteFolders() throws(PhotoLibraryError) {
    guard !plan.newFolders.isEmpty || !plan.absences.isEmpty else { return }
    try writer.write { db in
      let writer = IndexWriter(db)
      for path in plan.newFolders { _ = try folder(path, writer) }
      for (path, isAbsent) in plan.absences { try writer.setAbsent(isAbsent, path) }
    }
  }
}

extension FoundFile {
  /// What it has in common with the files that may be one asset with it.
  fileprivate var group: FilePath { folder.appending(AssetName(name).stem) }
}

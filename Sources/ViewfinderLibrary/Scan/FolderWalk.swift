import Foundation
import GRDB

/// What a scan looks at.
struct ScanScope: Sendable {
  /// Whether it looks at all roots and everything in them.
  var isEverything = false
  /// Otherwise the folders at which it looks, without the folders in them that the index knows.
  var folders: Set<FilePath> = []
  /// Files that are known to be whole; others that were written to just now are left for later.
  ///
  /// `nil` leaves none.
  var finished: Set<FilePath>?

  static let everything = ScanScope(isEverything: true)

  static func folders(_ folders: Set<FilePath>) -> ScanScope { ScanScope(folders: folders) }

  var isEmpty: Bool { folders.isEmpty && !isEverything }

  mutating func add(_ more: ScanScope) {
    isEverything = isEverything || more.isEverything
    folders.formUnion(more.folders)
    if let others = more.finished { finished?.formUnion(others) }
  }
}

/// Goes through folders and compares them with the index.
///
/// Links to folders outside the library are followed, each real folder once, so that loops end. What is hidden, what
/// other programs leave, and the thumbnail cache are not looked at.
struct FolderWalk {
  let roots: [FilePath]
  let excluded: [FilePath]
  /// The folders that the index knows, with their keys and devices.
  let known: [FilePath: KnownFolder]
  /// Asked for one folder at a time: who shows photos meanwhile must not wait for the disk.
  let index: IndexDatabase
  /// Whether a file is ready to be read.
  let isSettled: (FoundFile) -> Bool
  let isCancelled: () -> Bool

  private(set) var plan = ScanPlan()
  private var visited: Set<Place> = []
  private var links: [FilePath] = []
  struct KnownFolder {
    var id: Int64
    var device: UInt64
    var isAbsent: Bool
  }

  private struct Place: Hashable {
    var device: UInt64
    var inode: UInt64
  }

  init(
    roots: [FilePath], excluded: [FilePath], index: IndexDatabase,
    isSettled: @escaping (FoundFile) -> Bool, isCancelled: @escaping () -> Bool
  ) throws(PhotoLibraryError) {
    self.roots = roots
    self.excluded = excluded
    self.index = index
    self.isSettled = isSettled
    self.isCancelled = isCancelled
    known = try index.readNow { db in
      let folders = try Row.fetchAll(db, sql: "SELECT id, path, device, absent FROM folder")
      return Dictionary(
        try folders.map { row in
          let folder = KnownFolder(
            id: try row.decode(forColumn: "id"), device: try row.unsigned("device"),
            isAbsent: try row.decode(Int64.self, forColumn: "absent") != 0)
          return (try row.path("path"), folder)
        }
      ) { first, _ in first }
    }
  }

  mutating func run(_ scope: ScanScope) throws(PhotoLibraryError) {
    try enter(scope)
    plan.takeMoved()
    noteAbsences()
  }

  private mutating func enter(_ scope: ScanScope) throws(PhotoLibraryError) {
    guard scope.isEverything else {
      // Outer folders first: they may find that inner ones are gone.
      for folder in scope.folders.sorted()
      where plan.folders[folder] == nil && FolderListing.reaches(folder, from: roots) {
        try walk(folder, isRoot: roots.contains(folder), entersKnown: false)
      }
      return try followLinks()
    }
    for root in roots { try walk(root, isRoot: true) }
    try followLinks()
    for folder in known.keys where plan.folders[folder] == nil && !isUncertain(folder) {
      try vanish(folder)
    }
  }

  private mutating func followLinks() throws(PhotoLibraryError) {
    while let link = links.popLast() { try walk(link) }
  }

  private func isUncertain(_ folder: FilePath) -> Bool {
    plan.unreadable.contains { folder.isInside($0) }
  }

  /// Notes which of the known folders can't be reached any more, and which can again.
  private mutating func noteAbsences() {
    for (folder, known) in known {
      if plan.folders[folder] != nil {
        if known.isAbsent { plan.absences[folder] = false }
      } else if !known.isAbsent, isUncertain(folder) {
        plan.absences[folder] = true
      }
    }
  }

  /// Looks at a folder and those in it.
  private mutating func walk(_ start: FilePath, isRoot: Bool = false, entersKnown: Bool = true)
    throws(PhotoLibraryError)
  {
    var queue = [start]
    while let folder = queue.popLast() {
      if isCancelled() { throw PhotoLibraryError.cancelled }
      guard !excluded.contains(where: { folder.isInside($0) }) else { continue }
      guard let status = FileStatus(of: folder), status.kind == .folder else {
        let code = errno
        try missing(folder, code: code == 0 ? ENOTDIR : code, isRoot: isRoot && folder == start)
        continue
      }
      guard visited.insert(Place(device: status.device, inode: status.inode)).inserted else {
        continue
      }
      do throws(PhotoLibraryError) {
        let listing = try FolderListing(of: folder, isRoot: roots.contains(folder)) { real in
          roots.contains { real.isInside($0) }
        }
        if isUnmounted(folder, status, listing) {
          note(folder, ENODEV)
          continue
        }
        try compare(folder, listing, status)
        let inner = listing.folders.map { folder.appending($0) }
        queue += inner.filter { entersKnown || known[$0] == nil }
        links += listing.links.map { folder.appending($0) }.filter {
          entersKnown || known[$0] == nil
        }
        if !entersKnown { try vanishMissing(in: folder, listing) }
      } catch {
        guard case .cannotRead(_, let code) = error else { throw error }
        try missing(folder, code: code, isRoot: isRoot && folder == start)
      }
    }
  }

  /// A drive that isn't mounted leaves an empty folder on another device: its photos are not deleted.
  private func isUnmounted(
    _ folder: FilePath, _ status: FileStatus, _ listing: FolderListing
  ) -> Bool {
    guard listing.files.isEmpty, listing.folders.isEmpty, let known = known[folder] else {
      return false
    }
    return known.device != status.device
  }

  /// Where the disk was mounted that had a folder: it is taken away with its folder.
  private func mountPoint(of folder: FilePath) -> FilePath? {
    var inner = folder
    while let known = known[inner], let outer = self.known[inner.folder], inner.folder != inner {
      if known.device != outer.device, plan.folders[inner] == nil { return inner }
      inner = inner.folder
    }
    return nil
  }

  private mutating func note(_ folder: FilePath, _ code: Int32) {
    plan.unreadable.append(folder)
    plan.problems.append(.cannotRead(path: folder.description, code: code))
  }

  private mutating func compare(_ folder: FilePath, _ listing: FolderListing, _ status: FileStatus)
    throws(PhotoLibraryError)
  {
    plan.folders[folder] = status.device
    var files: [KnownFile] = []
    if let id = known[folder]?.id {
      files = try knownFiles(in: id)
    } else {
      plan.newFolders.insert(folder)
    }
    plan.compare(listing, of: folder, with: files, isSettled: isSettled)
  }

  private mutating func missing(_ folder: FilePath, code: Int32, isRoot: Bool)
    throws(PhotoLibraryError)
  {
    guard !isRoot, code == ENOENT || code == ENOTDIR else { return note(folder, code) }
    for inner in known.keys where inner.isInside(folder) { try vanish(inner) }
  }

  private mutating func vanishMissing(in folder: FilePath, _ listing: FolderListing)
    throws(PhotoLibraryError)
  {
    let there = Set((listing.folders + listing.links).map { folder.appending($0) })
    let gone = known.keys.filter { $0.folder == folder && $0 != folder && !there.contains($0) }
    for outer in gone {
      for inner in known.keys where inner.isInside(outer) { try vanish(inner) }
    }
  }

  private mutating func vanish(_ folder: FilePath) throws(PhotoLibraryError) {
    guard let id = known[folder]?.id, plan.folders[folder] == nil, !isUncertain(folder) else {
      return
    }
    if let disk = mountPoint(of: folder) { return note(disk, ENODEV) }
    plan.vanished += try knownFiles(in: id).map { ($0, folder.appending($0.name)) }
  }

  private func knownFiles(in folder: Int64) throws(PhotoLibraryError) -> [KnownFile] {
    try index.readNow { db in try KnownFile.all(in: folder, db) }
  }
}

import Foundation
import GRDB

/// A file as the index knows it: just enough to see whether it is the same.
struct KnownFile: Sendable, FetchableRecord {
  var row: Int64
  var folder: Int64
  var name: FilePath
  var content: ContentID
  var status: FileStatus
  /// Whether what the index says of it may be wrong.
  var isStale: Bool
  /// Which state of its sidecar it was read with.
  var sidecar: Int64?

  init(_ file: FileRow) {
    (row, folder, name) = (file.row ?? 0, file.folder, file.name)
    (content, status, isStale, sidecar) = (file.content, file.status, file.isStale, file.sidecar)
  }

  init(row: Row) throws {
    self.row = try row.decode(forColumn: "row")
    folder = try row.decode(forColumn: "folder")
    name = try row.path("name")
    content = try row.decode(forColumn: "content")
    status = try FileStatus(row)
    isStale = try row.decode(forColumn: "stale")
    sidecar = try row.decode(forColumn: "sidecar")
  }

  private static let columns =
    "row, folder, name, content, device, inode, size, modified, changed, stale, sidecar"

  static func all(in folder: Int64, _ db: Database) throws -> [KnownFile] {
    try fetchAll(
      db.cachedStatement(
        sql: "SELECT \(columns) FROM file WHERE folder = ? AND removed = 0"), arguments: [folder])
  }

  /// The file that the index has at a path.
  static func at(_ path: FilePath, _ db: Database) throws -> KnownFile? {
    try fetchOne(
      db.cachedStatement(
        sql: """
          SELECT \(columns) FROM file
          WHERE folder = (SELECT id FROM folder WHERE path = ?) AND name = ? AND removed = 0
          """), arguments: [Data(path.folder.bytes), Data(path.name.bytes)])
  }
}

/// What a walk through folders found to be different from the index.
struct ScanPlan {
  /// Files that the index doesn't have there.
  var new: [FoundFile] = []
  /// Files that have been written to, or replaced.
  var changed: [(known: KnownFile, found: FoundFile)] = []
  /// Files that are not where the index has them.
  var vanished: [(known: KnownFile, path: FilePath)] = []
  /// How many files there are.
  var fileCount = 0
  /// Files that only have another path, or another device: nothing of them needs to be read.
  var moved: [(row: Int64, to: FoundFile)] = []
  /// Folders that are there, with their devices.
  var folders: [FilePath: UInt64] = [:]
  /// Those of them that the index doesn't know.
  var newFolders: Set<FilePath> = []
  /// Folders that can't be reached any more (`true`), or can again.
  var absences: [FilePath: Bool] = [:]
  /// Folders with files that somebody is still writing.
  var unsettled: Set<FilePath> = []
  /// Folders that can't be read, or whose disk isn't there; nor can what lies in them.
  var unreadable: [FilePath] = []
  /// What could not be read.
  var problems: [PhotoLibraryError] = []

  /// Compares a folder with the index.
  mutating func compare(
    _ listing: FolderListing, of folder: FilePath, with known: [KnownFile],
    isSettled: (FoundFile) -> Bool
  ) {
    fileCount += listing.files.count
    var rest = Dictionary(known.map { ($0.name, $0) }) { first, _ in first }
    for entry in listing.files {
      let found = FoundFile(
        folder: folder, name: entry.name, status: entry.status,
        sidecar: listing.sidecar(of: entry.name))
      if let known = rest.removeValue(forKey: entry.name) {
        let isCurrent = !known.isStale && known.sidecar == found.sidecar?.state
        if isCurrent, known.status == entry.status { continue }
        if isCurrent, known.status.isSame(onAnotherDevice: entry.status) {
          moved.append((known.row, found))
        } else if isSettled(found) {
          changed.append((known, found))
        } else {
          unsettled.insert(folder)
        }
      } else if isSettled(found) {
        new.append(found)
      } else {
        unsettled.insert(folder)
      }
    }
    vanished += rest.values.map { ($0, folder.appending($0.name)) }
  }

  /// Takes out the files that vanished in one place and are in another.
  mutating func takeMoved() {
    guard !vanished.isEmpty, !new.isEmpty else { return }
    var byStatus = Dictionary(vanished.map { ($0.known.status, $0.known) }) { first, _ in first }
    var rows: Set<Int64> = []
    new.removeAll { found in
      guard let known = byStatus[found.status], !known.isStale,
        known.sidecar == found.sidecar?.state
      else { return false }
      byStatus[found.status] = nil
      moved.append((known.row, found))
      rows.insert(known.row)
      return true
    }
    vanished.removeAll { rows.contains($0.known.row) }
  }
}

extension FileStatus {
  /// Whether it is the same file after its disk was mounted anew, when devices are numbered otherwise.
  fileprivate func isSame(onAnotherDevice other: FileStatus) -> Bool {
    guard device != other.device, changed != 0 else { return false }
    var here = self
    here.device = other.device
    return here == other
  }
}

import Foundation
import GRDB

/// A file as the index knows it: just enough to see whether it is the same.
struct KnownFile: Sendable, FetchableRecord {
  var row: Int64
  var folder: Int64
  var name: FilePath
  var content: ContentID
  var status: FileStatus

  init(row: Row) throws {
    self.row = try row.decode(forColumn: "row")
    folder = try row.decode(forColumn: "folder")
    name = try row.path("name")
    content = try row.decode(forColumn: "content")
    status = try FileStatus(row)
  }

  static func all(in folder: Int64, _ db: Database) throws -> [KnownFile] {
    try fetchAll(
      db.cachedStatement(
        sql: """
          SELECT row, folder, name, content, device, inode, size, modified, changed FROM file
          WHERE folder = ? AND removed = 0
          """), arguments: [folder])
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
  /// Folders that are there, with their devices.
  var folders: [FilePath: UInt64] = [:]
  /// Whether the index doesn't know some of them.
  var hasNewFolders = false
  /// Folders with files that somebody is still writing.
  var unsettled: Set<FilePath> = []
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
      let found = FoundFile(folder: folder, name: entry.name, status: entry.status)
      if let known = rest.removeValue(forKey: entry.name) {
        guard known.status != entry.status else { continue }
        if isSettled(found) { changed.append((known, found)) } else { unsettled.insert(folder) }
      } else if isSettled(found) {
        new.append(found)
      } else {
        unsettled.insert(folder)
      }
    }
    vanished += rest.values.map { ($0, folder.appending($0.name)) }
  }

  /// Takes out the files that only have another path now, of which nothing needs to be read.
  mutating func takeMoved() -> [(row: Int64, to: FoundFile)] {
    guard !vanished.isEmpty, !new.isEmpty else { return [] }
    var byStatus = Dictionary(vanished.map { ($0.known.status, $0.known.row) }) { first, _ in first
    }
    var moved: [(row: Int64, to: FoundFile)] = []
    new.removeAll { found in
      guard let row = byStatus.removeValue(forKey: found.status) else { return false }
      moved.append((row, found))
      return true
    }
    let rows = Set(moved.map(\.row))
    vanished.removeAll { rows.contains($0.known.row) }
    return moved
  }
}

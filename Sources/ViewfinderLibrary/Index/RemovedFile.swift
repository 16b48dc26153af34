import Foundation
import GRDB

/// A file that the index remembers although it is gone: in the trash it is the same file still.
struct RemovedFile: Hashable {
  let device: UInt64
  let inode: UInt64
  let size: Int
  let modified: Int64

  init(_ status: FileStatus) {
    (device, inode) = (status.device, status.inode)
    (size, modified) = (status.size, status.modified)
  }

  /// The assets of all of them.
  static func all(_ db: Database) throws -> [RemovedFile: UUID] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT asset, size, device, inode, modified, changed FROM file
        WHERE removed <> 0 AND isItem = 1
        """)
    return Dictionary(
      try rows.map { (RemovedFile(try FileStatus($0)), try $0.decode(forColumn: "asset")) }
    ) { first, _ in first }
  }
}

extension FileStatus {
  /// Whether the file is the same, and nobody has written to it.
  func isUnchanged(since other: FileStatus) -> Bool { RemovedFile(self) == RemovedFile(other) }
}

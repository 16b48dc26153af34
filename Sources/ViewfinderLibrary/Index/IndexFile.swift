import Foundation

/// The index's files in their folder: `index-NUMBER.sqlite`, of which the one with the highest number counts.
///
/// One that is damaged gets a successor with another name: whoever still has it open opens the new one by
/// mistake never, and closing the old one deletes nothing of the new one's (SQLite removes its log by name).
/// The folder is locked while a file is chosen or made.
struct IndexFile: Hashable, Sendable {
  let folder: FilePath
  let number: Int64

  var path: FilePath { folder.appending("index-\(number).sqlite") }

  /// The one that counts, if there is any.
  static func newest(in folder: FilePath) -> IndexFile? {
    all(in: folder).max { $0.number < $1.number }
  }

  /// The one that comes after all that there are, or were: the time in it keeps names from being used again.
  static func next(in folder: FilePath) -> IndexFile {
    let now = Int64.now / 1_000_000
    return IndexFile(folder: folder, number: max(now, (newest(in: folder)?.number ?? 0) + 1))
  }

  /// Removes those that others have succeeded.
  ///
  /// Programs that have one open notice, and open the newest.
  static func removeOld(in folder: FilePath) {
    guard let newest = newest(in: folder) else { return }
    for file in all(in: folder) where file != newest { file.remove() }
  }

  /// What versions before this one kept; no program that is built today opens it.
  static func predecessor(in folder: FilePath) -> FilePath? {
    let path = folder.appending("index.sqlite")
    return FileStatus(of: path) == nil ? nil : path
  }

  func remove() {
    for suffix in ["", "-wal", "-shm"] { FilePath(bytes: path.bytes + Array(suffix.utf8)).unlink() }
  }

  private static func all(in folder: FilePath) -> [IndexFile] {
    ((try? folder.names()) ?? []).compactMap { name in
      let text = name.description
      guard text.hasPrefix("index-"), text.hasSuffix(".sqlite"),
        let number = Int64(text.dropFirst(6).dropLast(7)), number > 0
      else { return nil }
      return IndexFile(folder: folder, number: number)
    }
  }
}

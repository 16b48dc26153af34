import CardModel
import Checksums
import Foundation

/// Pictures as files that are named by their content: whole or not there.
struct PictureFolder: Sendable {
  private let folder: URL

  /// Makes the folder where it is missing.
  init(_ folder: URL) throws {
    self.folder = folder
    try CardStoreError.files(folder) {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
  }

  private func file(of hash: PictureHash) -> URL { folder.appending(component: "\(hash).jpg") }

  /// Where what is left of a damaged picture stays until a whole one comes: it may be the last there is.
  private func damaged(_ hash: PictureHash) -> URL {
    folder.appending(component: "\(hash).damaged")
  }

  func has(_ hash: PictureHash) -> Bool {
    FileManager.default.fileExists(atPath: file(of: hash).path)
  }

  /// What reading a picture gives.
  enum Content {
    case whole(Data)
    case missing
    /// It isn't itself any more, and out of the way, so that a whole one can come.
    case damaged
  }

  func read(_ hash: PictureHash) throws -> Content {
    guard has(hash) else { return .missing }
    let data = try CardStoreError.files(folder) { try Data(contentsOf: file(of: hash)) }
    if PictureHash(of: data) == hash { return .whole(data) }
    rename(file(of: hash).path, damaged(hash).path)
    return .damaged
  }

  /// Writes a picture aside and renames it, so that a full disk or an end at any moment leaves none in part.
  func write(_ data: Data, as hash: PictureHash) throws {
    guard !has(hash) else { return }
    try PrivateFile.replace(file(of: hash), with: data)
    unlink(damaged(hash).path)
  }

  /// Removes what no record names, and parts that a sudden end left; the newest day's stay, because a card
  /// may be in the making.
  func removeAll(except named: () throws -> Set<String>) throws {
    let yesterday = Date() - 86_400
    let old = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.contentModificationDateKey]
    ).filter { file in
      let date = try? file.resourceValues(forKeys: [.contentModificationDateKey])
      return date?.contentModificationDate.map { $0 < yesterday } ?? false
    }
    guard !old.isEmpty else { return }
    let names = try named()
    for file in old where !names.contains(file.deletingPathExtension().lastPathComponent) {
      unlink(file.path)
    }
  }
}

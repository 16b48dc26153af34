import Foundation
import Viewfinder

/// A file in the trash.
struct TrashedFile: Hashable, Sendable {
  /// Where it was.
  let original: FilePath
  /// Where it is now.
  let file: FilePath
  /// What tells desktops of it.
  let info: FilePath
}

/// The user's trash, shared with desktops: the freedesktop.org Trash specification 1.0.
///
/// Nothing is ever deleted: where there is no trash for a file, an error says so.
struct Trash: Sendable {
  private let home: FilePath?

  /// The trash whose home is in the user's data folder.
  init(_ folders: XDGFolders = XDGFolders()) { home = folders.data?.appending("Trash") }

  /// Puts a file into the trash.
  func put(_ path: FilePath) throws(PhotoLibraryError) -> TrashedFile {
    guard path.bytes.first == UInt8(ascii: "/") else {
      throw .invalidRequest(reason: "\(path) must be a whole path to be put into the trash.")
    }
    guard let status = FileStatus(of: path, followsLinks: false) else {
      throw .cannotRead(path: path.description, code: errno)
    }
    if let home, Self.nearestFolder(of: home)?.device == status.device {
      do throws(TrashFolder.Failure) {
        return try TrashFolder(path: home, top: nil).take(path)
      } catch {
        // One file system may be mounted in two places, between which nothing can be moved.
        guard error.code == EXDEV else { throw Self.failure(path, home, error.code) }
      }
    }
    let folder = try TrashFolder.atTop(of: path, device: status.device)
    do throws(TrashFolder.Failure) {
      return try folder.take(path)
    } catch {
      throw Self.failure(path, folder.path, error.code)
    }
  }

  /// Puts the files of one photo into the trash, all or none.
  func put(_ paths: [FilePath]) throws(PhotoLibraryError) -> [TrashedFile] {
    var trashed: [TrashedFile] = []
    for path in paths {
      do throws(PhotoLibraryError) {
        trashed.append(try put(path))
      } catch {
        for file in trashed.reversed() { try? restore(file) }
        throw error
      }
    }
    return trashed
  }

  /// Puts a file back to where it was; never over another.
  ///
  /// - Throws: ``PhotoLibraryError/cannotWrite(path:code:)`` with `EEXIST` when another file has its
  ///   name now; it stays in the trash then.
  func restore(_ trashed: TrashedFile) throws(PhotoLibraryError) {
    guard FileStatus(of: trashed.file, followsLinks: false) != nil else {
      throw .notFound(what: "file \(trashed.original) in the trash any more")
    }
    try trashed.original.folder.makeFolder()
    let code = trashed.file.moveToFree(trashed.original)
    guard code == 0 else { throw .cannotWrite(path: trashed.original.description, code: code) }
    FileSystem.syncFolder(of: trashed.original.bytes)
    trashed.info.unlink()
  }

  static func failure(_ path: FilePath, _ trash: FilePath, _ code: Int32) -> PhotoLibraryError {
    let advice =
      [ENOSPC, EDQUOT].contains(code)
      ? "Free some space there" : "Make its folder and the trash writable"
    return .invalidRequest(
      reason: "\(path) can't be put into the trash \(trash): \(errorText(code)). "
        + "\(advice), or delete the file for good.")
  }

  /// What is at a path, or at the nearest folder around it that there is.
  private static func nearestFolder(of path: FilePath) -> FileStatus? {
    var path = path
    while !path.bytes.isEmpty {
      if let status = FileStatus(of: path) { return status }
      guard path != path.folder else { return nil }
      path = path.folder
    }
    return nil
  }
}

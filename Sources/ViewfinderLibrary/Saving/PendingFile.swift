import Foundation
import Viewfinder

/// A file whose bytes are on the disk and which waits for its name.
final class PendingFile {
  /// What a draft's hidden name is made of.
  static let draftName: FilePath = "photo"

  /// The bytes; `nil` for a file that is only renamed.
  private var draft: FileDraft?
  /// Where a file was that is only renamed, because it is in the same file system.
  private let origin: FilePath?
  /// A file to remove once its copy is there, and what it was when it was read.
  private let replaced: (path: FilePath, status: FileStatus)?
  /// The name that it got last.
  private var path: FilePath?

  /// Writes what `source` gives, with `splice` in it; `folder` is in the file system in which the file gets its name.
  init(
    _ source: PhotoSaver.Source, splice: FileSplice? = nil, in folder: FilePath
  ) throws(PhotoLibraryError) {
    if case .move(let path) = source, try Self.isFile(path, in: folder), splice == nil {
      try FileCopy.sync(path)
      (origin, replaced) = (path, nil)
      return
    }
    origin = nil
    let draft = try FileDraft.begin(folder.appending(Self.draftName))
    switch source {
    case .data(let data):
      replaced = nil
      let code = draft.write(splice?.applied(to: data) ?? data)
      guard code == 0 else { throw .cannotWrite(path: folder.description, code: code) }
    case .copy(let path):
      replaced = nil
      _ = try FileCopy.copy(path, splice, to: draft.descriptor, of: folder)
    case .move(let path):
      replaced = (path, try FileCopy.copy(path, splice, to: draft.descriptor, of: folder))
    }
    self.draft = consume draft
  }

  /// Whether a file to be moved is in the same file system as `folder`.
  private static func isFile(_ path: FilePath, in folder: FilePath) throws(PhotoLibraryError)
    -> Bool
  {
    guard let status = FileStatus(of: path, followsLinks: false) else {
      throw .cannotRead(path: path.description, code: errno)
    }
    guard status.kind == .file else { throw .cannotRead(path: path.description, code: EINVAL) }
    return FileStatus(of: folder)?.device == status.device
  }

  /// What the file holds, before it has a name.
  func content() throws(PhotoLibraryError) -> ContentID {
    if let origin { return try ContentID(of: FileReader(origin)) }
    let descriptor = draft?.descriptor ?? -1
    return try ContentID(of: FileReader(FilePath("/proc/self/fd/\(descriptor)")))
  }

  /// Gives the file a name, or another one; returns 0 or an `errno`, `EEXIST` for a name that is taken.
  func publish(at newPath: FilePath, replacesExisting: Bool = false) -> Int32 {
    let code =
      if let path = path ?? origin {
        replacesExisting ? path.moveOver(newPath) : path.moveToFree(newPath)
      } else {
        draft?.publish(at: newPath.bytes, replacesExisting: replacesExisting) ?? EINVAL
      }
    if code == 0 { path = newPath }
    return code
  }

  /// Takes the name away again: a draft is gone then, and a moved file is back.
  func withdraw() {
    guard let path else { return }
    if let origin { _ = path.moveToFree(origin) } else { path.unlink() }
    self.path = nil
  }

  /// Ends a move to another file system: the source goes, unless somebody has changed it since.
  func finish() {
    guard let replaced,
      FileStatus(of: replaced.path, followsLinks: false) == replaced.status
    else { return }
    replaced.path.unlink()
    FileSystem.syncFolder(of: replaced.path.bytes)
  }

  /// Makes it last that a moved file is no longer where it was.
  func syncSource() {
    if let origin { FileSystem.syncFolder(of: origin.bytes) }
  }
}

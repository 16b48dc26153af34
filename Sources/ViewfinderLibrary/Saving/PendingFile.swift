import Foundation
import Viewfinder

/// A file whose bytes are on the disk and which waits for its name.
final class PendingFile {
  private enum State: ~Copyable {
    case draft(FileDraft)
    /// In the same file system: its own file, to be renamed.
    case moving(from: FilePath)
  }

  private var state: State
  /// The name that it got last.
  private var path: FilePath?
  /// A file to remove once its copy is there, and what it was when it was read.
  private let replaced: (path: FilePath, status: FileStatus)?

  /// Writes what `source` gives; `folder` is in the file system in which the file gets its name.
  init(_ source: PhotoSaver.Source, in folder: FilePath) throws(PhotoLibraryError) {
    switch source {
    case .data(let data):
      let draft = try Self.draft(in: folder)
      let code = draft.write(data)
      guard code == 0 else { throw .cannotWrite(path: folder.description, code: code) }
      state = .draft(draft)
      replaced = nil
    case .copy(let path):
      state = .draft(try Self.copy(of: path, in: folder).draft)
      replaced = nil
    case .move(let path):
      guard let status = FileStatus(of: path, followsLinks: false) else {
        throw .cannotRead(path: path.description, code: errno)
      }
      guard status.kind == .file else { throw .cannotRead(path: path.description, code: EINVAL) }
      if FileStatus(of: folder)?.device == status.device {
        try FileCopy.sync(path)
        state = .moving(from: path)
        replaced = nil
      } else {
        let copy = try Self.copy(of: path, in: folder)
        state = .draft(copy.draft)
        replaced = (path, copy.status)
      }
    }
  }

  private struct Copy: ~Copyable {
    let draft: FileDraft
    let status: FileStatus
  }

  private static func draft(in folder: FilePath) throws(PhotoLibraryError) -> FileDraft {
    try FileDraft.begin(folder.appending("photo"))
  }

  private static func copy(of path: FilePath, in folder: FilePath) throws(PhotoLibraryError) -> Copy
  {
    let draft = try draft(in: folder)
    let status = try FileCopy.copy(path, to: draft.descriptor, of: folder)
    return Copy(draft: draft, status: status)
  }

  /// Gives the file a name, or another one; returns 0 or an `errno`, `EEXIST` for a name that is taken.
  func publish(at newPath: FilePath, replacesExisting: Bool = false) -> Int32 {
    var code: Int32
    if let path {
      code = path.moveToFree(newPath)
    } else {
      switch consume state {
      case .draft(var draft):
        code = draft.publish(at: newPath.bytes, replacesExisting: replacesExisting)
        state = .draft(draft)
      case .moving(let source):
        code = replacesExisting ? source.moveOver(newPath) : source.moveToFree(newPath)
        state = .moving(from: source)
      }
    }
    if code == 0 { path = newPath }
    return code
  }

  /// Takes the name away again: a draft is gone then, and a moved file is back.
  func withdraw() {
    guard let path else { return }
    if case .moving(let source) = state { _ = path.moveToFree(source) } else { path.unlink() }
    self.path = nil
  }

  /// Ends a move to another file system: the source goes, unless somebody has changed it since.
  func finish() {
    guard let replaced,
      FileStatus(of: replaced.path, followsLinks: false) == replaced.status
    else { return }
    replaced.path.unlink()
    FileDraft.syncFolder(of: replaced.path.bytes)
  }

  /// Makes it last that a moved file is no longer where it was.
  func syncSource() {
    if case .moving(let source) = state { FileDraft.syncFolder(of: source.bytes) }
  }
}

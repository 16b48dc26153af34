public import Foundation
import Viewfinder

/// What went wrong in a photo library, and what to do about it.
@nonexhaustive public enum PhotoLibraryError: Error, Hashable, Sendable {
  /// There is no `what`, such as “album Holidays”.
  case notFound(what: String)

  /// This process may not use the folders.
  case notAuthorized(FolderProblem)

  /// The file is in a folder that can't be read now, or on a disk that isn't there; it is not lost.
  case absent(path: String)

  /// The file or folder can't be read.
  case cannotRead(path: String, code: Int32)

  /// The file or folder can't be written; nothing is left behind.
  case cannotWrite(path: String, code: Int32)

  /// `what` isn't a valid picture, or it is damaged.
  case damaged(what: String, reason: String)

  /// `what` is of a kind that can be listed but not shown.
  case unsupported(what: String, reason: String)

  /// The call can't work; `reason` says what to change.
  case invalidRequest(reason: String)

  /// Somebody else writes to `what` and doesn't come to an end; `by` tells who, where that is known.
  case inUse(what: String, by: String?)

  /// The file was changed since the library looked at it, and isn't deleted.
  case changed(path: String)

  /// The file can't be put into the trash, which lies at `trash`.
  case notTrashed(path: String, trash: String, code: Int32)

  /// The file of the trash can't be put back into `folder`, which is on another disk now.
  case onOtherDisk(path: String, folder: String)

  /// The photo is saved, but not in the album, for a reason.
  ///
  /// Call ``Album/add(_:)`` with the asset to try again.
  indirect case notAdded(saved: Asset, album: String, because: PhotoLibraryError)

  /// The call worked for the files `done` and not for the others, `left`, for a reason.
  ///
  /// The URLs tell where files are now, those of deleted ones where they were. No file is anywhere else.
  indirect case incomplete(done: [URL], left: [URL], because: PhotoLibraryError)

  /// No free name is left in the folder.
  case namesExhausted(folder: String)

  /// The library can use neither its index nor a new one.
  case indexUnusable(path: String, reason: String)

  /// The task was cancelled.
  case cancelled
}

extension PhotoLibraryError: CustomStringConvertible {
  /// What happened, to which file or album, and what to do about it.
  public var description: String {
    switch self {
    case .notFound(let what):
      return "There is no \(what)."
    case .notAuthorized(let problem):
      return "The photo library may not be used. \(problem)"
    case .absent(let path):
      return "\(path) can't be reached: its folder can't be read, or its disk isn't there. "
        + "Connect the disk, or allow the folder to be read; the library then shows it again."
    case .cannotRead(let path, let code):
      let advice =
        switch code {
        case EACCES, EPERM: " Its owner must let you read it (chmod u+r, or another user's group)."
        case EINVAL: " It is no ordinary file."
        case ENODEV: " Its disk isn't there: connect or mount it."
        case EFBIG: " It is too large to be shown."
        default: ""
        }
      return "\(path) can't be read: \(errorText(code)).\(advice)"
    case .cannotWrite(let path, let code):
      let advice =
        switch code {
        case ENOSPC, EDQUOT: " Free some space and try again."
        case EACCES, EPERM, EROFS: " Choose a folder that you may write to."
        case EEXIST: " Choose another name."
        default: ""
        }
      return "\(path) can't be written: \(errorText(code)).\(advice)"
    case .damaged(let what, let reason):
      return "\(what) is no valid picture: \(reason)."
    case .unsupported(let what, let reason):
      return "\(what) can be listed but not shown: \(reason)."
    case .invalidRequest(let reason):
      return reason
    case .inUse(let what, let holder?):
      return "\(what) is in use by \(holder). Try again when it is done."
    case .inUse(let what, nil):
      return "Another program is writing to \(what) and doesn't come to an end. "
        + "Close it and try again."
    case .changed(let path):
      return "\(path) has changed since the library looked at it, and isn't deleted. "
        + "Look at it again first."
    case .notTrashed(let path, let trash, let code):
      let advice =
        [ENOSPC, EDQUOT].contains(code)
        ? "Free some space there" : "Make its folder and the trash writable"
      return "\(path) can't be put into the trash \(trash): \(errorText(code)). "
        + "\(advice), or delete the file for good."
    case .onOtherDisk(let path, let folder):
      return "\(folder) is on another disk now. Move \(path) there yourself."
    case .notAdded(let asset, let album, let reason):
      return "\(asset.fileName) is saved, but not in the album \(album). \(reason)"
    case .incomplete(let done, let left, let reason):
      return "\(reason) Done: \(done.paths). Left as they were: \(left.paths)."
    case .namesExhausted(let folder):
      return "No free photo name is left in \(folder). Move its folders elsewhere, "
        + "or choose names by date."
    case .indexUnusable(let path, let reason):
      return "The index \(path) can't be used: \(reason). Check the disk and the folder's owner; "
        + "it is only a cache and may be deleted."
    case .cancelled:
      return "The task was cancelled."
    }
  }
}

extension [URL] {
  /// The files, for people.
  fileprivate var paths: String {
    isEmpty ? "none" : map { FilePath($0).description }.joined(separator: ", ")
  }
}

extension PhotoLibraryError: LocalizedError {
  /// The same text as ``description``.
  public var errorDescription: String? { description }
}

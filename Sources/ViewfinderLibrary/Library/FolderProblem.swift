import Foundation
import Viewfinder

/// Why a folder can't be used for photos.
@nonexhaustive public enum FolderProblem: Error, Hashable, Sendable {
  /// There is no home that has a folder for pictures.
  case noHome
  /// There is no home for the index.
  case noHomeForIndex
  /// There is no folder at `path`.
  case missing(path: String)
  /// `path` is a link to a folder that isn't there.
  case leadsNowhere(path: String)
  /// `path` can't be reached, with `code` as its `errno`.
  case unreachable(path: String, code: Int32)
  /// There is something else at `path`.
  case notAFolder(path: String)
  /// This process may not read the folder.
  case notReadable(path: String)
  /// The folder is on a file system that is read-only.
  case readOnlyDisk(path: String)
  /// This process may not write to the folder.
  case notWritable(path: String)
}

extension FolderProblem: CustomStringConvertible {
  /// What is wrong with which folder, and what to do.
  public var description: String {
    switch self {
    case .noHome:
      "There is no home with a folder for pictures: give the library its folders (roots)."
    case .noHomeForIndex:
      "There is no home for the index: give the library a folder for it (indexFolder)."
    case .missing(let path): "\(path) isn't there. Make it, or choose another folder."
    case .leadsNowhere(let path):
      "\(path) leads to a folder that isn't there. Make that, or choose another folder."
    case .unreachable(let path, let code): "\(path) can't be reached: \(errorText(code))."
    case .notAFolder(let path): "\(path) is no folder. Choose another one."
    case .notReadable(let path):
      "\(path) may not be read. As its owner, allow it: chmod u+rx \(quoted(path))."
    case .readOnlyDisk(let path):
      "\(path) is on a read-only file system. Choose another folder for new photos."
    case .notWritable(let path):
      "Nothing may be saved in \(path). As its owner, allow it: chmod u+w \(quoted(path))."
    }
  }

  private func quoted(_ path: String) -> String {
    "'" + path.replacing("'", with: "'\\''") + "'"
  }
}

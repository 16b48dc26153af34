import ErrorWords
import Foundation

extension Coded {
  /// No camera is connected.
  static let noCamera = Coded("noCamera")

  /// A file or folder that can't be read or written, for a reason that has an `errno` value.
  static func file(_ code: String, _ path: String, _ reason: Int32) -> Coded {
    Coded(code, ["path": path, "reason": words(for: reason)])
  }

  /// The system's words for an `errno` value.
  static func words(for code: Int32) -> String { String(cString: strerror(code)) }

  /// A file or folder that can't be written.
  static func unwritable(_ path: String, _ code: Int32) -> Coded {
    switch code {
    case ENOSPC, EDQUOT: Coded("fullAt", ["path": path])
    case EACCES, EPERM, EROFS: Coded("mayNotWrite", ["path": path])
    case EEXIST: Coded("existsAlready", ["path": path])
    case ENOENT: Coded("folderMissing", ["path": path])
    default: .file("cannotWrite", path, code)
    }
  }
}

import Foundation
import Viewfinder

/// Where the photos go.
enum Destination {
  case standardOutput
  /// A folder, in which each photo gets a name of its own.
  case folder(Path)
  /// One file; further photos get a number before the ending.
  case file(Path)

  init(_ argument: Path?) {
    switch argument {
    case nil: self = .folder(Path(bytes: []))
    case .standardStream: self = .standardOutput
    case let path?: self = path.isFolderByName || path.isFolder ? .folder(path) : .file(path)
    }
  }

  /// The kind of file that the name's ending stands for; an error for one that can't be written.
  func fileType() throws(CaptureError) -> PhotoFileType? {
    guard case .file(let path) = self else { return nil }
    return try PhotoFileType(named: URL(fileURLWithPath: path.name.display))
  }

  /// The file for a photo.
  ///
  /// - Parameters:
  ///   - suggestedName: Its name in a folder.
  ///   - number: Which of a series it is, or `nil` for a single one.
  /// - Returns: The file, or `nil` for standard output.
  func path(suggestedName: Path, number: Int? = nil) -> Path? {
    switch self {
    case .standardOutput: return nil
    case .folder(let folder): return folder.appending(suggestedName)
    case .file(let path):
      guard let number else { return path }
      let (stem, ending) = path.nameParts
      let name = stem + Array(String(format: "-%04d", number).utf8)
      return path.sibling(Path(bytes: ending.isEmpty ? name : name + [UInt8(ascii: ".")] + ending))
    }
  }

  /// Writes a photo, whole or not at all; with `nil`, to standard output.
  static func write(_ data: Data, to path: Path?, replacesExisting: Bool) throws(CaptureError) {
    guard let path else { return try StandardOutput.write(data) }
    try PhotoFile.write(data, to: path.url, replacesExisting: replacesExisting)
  }

  /// Fails when a file that is written at the end of long work can't be.
  static func check(_ path: Path) throws(CaptureError) {
    guard path != .standardStream else { return }
    var code: Int32 = 0
    if path.isFolderByName || path.isFolder {
      code = EISDIR
    } else if unsafe path.folder.withCString({ unsafe access($0, W_OK | X_OK) }) != 0 {
      code = errno
    } else if !path.folder.isFolder {
      code = ENOTDIR
    }
    guard code == 0 else { throw .cannotWrite(path: path.display, code: code) }
  }

  /// Makes a folder and those that it lies in, unless they are there.
  static func makeFolder(_ folder: Path) throws(CaptureError) {
    let slash = UInt8(ascii: "/")
    var made = Path(folder.bytes.first == slash ? "/" : "")
    for component in folder.bytes.split(separator: slash) {
      made = made.appending(Path(bytes: Array(component)))
      if unsafe made.withCString({ unsafe mkdir($0, 0o777) }) == 0 { continue }
      // Folders that are there may refuse for other reasons than that, on read-only disks say.
      let code = errno
      guard made.isFolder else {
        throw .cannotWrite(path: folder.display, code: code == EEXIST ? ENOTDIR : code)
      }
    }
  }
}

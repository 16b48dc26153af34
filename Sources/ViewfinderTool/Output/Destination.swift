import Foundation
import Viewfinder

/// Where the photos go.
enum Destination {
  case standardOutput
  /// A folder, in which each photo gets a name of its own.
  case folder(URL)
  /// One file; further photos get a number before the ending.
  case file(URL)

  init(_ argument: String?) {
    switch argument {
    case nil: self = .folder(URL(fileURLWithPath: ".", isDirectory: true))
    case "-": self = .standardOutput
    case let path?:
      let url = URL(fileURLWithPath: path)
      self = path.hasSuffix("/") || url.isFolder ? .folder(url) : .file(url)
    }
  }

  /// The kind of file that the name's ending stands for; an error for one that can't be written.
  func fileType() throws(CaptureError) -> PhotoFileType? {
    guard case .file(let url) = self else { return nil }
    return try PhotoFileType(named: url)
  }

  /// The file for a photo.
  ///
  /// - Parameters:
  ///   - suggestedName: Its name in a folder.
  ///   - number: Which of a series it is, or `nil` for a single one.
  /// - Returns: The file, or `nil` for standard output.
  func url(suggestedName: String, number: Int? = nil) -> URL? {
    switch self {
    case .standardOutput: return nil
    case .folder(let folder): return folder.appendingPathComponent(suggestedName)
    case .file(let url):
      guard let number else { return url }
      let ending = url.pathExtension
      let name = url.deletingPathExtension().lastPathComponent + String(format: "-%04d", number)
      return url.deletingLastPathComponent()
        .appendingPathComponent(ending.isEmpty ? name : "\(name).\(ending)")
    }
  }

  /// Writes a photo, whole or not at all, and returns the path where it is.
  func write(_ data: Data, to url: URL?, replacesExisting: Bool) throws(CaptureError) -> String {
    guard let url else {
      try StandardOutput.write(data)
      return "-"
    }
    try PhotoFile.write(data, to: url, replacesExisting: replacesExisting)
    return url.displayPath
  }

  /// Makes a folder and those that it lies in, unless they are there.
  static func makeFolder(_ folder: URL) throws(CaptureError) {
    var made = folder.path.hasPrefix("/") ? "" : "."
    for component in folder.path.split(separator: "/") {
      made += "/\(component)"
      if unsafe mkdir(made, 0o777) == 0 { continue }
      // Folders that are there may refuse for other reasons than that, on read-only disks say.
      let code = errno
      guard URL(fileURLWithPath: made).isFolder else {
        throw .cannotWrite(path: folder.displayPath, code: code == EEXIST ? ENOTDIR : code)
      }
    }
  }
}

extension URL {
  /// The path as the person would type it.
  var displayPath: String {
    let path = relativePath
    return path.hasPrefix("./") ? String(path.dropFirst(2)) : path
  }

  /// Whether a folder is there.
  var isFolder: Bool {
    (try? resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true
  }
}

import Foundation
import Viewfinder

extension FilePath {
  /// The names of what is inside a folder, in no order.
  func names() throws(PhotoLibraryError) -> [FilePath] {
    let folder = unsafe withCString { unsafe opendir($0) }
    guard let folder = unsafe folder else { throw .cannotRead(path: description, code: errno) }
    defer { unsafe closedir(folder) }
    var names: [FilePath] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(folder) else { break }
      // The tuple says 256 bytes, but the entry ends after the name: the tuple itself is never touched.
      let start = unsafe UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \.d_name)!
      let length = unsafe strlen(start.assumingMemoryBound(to: CChar.self))
      let name = unsafe FilePath(
        bytes: Array(UnsafeRawBufferPointer(start: start, count: length)))
      if name != ".", name != ".." { names.append(name) }
    }
    guard errno == 0 else { throw .cannotRead(path: description, code: errno) }
    return names
  }

  /// Makes a folder, and those around it, unless it is there.
  func makeFolder(mode: mode_t = 0o777) throws(PhotoLibraryError) {
    var code = makeOneFolder(mode: mode)
    if code == ENOENT, !folder.bytes.isEmpty, folder != self {
      try folder.makeFolder(mode: mode)
      code = makeOneFolder(mode: mode)
    }
    // A root without the right to write reports EROFS or EACCES for folders that are there, too.
    guard code == 0 || FileStatus(of: self)?.kind == .folder else {
      throw .cannotWrite(path: description, code: code == EEXIST ? ENOTDIR : code)
    }
  }

  /// Makes just this folder; returns 0 or an `errno`.
  func makeOneFolder(mode: mode_t) -> Int32 {
    guard unsafe withCString({ unsafe mkdir($0, mode) }) == 0 else { return errno }
    FileSystem.syncFolder(of: bytes)
    return 0
  }

  /// Removes a file; returns 0 or an `errno`.
  @discardableResult func unlink() -> Int32 {
    unsafe withCString { unsafe Glibc.unlink($0) } == 0 ? 0 : errno
  }

  /// Renames to a path that nothing has; returns 0 or an `errno`, `EEXIST` where something has it.
  func moveToFree(_ path: FilePath) -> Int32 { FileSystem.moveToFree(bytes, path.bytes) }

  /// Renames to a path, whose file is replaced if there is one; returns 0 or an `errno`.
  func moveOver(_ path: FilePath) -> Int32 { FileSystem.moveOver(bytes, path.bytes) }

  /// The path without symbolic links, or `nil` (with `errno`) where there is none.
  var resolved: FilePath? {
    let path = unsafe withCString { unsafe realpath($0, nil) }
    guard let path = unsafe path else { return nil }
    defer { unsafe free(path) }
    return FilePath(
      bytes: unsafe UnsafeBufferPointer(start: path, count: strlen(path)).map {
        UInt8(bitPattern: $0)
      })
  }
}

extension FilePath {
  /// The path without symbolic links, of which the end may not be there.
  var resolvedAsFarAsThere: FilePath {
    if let resolved { return resolved }
    guard !folder.bytes.isEmpty, folder != self else { return self }
    return folder.resolvedAsFarAsThere.appending(name)
  }

  /// Removes the drafts that killed processes left in a folder; `isOurs` is asked about the names that their
  /// files were to get.
  func removeLeftovers(where isOurs: (FilePath) -> Bool) {
    for name in (try? names()) ?? [] {
      if let final = FileDraft.finalName(ofHidden: name.bytes), isOurs(FilePath(bytes: final)) {
        FileDraft.removeLeftover(appending(name).bytes)
      }
    }
  }
}

extension FileDraft {
  /// A draft, with the library's errors.
  static func begin(_ path: FilePath) throws(PhotoLibraryError) -> FileDraft {
    do throws(FileFailure) {
      return try FileDraft(for: path.bytes)
    } catch {
      throw .cannotWrite(path: path.description, code: error.code)
    }
  }

  /// Writes a whole file under a name; what was there before is replaced, or is there still.
  static func replace(_ path: FilePath, with data: Data) throws(PhotoLibraryError) {
    do throws(FileFailure) {
      try FileDraft.write(data, to: path.bytes, replacesExisting: true)
    } catch {
      throw .cannotWrite(path: path.description, code: error.code)
    }
  }
}

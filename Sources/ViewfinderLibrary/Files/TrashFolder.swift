import Foundation
import Viewfinder

/// A trash folder: `files` holds what was thrown away, `info` where it was.
struct TrashFolder {
  let path: FilePath
  /// The top folder of the file system, to which paths in `info` are relative; `nil` for the home's
  /// trash, where they are whole.
  let top: FilePath?

  struct Failure: Error { let code: Int32 }

  var files: FilePath { path.appending("files") }
  var info: FilePath { path.appending("info") }

  /// The trash at the top of the file system `device`, in which `path` lies.
  ///
  /// The administrator's `.Trash` with a folder for each user, where there is one that is safe to use
  /// (sticky and no link, else others could put their files in our place); else `.Trash-UID`.
  static func atTop(of path: FilePath, device: UInt64) throws(PhotoLibraryError) -> TrashFolder {
    guard var top = path.folder.resolved else {
      throw .cannotRead(path: path.folder.description, code: errno)
    }
    while top != "/", FileStatus(of: top.folder)?.device == device { top = top.folder }
    let user = getuid()
    if isSticky(top.appending(".Trash")) {
      let shared = TrashFolder(path: top.appending(".Trash/\(user)"), top: top)
      if shared.prepare() == 0 { return shared }
    }
    let own = TrashFolder(path: top.appending(".Trash-\(user)"), top: top)
    let code = own.prepare()
    guard code == 0 else { throw Trash.failure(path, own.path, code) }
    return own
  }

  private static func isSticky(_ path: FilePath) -> Bool {
    var status = stat()
    let code = unsafe path.withCString { unsafe lstat($0, &status) }
    return code == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_mode & S_ISVTX != 0
  }

  /// Makes the folders that are missing; returns 0 or an `errno`.
  ///
  /// What is there must be the user's own, and no link.
  func prepare() -> Int32 {
    if top == nil {
      do throws(PhotoLibraryError) {
        try path.folder.makeFolder(mode: 0o700)
      } catch {
        guard case .cannotWrite(_, let code) = error else { return EACCES }
        return code
      }
    }
    for folder in [path, files, info] {
      let code = folder.makeOneFolder(mode: 0o700)
      var status = stat()
      guard unsafe folder.withCString({ unsafe lstat($0, &status) }) == 0 else {
        return code == 0 ? errno : code
      }
      guard status.st_mode & S_IFMT == S_IFDIR else { return ENOTDIR }
      guard status.st_uid == getuid() else { return EPERM }
    }
    return 0
  }

  /// Moves a file in, under its name or one like it.
  func take(_ original: FilePath) throws(Failure) -> TrashedFile {
    let code = prepare()
    guard code == 0 else { throw Failure(code: code) }
    guard let recorded = recordedPath(of: original) else { throw Failure(code: errno) }
    let text = "[Trash Info]\nPath=\(recorded.escaped)\nDeletionDate=\(Self.now())\n"
    for number in 1...Self.maximumCopies {
      let name = Self.name(for: original, number: number)
      let trashed = TrashedFile(
        original: original, file: files.appending(name),
        info: info.appending(FilePath(bytes: name.bytes + Array(".trashinfo".utf8))))
      // Who makes this file owns the name, by the specification.
      let code = Self.create(trashed.info, text)
      if code == EEXIST { continue }
      guard code == 0 else { throw Failure(code: code) }
      let moved = original.moveToFree(trashed.file)
      if moved == 0 {
        for path in [trashed.file, trashed.info, original] { FileSystem.syncFolder(of: path.bytes) }
        return trashed
      }
      trashed.info.unlink()
      guard moved == EEXIST else { throw Failure(code: moved) }
    }
    throw Failure(code: EEXIST)
  }

  private static let maximumCopies = 100_000

  /// The path to write down: relative to the top folder in its trash.
  ///
  /// There symbolic links on the way to the file are taken out, as they may lead through another file
  /// system.
  private func recordedPath(of original: FilePath) -> FilePath? {
    guard let top else { return original }
    guard let folder = original.folder.resolved else { return nil }
    return folder.appending(original.name).relative(to: top)
  }

  /// "a.jpg", then "a.2.jpg", as short as names must be for ".trashinfo" to follow.
  private static func name(for original: FilePath, number: Int) -> FilePath {
    let name = original.name
    let ending = name.bytes.dropFirst(name.stem.bytes.count).suffix(100)
    let rest = Array((number == 1 ? "" : ".\(number)").utf8) + ending
    return FilePath(bytes: Array(name.stem.bytes.prefix(240 - rest.count)) + rest)
  }

  /// Makes a file that isn't there yet; returns 0 or an `errno`, and leaves none then.
  private static func create(_ path: FilePath, _ text: String) -> Int32 {
    do throws(FileFailure) {
      try FileDraft.write(
        Data(text.utf8), to: path.bytes, mode: 0o600, replacesExisting: false)
      return 0
    } catch {
      return error.code
    }
  }

  /// The local time, such as "2026-04-12T15:30:12".
  private static func now() -> String {
    var (seconds, parts) = unsafe (time(nil), tm())
    guard unsafe localtime_r(&seconds, &parts) != nil else { return "1970-01-01T00:00:00" }
    return unsafe String(
      format: "%04d-%02d-%02dT%02d:%02d:%02d", Int(parts.tm_year) + 1900, parts.tm_mon + 1,
      parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec)
  }
}

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
    guard let folder = path.folder.resolved else {
      throw .cannotRead(path: path.folder.description, code: errno)
    }
    let top = top(around: folder, device: device)
    if let shared = shared(at: top), shared.prepare() == 0 { return shared }
    let own = own(at: top)
    let code = own.prepare()
    guard code == 0 else { throw Trash.failure(path, own.path, code) }
    return own
  }

  /// The trashes at the top of the file system in which a folder lies, or lay, that are safe to use.
  static func atTop(around folder: FilePath) -> [TrashFolder] {
    var present = folder
    while present.resolved == nil, present != present.folder { present = present.folder }
    guard let real = present.resolved, let status = FileStatus(of: real) else { return [] }
    let top = top(around: real, device: status.device)
    return [shared(at: top), own(at: top)].compactMap(\.self).filter { $0.check() == 0 }
  }

  private static func top(around folder: FilePath, device: UInt64) -> FilePath {
    var top = folder
    while top != "/", FileStatus(of: top.folder)?.device == device { top = top.folder }
    return top
  }

  private static func shared(at top: FilePath) -> TrashFolder? {
    let folder = top.appending(".Trash")
    return isSticky(folder)
      ? TrashFolder(path: folder.appending("\(getuid())"), top: top) : nil
  }

  private static func own(at top: FilePath) -> TrashFolder {
    TrashFolder(path: top.appending(".Trash-\(getuid())"), top: top)
  }

  private static func isSticky(_ path: FilePath) -> Bool {
    var status = stat()
    let code = unsafe path.withCString { unsafe lstat($0, &status) }
    return code == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_mode & S_ISVTX != 0
  }

  /// Makes the folders that are missing; returns 0 or an `errno`.
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
      let problem = Self.check(folder)
      // Why it couldn't be made says more than that it isn't there.
      guard problem == 0 else { return problem == ENOENT && code != 0 ? code : problem }
    }
    return 0
  }

  /// Whether all folders are there, the user's own, and no links; returns 0 or an `errno`.
  private func check() -> Int32 {
    [path, files, info].lazy.map(Self.check).first { $0 != 0 } ?? 0
  }

  private static func check(_ folder: FilePath) -> Int32 {
    var status = stat()
    guard unsafe folder.withCString({ unsafe lstat($0, &status) }) == 0 else { return errno }
    guard status.st_mode & S_IFMT == S_IFDIR else { return ENOTDIR }
    return status.st_uid == getuid() ? 0 : EPERM
  }

  private static let infoEnding = Array(".trashinfo".utf8)

  /// What lies in it: nothing where it isn't safe to use.
  func contents() -> [TrashedFile] {
    guard check() == 0, let names = try? info.names() else { return [] }
    return names.compactMap { name in
      guard name.bytes.count > Self.infoEnding.count,
        name.bytes.suffix(Self.infoEnding.count).elementsEqual(Self.infoEnding)
      else { return nil }
      let file = files.appending(
        FilePath(bytes: name.bytes.dropLast(Self.infoEnding.count)))
      guard FileStatus(of: file, followsLinks: false) != nil,
        let found = TrashInfo(info.appending(name)), let original = original(found.path)
      else { return nil }
      return TrashedFile(
        original: original, file: file, info: info.appending(name), date: found.date)
    }
  }

  /// The place that a recorded path means, or `nil` for one that the specification forbids.
  private func original(_ recorded: FilePath) -> FilePath? {
    let isWhole = recorded.bytes.first == UInt8(ascii: "/")
    let parts = recorded.bytes.split(separator: UInt8(ascii: "/"))
    guard isWhole == (top == nil), !parts.isEmpty,
      !parts.contains(where: { $0.elementsEqual("..".utf8) })
    else { return nil }
    return top.map { $0.appending(recorded) } ?? recorded
  }

  /// Moves a file in, under its name or one like it.
  func take(_ original: FilePath, at date: TrashDate) throws(Failure) -> TrashedFile {
    let code = prepare()
    guard code == 0 else { throw Failure(code: code) }
    guard let recorded = recordedPath(of: original) else { throw Failure(code: errno) }
    let text = TrashInfo(path: recorded, date: date).text
    for number in 1...Self.maximumCopies {
      let name = Self.name(for: original, number: number)
      let trashed = TrashedFile(
        original: original, file: files.appending(name),
        info: info.appending(FilePath(bytes: name.bytes + Self.infoEnding)), date: date)
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
}

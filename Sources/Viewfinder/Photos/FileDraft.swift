import Foundation

/// A file that is being written and gets its name when it is whole.
///
/// Until then it has no name at all (`O_TMPFILE`), so that a process that is killed leaves nothing.
/// Where the file system has no such files (FAT, NFS), it has a hidden name beside the final one.
///
/// All calls return 0 or an `errno`.
struct FileDraft: ~Copyable {
  private let descriptor: Int32
  /// Its name for now, if it has one.
  private var hiddenPath: String?
  private let finalPath: String

  /// Begins a file that is to be at `path`.
  ///
  /// - Parameters:
  ///   - path: Its name once it is whole.
  ///   - isHidden: Whether it has a hidden name until then, even where it needs none.
  /// - Throws: ``CaptureError/cannotWrite(path:code:)``.
  init(for path: String, isHidden: Bool = false) throws(CaptureError) {
    finalPath = path
    let (folder, hiddenPath) = (Self.folder(of: path), Self.hiddenPath(for: path))
    // O_TMPFILE, which Swift doesn't import.
    let nameless =
      isHidden ? -1 : unsafe open(folder, O_WRONLY | 0o20000000 | O_DIRECTORY | O_CLOEXEC, 0o666)
    // Only by /proc does it get a name later.
    if nameless >= 0, unsafe access(Self.procPath(of: nameless), F_OK) == 0 {
      descriptor = nameless
    } else {
      if nameless >= 0 { close(nameless) }
      descriptor = unsafe open(hiddenPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      let code = errno
      guard descriptor >= 0 else { throw .cannotWrite(path: path, code: code) }
      self.hiddenPath = hiddenPath
    }
  }

  deinit {
    close(descriptor)
    if let hiddenPath { unsafe unlink(hiddenPath) }
  }

  /// Writes the bytes and waits until they are on the disk.
  func write(_ data: Data) -> Int32 {
    let code = writeAll(data, to: descriptor)
    guard code == 0 else { return code }
    return fsync(descriptor) == 0 ? 0 : errno
  }

  /// Gives the file its name.
  mutating func publish(replacesExisting: Bool) -> Int32 {
    if hiddenPath == nil {
      let code = giveName(finalPath)
      guard code == EEXIST, replacesExisting else { return code }
      // A name that is taken can only be taken over by another.
      let path = Self.hiddenPath(for: finalPath)
      let other = giveName(path)
      guard other == 0 else { return other }
      hiddenPath = path
    }
    let code = replacesExisting ? rename() : renameToFreeName()
    if code == 0 { hiddenPath = nil }
    return code
  }

  private func giveName(_ path: String) -> Int32 {
    unsafe linkat(AT_FDCWD, Self.procPath(of: descriptor), AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
      ? 0 : errno
  }

  private func rename() -> Int32 {
    unsafe Glibc.rename(hiddenPath ?? "", finalPath) == 0 ? 0 : errno
  }

  private func renameToFreeName() -> Int32 {
    let path = hiddenPath ?? ""
    let code = renameToFree(path, finalPath)
    guard code == EINVAL || code == ENOSYS else { return code }
    // NFS. A hard link fails where the name is taken.
    if unsafe Glibc.link(path, finalPath) == 0 {
      unsafe unlink(path)
      return 0
    }
    guard errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS else { return errno }
    // Some user-space file systems have none of that: take the name first, then replace what we took.
    // To overwrite another program's file would be worse than what a kill in between leaves, an empty
    // one.
    let file = unsafe open(finalPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else { return errno }
    close(file)
    let renamed = rename()
    if renamed != 0 { unsafe unlink(finalPath) }
    return renamed
  }

  private static func procPath(of descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

  static func folder(of path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().path
  }

  private static func hiddenPath(for path: String) -> String {
    let name = (path as NSString).lastPathComponent.prefix(64)
    return "\(folder(of: path))/.\(name).\(UInt64.random(in: 0...UInt64.max))"
  }
}

/// Writes all bytes to a file; returns 0 or an `errno`.
func writeAll(_ data: Data, to file: Int32) -> Int32 {
  unsafe data.withUnsafeBytes { bytes in
    var rest = unsafe bytes[...]
    while unsafe !rest.isEmpty {
      let count = unsafe Glibc.write(
        file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0 {
        if errno == EINTR { continue }
        return errno
      }
      unsafe rest = unsafe rest.dropFirst(count)
    }
    return 0
  }
}

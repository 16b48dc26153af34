package import Foundation

/// Why the file system refused: an `errno`.
package struct FileFailure: Error {
  package let code: Int32
}

/// A file that is being written and gets its name when it is whole.
///
/// Until then it has no name at all (`O_TMPFILE`), so that a process that is killed leaves nothing.
/// Where the file system has no such files (FAT, NFS), it has a hidden name beside the final one.
/// A draft with a name is locked (flock(2)) as long as somebody writes it: by that, what a killed process left is known.
///
/// Paths are bytes, as Linux has them: names need not be valid UTF-8. All calls return 0 or an `errno`.
package struct FileDraft: ~Copyable {
  /// The open file, for those who fill it otherwise than by ``write(_:)``.
  package let descriptor: Int32
  /// Its name for now, if it has one.
  private var hiddenPath: [CChar]?
  private var finalPath: [CChar]

  /// Begins a file that is to be at `path`.
  ///
  /// - Parameters:
  ///   - path: Its name once it is whole.
  ///   - isHidden: Whether it has a hidden name until then, even where it needs none.
  /// - Throws: ``FileFailure``.
  package init(for path: some Collection<UInt8>, isHidden: Bool = false) throws(FileFailure) {
    finalPath = FileSystem.cString(path)
    let folder = FileSystem.folder(of: path)
    // O_TMPFILE, which Swift doesn't import.
    let nameless =
      isHidden
      ? -1
      : unsafe open(
        FileSystem.cString(folder), O_WRONLY | 0o20000000 | O_DIRECTORY | O_CLOEXEC, 0o666)
    // Only by /proc does it get a name later.
    if nameless >= 0, unsafe access(Self.procPath(of: nameless), F_OK) == 0 {
      descriptor = nameless
    } else {
      if nameless >= 0 { close(nameless) }
      let hiddenPath: [CChar]
      (descriptor, hiddenPath) = Self.openHidden(for: path)
      let code = errno
      guard descriptor >= 0 else { throw FileFailure(code: code) }
      self.hiddenPath = hiddenPath
    }
  }

  /// Writes a whole file: aside, onto the disk, then its name, which lasts through a power cut.
  ///
  /// What was at `path` before is replaced, or is there still; without `replacesExisting` a name that is
  /// taken gives `EEXIST`. Nothing is left of what fails. `mode` are its permissions, whatever the umask
  /// says; `nil` leaves them to it.
  package static func write(
    _ content: some FileContent, to path: some Collection<UInt8>, mode: mode_t? = nil,
    replacesExisting: Bool
  ) throws(FileFailure) {
    var draft = try FileDraft(for: path)
    var code: Int32 = 0
    if let mode, fchmod(draft.descriptor, mode) != 0 { code = errno }
    if code == 0 { code = draft.write(content) }
    if code == 0 { code = draft.publish(replacesExisting: replacesExisting) }
    guard code == 0 else { throw FileFailure(code: code) }
    FileSystem.syncFolder(of: path)
  }

  /// A new file with a hidden name; the descriptor is negative, with `errno`, where there can't be one.
  private static func openHidden(for path: some Collection<UInt8>) -> (Int32, [CChar]) {
    while true {
      let hiddenPath = hiddenPath(for: path)
      let file = unsafe open(hiddenPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      guard file >= 0 else { return (file, hiddenPath) }
      // Until it was locked, it looked like a leftover, and somebody may be clearing it away.
      let isOurs = flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
      var status = stat()
      if isOurs, unsafe fstat(file, &status) != 0 || status.st_nlink > 0 {
        return (file, hiddenPath)
      }
      close(file)
    }
  }

  /// Removes a draft that a process left when it was killed: this user's, and one that nobody is writing.
  ///
  /// - Parameter path: The hidden file, of whose name the caller knows that only a draft has it.
  package static func removeLeftover(_ path: [UInt8]) {
    let path = FileSystem.cString(path)
    let file = unsafe open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid(), flock(file, LOCK_EX | LOCK_NB) == 0
    else { return }
    unsafe unlink(path)
  }

  /// The name of the file that a hidden name stands for, or `nil` for what is no draft's name.
  package static func finalName(ofHidden name: [UInt8]) -> [UInt8]? {
    guard name.first == dot, let last = name.lastIndex(of: dot), last > 1, last + 1 < name.count,
      name[(last + 1)...].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Array(name[1..<last])
  }

  private static let dot = UInt8(ascii: ".")

  deinit {
    close(descriptor)
    if let hiddenPath { unsafe unlink(hiddenPath) }
  }

  /// Writes the bytes and waits until they are on the disk.
  package func write(_ content: some FileContent) -> Int32 {
    let code = FileSystem.write(content, to: descriptor)
    return code == 0 ? sync() : code
  }

  /// Waits until what was written is on the disk.
  package func sync() -> Int32 { FileSystem.sync(descriptor) }

  /// Gives the file its name, or another in the same file system that is known only now.
  package mutating func publish(at path: [UInt8]? = nil, replacesExisting: Bool) -> Int32 {
    if let path { finalPath = FileSystem.cString(path) }
    if hiddenPath == nil {
      let code = giveName(finalPath)
      guard code == EEXIST, replacesExisting else { return code }
      // A name that is taken can only be taken over by another.
      let path = Self.hiddenPath(for: finalPath.dropLast().map { UInt8(bitPattern: $0) })
      flock(descriptor, LOCK_EX | LOCK_NB)
      let other = giveName(path)
      guard other == 0 else { return other }
      hiddenPath = path
    }
    let code =
      replacesExisting
      ? FileSystem.moveOver(hiddenPath ?? [0], finalPath)
      : FileSystem.moveToFree(hiddenPath ?? [0], finalPath)
    if code == 0 { hiddenPath = nil }
    return code
  }

  private func giveName(_ path: [CChar]) -> Int32 {
    unsafe linkat(AT_FDCWD, Self.procPath(of: descriptor), AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
      ? 0 : errno
  }

  private static func procPath(of descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

  private static func hiddenPath(for path: some Collection<UInt8>) -> [CChar] {
    let name = path.reversed().prefix { $0 != UInt8(ascii: "/") }.reversed().prefix(64)
    // Valid UTF-8, which some file systems insist on.
    let hidden = "/.\(String(decoding: name, as: UTF8.self)).\(UInt64.random(in: 0...UInt64.max))"
    return FileSystem.cString(FileSystem.folder(of: path) + Array(hidden.utf8))
  }
}

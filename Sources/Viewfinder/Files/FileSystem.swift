package import Foundation

/// What all that writes files asks of a file system.
///
/// Paths are bytes, as Linux has them. All calls return 0 or an `errno`.
package enum FileSystem {
  /// Writes all bytes to an open file.
  package static func write(_ content: some FileContent, to file: Int32) -> Int32 {
    unsafe content.withPieces { pieces in
      var rest = unsafe pieces.map { piece in
        unsafe iovec(
          iov_base: UnsafeMutableRawPointer(mutating: piece.baseAddress), iov_len: piece.count)
      }[...]
      while unsafe !rest.isEmpty {
        var count = unsafe rest.withUnsafeBufferPointer { pieces in
          unsafe writev(file, pieces.baseAddress, Int32(pieces.count))
        }
        if count < 0 {
          if errno == EINTR { continue }
          return errno
        }
        while let piece = unsafe rest.first, unsafe count >= piece.iov_len {
          unsafe count -= piece.iov_len
          unsafe rest.removeFirst()
        }
        guard unsafe !rest.isEmpty else { break }
        unsafe rest[rest.startIndex].iov_base += count
        unsafe rest[rest.startIndex].iov_len -= count
      }
      return 0
    }
  }

  /// Waits until an open file is on the disk.
  package static func sync(_ file: Int32) -> Int32 { fsync(file) == 0 ? 0 : errno }

  /// Makes the names in a file's folder last through a power cut.
  ///
  /// The files are whole either way, so failures don't count.
  package static func syncFolder(of path: some Collection<UInt8>) {
    let folder = unsafe open(cString(folder(of: path)), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  /// Renames a file or folder to a name that nothing has, `EEXIST` where something has it.
  package static func moveToFree(
    _ path: some Collection<UInt8>, _ newPath: some Collection<UInt8>
  ) -> Int32 {
    moveToFree(cString(path), cString(newPath))
  }

  /// Renames a file to a name, whose file is replaced if there is one.
  package static func moveOver(
    _ path: some Collection<UInt8>, _ newPath: some Collection<UInt8>
  ) -> Int32 {
    moveOver(cString(path), cString(newPath))
  }

  /// The path of a file URL, whose percent escapes may stand for any byte.
  ///
  /// Foundation's own paths are text, and lose bytes that are none.
  package static func path(of url: URL) -> [UInt8] {
    let text = Array(url.absoluteURL.absoluteString.utf8)
    let prefix = Array("file://".utf8)
    guard text.starts(with: prefix) else { return Array(url.path.utf8) }
    let slash = UInt8(ascii: "/")
    // What stands between the slashes is a host.
    var bytes = percentDecoded(text[prefix.count...].drop { $0 != slash })
    // A folder's URL ends with a slash.
    while bytes.count > 1, bytes.last == slash { bytes.removeLast() }
    return bytes
  }

  /// The bytes for which percent escapes stand; other bytes stand for themselves.
  package static func percentDecoded(_ text: some Sequence<UInt8>) -> [UInt8] {
    var rest = Array(text)[...]
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      // A sign isn't a digit, although Swift reads "+1". No path holds a zero.
      if byte == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy(\.isHexDigit),
        let value = UInt8(digits, radix: 16), value != 0
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }

  static func moveToFree(_ path: [CChar], _ newPath: [CChar]) -> Int32 {
    let code = renameToFree(path, newPath)
    guard code == EINVAL || code == ENOSYS else { return code }
    // NFS. A hard link fails where the name is taken.
    if unsafe Glibc.link(path, newPath) == 0 {
      unsafe unlink(path)
      return 0
    }
    guard errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS else { return errno }
    // Some user-space file systems have none of that: take the name first, then replace what we
    // took. To overwrite another program's file would be worse than what a kill in between leaves,
    // an empty one.
    let file = unsafe open(newPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else { return errno }
    close(file)
    let renamed = moveOver(path, newPath)
    if renamed != 0 { unsafe unlink(newPath) }
    return renamed
  }

  static func moveOver(_ path: [CChar], _ newPath: [CChar]) -> Int32 {
    unsafe Glibc.rename(path, newPath) == 0 ? 0 : errno
  }

  /// The folder that a file is in.
  static func folder(of path: some Collection<UInt8>) -> [UInt8] {
    let bytes = Array(path)
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return [UInt8(ascii: ".")] }
    return Array(bytes[..<max(slash, 1)])
  }

  static func cString(_ path: some Collection<UInt8>) -> [CChar] {
    path.map { CChar(bitPattern: $0) } + [0]
  }
}

import Foundation

/// A file that is read in parts.
final class FileReader: Sendable {
  let path: FilePath
  private let descriptor: Int32
  /// What the open file is, whatever happens to its name.
  let status: FileStatus

  /// Opens a regular file; anything else, such as a pipe, fails with `EINVAL` and never blocks.
  init(_ path: FilePath) throws(PhotoLibraryError) {
    self.path = path
    descriptor = unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { throw .cannotRead(path: path.description, code: errno) }
    var found = stat()
    let code = unsafe fstat(descriptor, &found) == 0 ? 0 : errno
    status = FileStatus(found)
    guard code == 0, status.kind == .file else {
      throw .cannotRead(path: path.description, code: code == 0 ? EINVAL : code)
    }
  }

  deinit { close(descriptor) }

  /// The size when it was opened, in bytes.
  var size: Int { status.size }

  /// The bytes from `offset` on, at most `count`; fewer at the file's end, none behind it.
  func read(at offset: Int, count: Int) throws(PhotoLibraryError) -> [UInt8] {
    guard offset >= 0, count > 0, offset < size else { return [] }
    let wanted = min(count, size - offset)
    var code: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
      while filled < wanted {
        let result = unsafe pread(
          descriptor, buffer.baseAddress! + filled, wanted - filled, off_t(offset + filled))
        if result < 0, errno == EINTR { continue }
        if result < 0 { code = errno }
        if result <= 0 { break }
        filled += result
      }
    }
    guard code == 0 else { throw .cannotRead(path: path.description, code: code) }
    return bytes
  }

  /// The whole file.
  ///
  /// Fails with `EFBIG` when it has more than `limit` bytes.
  func readAll(limit: Int) throws(PhotoLibraryError) -> Data {
    guard size <= limit else { throw .cannotRead(path: path.description, code: EFBIG) }
    return Data(try read(at: 0, count: size))
  }
}

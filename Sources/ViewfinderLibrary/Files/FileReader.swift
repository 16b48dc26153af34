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
      (filled, code) = unsafe fill(UnsafeMutableRawBufferPointer(buffer), at: offset)
    }
    guard code == 0 else { throw .cannotRead(path: path.description, code: code) }
    return bytes
  }

  /// Reads until the buffer is full, the file ends or the system fails; returns the bytes read, and 0 or an `errno`.
  private func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> (Int, Int32) {
    var filled = 0
    while filled < buffer.count {
      let result = unsafe pread(
        descriptor, buffer.baseAddress! + filled, buffer.count - filled, off_t(offset + filled))
      if result < 0, errno == EINTR { continue }
      if result < 0 { return (filled, errno) }
      if result == 0 { break }
      filled += result
    }
    return (filled, 0)
  }

  /// The whole file.
  ///
  /// Fails with `EFBIG` when it has more than `limit` bytes.
  func readAll(limit: Int) throws(PhotoLibraryError) -> Data {
    guard size <= limit else { throw .cannotRead(path: path.description, code: EFBIG) }
    guard size > 0 else { return Data() }
    // In place: a copy would take as much once more.
    var (data, code, filled) = (Data(count: size), Int32(0), 0)
    unsafe data.withUnsafeMutableBytes { buffer in
      (filled, code) = unsafe fill(buffer, at: 0)
    }
    guard code == 0 else { throw .cannotRead(path: path.description, code: code) }
    return data.prefix(filled)
  }
}

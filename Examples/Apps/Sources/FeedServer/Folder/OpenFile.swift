import Foundation

/// An open file.
struct OpenFile: Sendable {
  private let descriptor: Int32

  /// Opens a file; one that is made is for this user alone.
  init(_ url: URL, _ flags: Int32) throws {
    descriptor = open(url.path, flags | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError.current }
  }

  func close() { Foundation.close(descriptor) }

  /// Keeps others from locking it until it is closed; whether nobody did before.
  func lock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  /// In bytes.
  var size: Int {
    get throws {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw POSIXError.current }
      return Int(status.st_size)
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let next = UnsafeRawBufferPointer(rebasing: rest)
      let count = Foundation.write(descriptor, next.baseAddress, next.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw POSIXError.current }
      rest = rest.dropFirst(count)
    }
  }

  /// Reads what there is of a range.
  func read(_ range: Range<Int>) throws -> Data {
    var data = Data(count: range.count)
    var count = 0
    while count < range.count {
      let got = data.withUnsafeMutableBytes { bytes in
        pread(
          descriptor, bytes.baseAddress! + count, bytes.count - count, range.lowerBound + count)
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw POSIXError.current }
      if got == 0 { break }
      count += got
    }
    return data.prefix(count)
  }

  /// Brings it to the disk.
  func sync() throws {
    guard fsync(descriptor) == 0 else { throw POSIXError.current }
  }
}

extension POSIXError {
  /// What went wrong last.
  static var current: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

import Checksums
import Foundation
import NIOCore
import Synchronization

/// A file that comes in parts.
final class PartFile: Sendable {
  private struct State {
    var count: Int
    var isUntouched = true
  }

  private let descriptor: Int32
  private let state: Mutex<State>

  /// Opens a file, or makes it, for this user alone.
  init(_ url: URL) throws {
    descriptor = open(url.path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    state = Mutex(State(count: Int(max(lseek(descriptor, 0, SEEK_END), 0))))
  }

  func close() { Foundation.close(descriptor) }

  /// How many bytes it has.
  var count: Int { state.withLock { $0.count } }

  /// Whether nothing was added since it was opened.
  var isUntouched: Bool { state.withLock { $0.isUntouched } }

  func append(_ bytes: ByteBuffer) throws {
    try bytes.withUnsafeReadableBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let next = UnsafeRawBufferPointer(rebasing: rest)
        let count = write(descriptor, next.baseAddress, next.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        rest = rest.dropFirst(count)
      }
    }
    state.withLock { state in
      state.count += bytes.readableBytes
      state.isUntouched = false
    }
  }

  /// Begins anew.
  func restart() throws {
    guard ftruncate(descriptor, 0) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    state.withLock { $0.count = 0 }
  }

  /// The name of what it has.
  func digest() throws -> BlobName {
    var (hash, offset) = (SHA256(), 0)
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = buffer.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress, $0.count, offset)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
      if count == 0 { break }
      buffer.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      offset += count
    }
    return BlobName(digest: hash.digest())
  }

  /// Brings it to the disk.
  func sync() throws {
    guard fsync(descriptor) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
  }
}

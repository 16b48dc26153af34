import Foundation
import NIOCore
import WebServing

/// What somebody sends, on the disk and under no name: it is gone with the object, however the program ends.
final class SpooledFile: Sendable {
  private let handle: FileHandle
  private let folder: URL

  /// Makes it in a folder, which must be on a disk and not in memory.
  init(in folder: URL) throws {
    self.folder = folder
    var path = Array(folder.appending(component: "import-XXXXXX").path.utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw Self.failure(errno, folder) }
    unlink(path)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Where this program finds it.
  var url: URL { URL(fileURLWithPath: "/proc/self/fd/\(handle.fileDescriptor)") }

  func write(_ part: ByteBuffer) throws {
    try part.withUnsafeReadableBytes { bytes in
      var rest = bytes
      while !rest.isEmpty {
        let count = Foundation.write(handle.fileDescriptor, rest.baseAddress, rest.count)
        guard count > 0 else {
          if errno == EINTR { continue }
          throw Self.failure(errno, folder)
        }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
  }

  private static func failure(_ code: Int32, _ folder: URL) -> WebError {
    let folder = folder.path
    return code == ENOSPC || code == EDQUOT
      ? WebError(
        .insufficientStorage,
        "The disk with \(folder) is full. Free some space there and try again; nothing was imported.",
        code: "spoolFull", values: ["folder": folder])
      : WebError(
        .internalServerError,
        "\(folder) can't be written to: \(String(cString: strerror(code))). Nothing was imported.",
        code: "notSpooled", values: ["folder": folder, "reason": String(cString: strerror(code))])
  }
}

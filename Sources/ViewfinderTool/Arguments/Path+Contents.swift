import Foundation
import Viewfinder

extension Path {
  /// No photo is larger; a stream without an end must not fill the memory.
  private static let sizeLimit = 1 << 30

  /// The bytes of a picture's file, or of standard input.
  func contents() throws(CaptureError) -> Data {
    let isStream = self == .standardStream
    let descriptor =
      isStream ? STDIN_FILENO : unsafe withCString { unsafe open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw .cannotRead(path: display, code: errno) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: !isStream)
    if !isStream, isFolder { throw .cannotRead(path: display, code: EISDIR) }
    let data: Data?
    do {
      data = try handle.read(upToCount: Self.sizeLimit + 1)
    } catch {
      throw .cannotRead(path: display, code: EIO)
    }
    guard (data?.count ?? 0) <= Self.sizeLimit else {
      throw .badImageData(what: display, reason: "it is larger than any photo (1 GiB)")
    }
    return data ?? Data()
  }
}

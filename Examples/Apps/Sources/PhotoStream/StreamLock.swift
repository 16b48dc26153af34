import Foundation

/// Keeps other programs from keeping the same stream.
final class StreamLock: Sendable {
  private let descriptor: Int32

  /// Another program has it.
  struct Taken: Error, CustomStringConvertible {
    var description: String {
      "Another program keeps this stream already. This one goes on when that one ends."
    }
  }

  /// Takes the lock of a stream's folder.
  init(in folder: URL) throws {
    let path = folder.appending(component: "photo-stream.lock").path
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw Taken()
    }
  }

  /// Gives it back.
  func release() { close(descriptor) }
}

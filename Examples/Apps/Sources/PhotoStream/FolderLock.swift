import Foundation

/// Keeps other programs from doing the same in a folder.
final class FolderLock: Sendable {
  private let descriptor: Int32

  /// Another program has it.
  struct Taken: Error, CustomStringConvertible {
    let description: String
  }

  /// Takes a lock.
  ///
  /// - Parameters:
  ///   - folder: Where it is.
  ///   - name: What it is called there.
  ///   - taken: What to tell the person where another program has it.
  /// - Throws: ``Taken``, or why there can be no lock.
  init(in folder: URL, named name: String, taken: String) throws {
    let path = folder.appending(component: "\(name).lock").path
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw Taken(description: taken)
    }
  }

  /// Gives it back.
  func release() {
    // A process that is being started may have a copy of the descriptor for a moment, with the lock.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}

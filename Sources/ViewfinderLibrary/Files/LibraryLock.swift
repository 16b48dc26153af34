import Foundation
import Viewfinder

/// A lock that one thread of one process holds at a time, to read a small file, change and write it.
///
/// It is advisory (`flock`): only those who take it are kept out. The system gives it back when its
/// holder is killed, so nothing stale ever locks anyone out.
struct LibraryLock: ~Copyable {
  private let descriptor: Int32

  /// Waits for the lock file at `path`, which is made when there is none and stays.
  ///
  /// - Throws: ``PhotoLibraryError/inUse(what:by:)`` naming the holder, when somebody else has
  ///   had the lock for `limit`.
  init(_ path: FilePath, waitingFor limit: Duration = .seconds(10)) throws(PhotoLibraryError) {
    descriptor = unsafe path.withCString { unsafe open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o666) }
    guard descriptor >= 0 else { throw .cannotWrite(path: path.description, code: errno) }
    guard wait(for: descriptor, limit: limit) else {
      throw .inUse(what: path.description, by: Self.holder(of: descriptor))
    }
    // For those who wait in vain. It is only a hint: whether there is a holder the lock alone says.
    ftruncate(descriptor, 0)
    _ = unsafe Array("\(getpid())\n".utf8).withUnsafeBytes {
      unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0)
    }
  }

  /// Waits for a folder itself, so that no file is needed.
  ///
  /// Where folders can't be locked (NFS) there is no lock. A name that is taken is never taken again
  /// there either, but photos of different types that are saved at once may share a number.
  init(folder: FilePath, waitingFor limit: Duration = .seconds(30)) throws(PhotoLibraryError) {
    descriptor = unsafe folder.withCString { unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw .cannotWrite(path: folder.description, code: errno) }
    guard wait(for: descriptor, limit: limit) else {
      throw .inUse(what: folder.description, by: nil)
    }
  }

  // Closing gives the lock back, too.
  deinit { close(descriptor) }

  /// Gives the lock back.
  func release() { flock(descriptor, LOCK_UN) }

  private static func holder(of descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe pread(descriptor, $0.baseAddress, $0.count, 0)
    }
    let digits = bytes.prefix(max(count, 0)).prefix(while: \.isASCIIDigit)
    guard let pid = Int32(String(decoding: digits, as: UTF8.self)), pid > 0 else {
      return "another program"
    }
    return pid == getpid() ? "this program" : "process \(pid)"
  }
}

/// Whether a lock was got, or can't be had on this file system.
private func wait(for descriptor: Int32, limit: Duration) -> Bool {
  let end = ContinuousClock.now + limit
  var pause: UInt32 = 200
  while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
    if errno != EWOULDBLOCK, errno != EINTR { return true }
    guard ContinuousClock.now < end else { return false }
    usleep(pause)
    pause = min(pause * 2, 5000)
  }
  return true
}

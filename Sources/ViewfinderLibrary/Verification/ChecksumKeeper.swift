import Foundation
import Viewfinder

/// Reads whole files in the background, slowly, and notes their checksums, file by file: whoever goes on after a
/// break begins where it was.
final class ChecksumKeeper: @unchecked Sendable {
  /// The library ends the thread when nobody uses it any more.
  private weak let core: LibraryCore?
  /// The most bytes that it reads in a second.
  private let rate: Int
  /// How long it rests when all files have their checksums, in seconds.
  private let rest: Double
  private let condition = NSCondition()
  /// Guarded by ``condition``.
  private var (isStopped, isDone) = (false, false)
  /// The thread itself, once it runs; likewise.
  private var own: pthread_t?

  init(_ core: LibraryCore, rate: Int, rest: Double = 30) {
    self.core = core
    (self.rate, self.rest) = (rate, rest)
    let thread = Thread { [self] in
      condition.withLock { own = pthread_self() }
      Self.giveWay()
      while !waits(rest) { passThrough() }
      condition.withLock {
        isDone = true
        condition.broadcast()
      }
    }
    thread.name = "photo checksums"
    thread.start()
  }

  /// Ends the thread, after the part of a file that it is reading.
  func stop() {
    condition.withLock {
      isStopped = true
      condition.broadcast()
      // The thread itself may be the last to use the library.
      guard own != pthread_self() else { return }
      while !isDone { condition.wait() }
    }
  }

  /// Whoever works comes first, on the processor and so on the disk, whose schedulers follow (ioprio_set(2)).
  private static func giveWay() {
    // Of this thread alone, as Linux has it.
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
  }

  /// Waits, and returns whether it is to end.
  private func waits(_ seconds: Double) -> Bool {
    let end = Date() + seconds
    return condition.withLock {
      while !isStopped, condition.wait(until: end) {}
      return isStopped
    }
  }

  /// Makes the checksums that are missing.
  private func passThrough() {
    var last: Int64 = 0
    while let core, core.firstScan.isFinished {
      let next = try? core.makeChecksums(after: last, limit: 10) { [self] count in
        // The time that these bytes may take.
        waits(Double(count) / Double(rate))
      }
      guard let next = next.flatMap({ $0 }) else { return }
      last = next
    }
  }
}

extension LibraryCore {
  /// Reads the next files after a row that have no checksum, and notes it.
  ///
  /// `pace` is told of the bytes that were read, and returns whether to stop. Returns the last row; `nil` after the last
  /// file, or when it is to stop.
  func makeChecksums(after row: Int64, limit: Int, pace: (Int) -> Bool) throws(PhotoLibraryError)
    -> Int64?
  {
    let files = try index.readNow { db in
      try ChecksumStore.missing(after: row, limit: limit, db)
    }
    for located in files {
      let path = located.folder.appending(located.file.name)
      // What can't be read, or is just being changed, has its turn the next time.
      guard let file = try? FileReader(path), file.status.isSameContent(as: located.file.status)
      else { continue }
      do throws(PhotoLibraryError) {
        let hash = try FileHash(of: file) { (count) throws(PhotoLibraryError) in
          if pace(count) { throw .cancelled }
        }
        guard FileStatus(of: path)?.isSameContent(as: file.status) == true else { continue }
        try writer.write { db in try ChecksumStore.set(hash, of: located.file, db) }
      } catch .cancelled {
        return nil
      } catch .cannotRead, .damaged {
        continue
      }
    }
    return files.last?.file.row
  }
}

extension FileStatus {
  /// Whether nobody wrote to the file in between, as far as size and time tell.
  func isSameContent(as other: FileStatus) -> Bool {
    size == other.size && modified == other.modified
  }
}

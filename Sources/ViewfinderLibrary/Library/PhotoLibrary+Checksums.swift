import Viewfinder

extension PhotoLibrary {
  /// The checksums of whole files, by which ``verify(progress:)`` finds a byte that a disk or a program changed without
  /// another size or time.
  ///
  /// A library that keeps up with other programs makes them in the background
  /// (``Configuration/checksumRate``). Written as `HASH  PATH`, one a line, `xxhsum --check` compares them without this
  /// library.
  ///
  /// - Returns: Those that there are, in the order of their paths.
  public func checksums() async throws(PhotoLibraryError) -> [FileChecksum] {
    try await core.index.read { db in try ChecksumStore.all(db) }
  }

  /// Makes the checksums that are missing now, as fast as the disk reads.
  ///
  /// - Parameter progress: Receives the bytes read so far, from time to time, on another thread.
  /// - Throws: ``PhotoLibraryError/cancelled`` when the task was cancelled; the next call goes on.
  public func makeChecksums(
    progress: @escaping @Sendable (_ bytesRead: Int) -> Void = { _ in }
  ) async throws(PhotoLibraryError) {
    let flag = Flag()
    let result = await withTaskCancellationHandler {
      await Blocking.run { [core] in
        Result { () throws(PhotoLibraryError) in
          var (last, bytesRead): (Int64?, Int) = (0, 0)
          while let row = last, !flag.isSet {
            last = try core.makeChecksums(after: row, limit: 100) { count in
              bytesRead += count
              progress(bytesRead)
              return flag.isSet
            }
          }
          if flag.isSet { throw .cancelled }
        }
      }
    } onCancel: {
      flag.set()
    }
    try result.get()
  }

  /// Forgets assets' checksums, so that what their files hold now counts as good.
  ///
  /// For files that a program changed on purpose, but gave their former time.
  public func forgetChecksums(of assets: [Asset]) async throws(PhotoLibraryError) {
    let ids = assets.map(\.id)
    try await Blocking.run { [core] () throws(PhotoLibraryError) in
      try core.writer.write { db in try ChecksumStore.forget(ids, db) }
    }
  }
}

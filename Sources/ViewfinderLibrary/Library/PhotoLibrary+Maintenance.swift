import Foundation

extension PhotoLibrary {
  /// Compares the index with the folders, and reads every photo through.
  ///
  /// It decodes JPEG and PNG files, reads others from beginning to end, and checks their headers. It changes nothing:
  /// ``update(progress:)`` brings the index up to date.
  ///
  /// - Parameter progress: Receives how far it is, from time to time.
  /// - Returns: What it found.
  /// - Throws: ``PhotoLibraryError/cancelled`` when the task was cancelled.
  public func verify(
    progress: @escaping @Sendable (VerificationProgress) -> Void = { _ in }
  ) async throws(PhotoLibraryError) -> VerificationReport {
    try await LibraryVerifier(core: core).verify(progress)
  }

  /// Throws the index away and makes a new one from the files.
  ///
  /// It keeps albums, favourites and crops, which are beside the photos, and identifiers, which follow from the files'
  /// contents. An asset whose file changed since the library first saw it keeps its identifier only in an album or as a
  /// favourite, and copies of one file may swap theirs. The library forgets when it first saw files.
  ///
  /// Programs that have the library open go on: they see it empty and then fill up.
  ///
  /// - Parameters:
  ///   - configuration: Which library.
  ///   - progress: Receives how far it is, from time to time, on another thread.
  /// - Returns: What it did, with the folders that it couldn't read.
  /// - Throws: ``PhotoLibraryError/cancelled`` when the task was cancelled; the next ``update(progress:)`` then goes
  ///   on.
  @discardableResult
  public static func rebuild(
    _ configuration: Configuration = Configuration(),
    progress: @escaping @Sendable (ScanProgress) -> Void = { _ in }
  ) async throws(PhotoLibraryError) -> ScanReport {
    var configuration = configuration
    configuration.watchesFolders = false
    let library = try await open(configuration) { folder throws(PhotoLibraryError) in
      try IndexDatabase.emptied(folder: folder)
    }
    return try await library.update(progress: progress)
  }
}

import Foundation

extension PhotoLibrary {
  /// Compares the index with the folders, and reads every photo through.
  ///
  /// It decodes JPEG and PNG files, reads others from beginning to end, and looks at their headers. It changes
  /// nothing: ``update(progress:)`` takes up what is new.
  ///
  /// - Parameter progress: Receives how far it is, from time to time.
  /// - Returns: What was found.
  /// - Throws: ``PhotoLibraryError/cancelled`` when the task was cancelled.
  public func verify(
    progress: @escaping @Sendable (VerificationProgress) -> Void = { _ in }
  ) async throws(PhotoLibraryError) -> VerificationReport {
    try await LibraryVerifier(core: core).verify(progress)
  }

  /// Throws the index away and makes a new one from the files.
  ///
  /// Albums, favourites and crops are kept, since they lie beside the photos; so are identifiers, which follow from
  /// the files' contents. An asset whose file was written to since the library first saw it keeps its identifier only
  /// in albums and as a favourite, and copies of one file may swap theirs. The library forgets when it first saw files.
  ///
  /// Programs that have the library open go on: they see it empty, and then fill.
  ///
  /// - Parameters:
  ///   - configuration: Which library.
  ///   - progress: Receives how far it is, from time to time, on another thread.
  /// - Returns: What was done, with the folders that could not be read.
  /// - Throws: ``PhotoLibraryError/cancelled`` when the task was cancelled; the next ``update(progress:)`` goes on then.
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

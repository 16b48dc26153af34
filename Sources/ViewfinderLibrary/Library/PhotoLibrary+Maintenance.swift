import Foundation
import Viewfinder

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
  /// What can't be found in the files stays: when the library first saw them, and the identifiers of those that were
  /// edited. Of a damaged index, it is what can be read. Albums, favourites and crops are beside the photos.
  ///
  /// Programs that have the library open go on with the new one.
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
    let library = try await open(configuration)
    try await Blocking.run { () throws(PhotoLibraryError) in try library.core.index.rebuild() }
    return try await library.update(progress: progress)
  }
}

public import Foundation
import Viewfinder

/// A folder of the library that can't be reached now: its disk isn't there, or it may not be read.
public struct AbsentFolder: Hashable, Sendable {
  /// Where it is.
  public let url: URL
  /// Since when the library can't reach it.
  public let since: Date
  /// How many assets the library knows in it; they stay, with ``Asset/isAbsent``.
  public let assetCount: Int
}

extension PhotoLibrary {
  /// The folders that can't be reached now, in the order of their paths.
  ///
  /// A root that is missing when the library is opened is among them, if the library has seen it before.
  public func absentFolders() async throws(PhotoLibraryError) -> [AbsentFolder] {
    try await core.index.read { db in try AssetQueries.absentFolders(db) }
  }

  /// Forgets a folder that won't come back, with its assets; should it come back, they are what they were.
  ///
  /// - Throws: ``PhotoLibraryError/notFound(what:)`` for a folder that isn't absent.
  public func forget(_ folder: AbsentFolder) async throws(PhotoLibraryError) {
    let path = FilePath(folder.url)
    try await Blocking.run { [core] () throws(PhotoLibraryError) in
      try core.writer.write { db in
        var writer = IndexWriter(db)
        try writer.forget(absentFolder: path)
        try writer.finish()
      }
    }
  }
}

public import Foundation

/// How far a verification is.
public struct VerificationProgress: Hashable, Sendable {
  /// Files that were read through.
  public var filesRead = 0
  /// Files that are to be read through.
  public var filesToRead = 0
}

/// What a verification found.
public struct VerificationReport: Sendable {
  /// A file, and what is wrong with it.
  public struct Finding: Hashable, Sendable {
    /// Where the file is.
    public var fileURL: URL
    /// What is wrong.
    public var error: PhotoLibraryError
  }

  /// An album some of whose assets are gone.
  public struct IncompleteAlbum: Hashable, Sendable {
    /// The album.
    public var album: Album
    /// How many of its assets the library doesn't have now.
    public var missingCount: Int
  }

  /// How many files were read through.
  public var filesRead = 0
  /// Pictures and videos that can't be read or shown whole.
  public var damagedFiles: [Finding] = []
  /// Albums' own files that hold no album.
  public var damagedAlbums: [Finding] = []
  /// What is wrong with the index; `nil` when nothing is.
  ///
  /// ``PhotoLibrary/rebuild(_:progress:)`` helps.
  public var indexProblem: String?
  /// Folders that could not be read.
  public var problems: [PhotoLibraryError] = []
  /// Files that the index doesn't have.
  public var newFiles: [URL] = []
  /// Files that have been written to since the index was brought up to date.
  public var changedFiles: [URL] = []
  /// Files that are no longer where the index has them.
  public var vanishedFiles: [URL] = []
  /// Albums some of whose assets are gone.
  public var incompleteAlbums: [IncompleteAlbum] = []
  /// Assets with thumbnails of earlier contents in the cache that desktops share.
  public var outdatedThumbnails: [URL] = []

  /// Whether a file, an album or the index is damaged.
  ///
  /// All else is what happens to a library that people use.
  public var hasDamage: Bool {
    !damagedFiles.isEmpty || !damagedAlbums.isEmpty || indexProblem != nil
  }

  /// Whether the index says what is in the folders.
  public var isUpToDate: Bool {
    newFiles.isEmpty && changedFiles.isEmpty && vanishedFiles.isEmpty
  }
}

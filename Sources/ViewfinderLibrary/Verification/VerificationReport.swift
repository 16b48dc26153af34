public import Foundation

/// How far a verification is.
public struct VerificationProgress: Hashable, Sendable {
  /// Files read through so far.
  public var filesRead = 0
  /// Files to read through.
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
    /// When the file was last known to be whole: when its checksum was made; `nil` where there is none.
    public var goodSince: Date?
  }

  /// An album some of whose assets are gone.
  public struct IncompleteAlbum: Hashable, Sendable {
    /// The album.
    public var album: Album
    /// How many of its assets the library doesn't have now.
    public var missingCount: Int
  }

  /// How many files the verification read through, also those that the index doesn't have.
  public var filesRead = 0
  /// How many of these it compared with a checksum of the whole file.
  ///
  /// Of the others it knows only that they can be read and shown; see ``PhotoLibrary/checksums()``.
  public var filesCompared = 0
  /// How many files that the index has it couldn't read: their folders can't be read, or their disks aren't there.
  public var filesUnread = 0
  /// Pictures and videos that can't be read or shown whole.
  public var damagedFiles: [Finding] = []
  /// Albums' own files that hold no album.
  public var damagedAlbums: [Finding] = []
  /// What is wrong with the index; `nil` when nothing is.
  ///
  /// ``PhotoLibrary/rebuild(_:progress:)`` helps.
  public var indexProblem: String?
  /// Folders that the verification couldn't read.
  public var problems: [PhotoLibraryError] = []
  /// Files that the index doesn't have.
  public var newFiles: [URL] = []
  /// Files that changed since the last update of the index.
  public var changedFiles: [URL] = []
  /// Files that are no longer where the index has them.
  public var vanishedFiles: [URL] = []
  /// Albums some of whose assets are gone.
  public var incompleteAlbums: [IncompleteAlbum] = []
  /// Assets with thumbnails of earlier contents in the cache that desktops share.
  public var outdatedThumbnails: [URL] = []

  /// Whether everything was read, and nothing is damaged: only then the library is known to be well.
  public var isHealthy: Bool { isComplete && !hasDamage }

  /// Whether all files were read, those that the index has and those that it doesn't.
  public var isComplete: Bool { filesUnread == 0 && problems.isEmpty && indexProblem == nil }

  /// Whether a file, an album or the index is damaged.
  ///
  /// Files that came, changed or went since the last update are normal in a library that people use.
  public var hasDamage: Bool {
    !damagedFiles.isEmpty || !damagedAlbums.isEmpty || indexProblem != nil
  }

  /// Whether the index says what is in the folders.
  public var isUpToDate: Bool {
    newFiles.isEmpty && changedFiles.isEmpty && vanishedFiles.isEmpty
  }
}

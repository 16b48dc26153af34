import Foundation

/// Where a library's folders and its index are; some of the folders may be away.
struct LibraryPlaces {
  let roots: [FilePath]
  let index: FilePath
  /// Where thumbnails are kept, if anywhere.
  let thumbnails: FilePath?
  /// The trash for files of its own file system, if there is any.
  let trash: FilePath?
  /// Folders that are never looked at, wherever they lie.
  let excluded: [FilePath]

  init(_ configuration: PhotoLibrary.Configuration, _ folders: XDGFolders = XDGFolders())
    throws(FolderProblem)
  {
    let wanted = Self.wantedRoots(configuration, folders)
    guard !wanted.isEmpty else { throw .noHome }
    let problems = wanted.map { FolderPermission($0).problem }
    // A disk that isn't there takes only its own photos away.
    if let problem = problems.first ?? nil, !problems.contains(nil) {
      throw problem
    }
    var roots: [FilePath] = []
    for root in wanted.map(\.resolvedAsFarAsThere) where !roots.contains(root) {
      roots.append(root)
    }
    guard
      let data = configuration.indexFolder.map({ FilePath($0) })
        ?? folders.data?.appending("viewfinder")
    else { throw .noHomeForIndex }
    self.roots = roots
    let key = UUID(hashing: roots.map { $0.bytes + [0] }).uuidString.lowercased()
    index = data.appending(key)
    thumbnails =
      configuration.thumbnailFolder.map { FilePath($0) } ?? ThumbnailCache.standardFolder(folders)
    trash =
      configuration.trashFolder.map { FilePath($0) } ?? folders.data?.appending("Trash")
    excluded = [thumbnails, ThumbnailCache.standardFolder(folders), index, trash].compactMap {
      $0?.resolved ?? $0
    }
  }

  /// The folders that a library is asked to show, whether they are there or not.
  static func wantedRoots(
    _ configuration: PhotoLibrary.Configuration, _ folders: XDGFolders = XDGFolders()
  ) -> [FilePath] {
    configuration.roots?.map { FilePath($0) } ?? [folders.pictures].compactMap(\.self)
  }
}

/// What lies in a folder.
struct FolderListing {
  struct Entry {
    var name: FilePath
    var status: FileStatus
  }

  /// Regular files, and links to some that lie outside the library.
  var files: [Entry] = []
  /// Folders, but no links to any.
  var folders: [FilePath] = []
  /// Links to folders.
  var links: [FilePath] = []

  /// Lists a folder without what is hidden.
  ///
  /// `isInLibrary` tells whether the library comes to that real path anyway.
  init(of folder: FilePath, isInLibrary: (FilePath) -> Bool) throws(PhotoLibraryError) {
    for name in try folder.names() where !name.isHidden {
      // What has vanished since then is none of the folder's files.
      guard let status = FileStatus(of: folder.appending(name), followsLinks: false) else {
        continue
      }
      add(name, status, in: folder, isInLibrary)
    }
  }

  private mutating func add(
    _ name: FilePath, _ status: FileStatus, in folder: FilePath, _ isInLibrary: (FilePath) -> Bool
  ) {
    switch status.kind {
    case .file: files.append(Entry(name: name, status: status))
    case .folder: folders.append(name)
    case .other: break
    case .link:
      let path = folder.appending(name)
      guard let target = FileStatus(of: path), let real = path.resolved, !isInLibrary(real)
      else { return }
      if target.kind == .file { files.append(Entry(name: name, status: target)) }
      if target.kind == .folder { links.append(name) }
    }
  }
}

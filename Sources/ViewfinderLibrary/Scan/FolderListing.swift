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
  /// The files that may speak of others beside them.
  private var sidecars: [FilePath: FileStatus] = [:]

  /// Lists a folder without what is hidden, and what other programs leave.
  ///
  /// A folder that is marked by `.nomedia` is empty, unless it is a root: somebody asked for that.
  /// `isInLibrary` tells whether the library comes to that real path anyway.
  init(of folder: FilePath, isRoot: Bool, isInLibrary: (FilePath) -> Bool)
    throws(PhotoLibraryError)
  {
    // In order: files of one name, which may be one asset, are looked at together.
    let names = try folder.names().sorted()
    guard isRoot || !names.contains(Leftovers.noMedia) else { return }
    let companions = Leftovers.companions(in: names)
    for name in names where !name.isHidden && !companions.contains(name) {
      // What has vanished since then is none of the folder's files.
      guard let status = FileStatus(of: folder.appending(name), followsLinks: false) else {
        continue
      }
      add(name, status, in: folder, isInLibrary)
    }
    for file in files where XMPSidecar.hasName(file.name) { sidecars[file.name] = file.status }
  }

  /// The sidecar of a file in the folder, if it has one.
  func sidecar(of name: FilePath) -> Sidecar? {
    guard !sidecars.isEmpty, !XMPSidecar.hasName(name) else { return nil }
    return XMPSidecar.names(for: name).lazy.compactMap { candidate in
      sidecars[candidate].map { Sidecar(name: candidate, status: $0) }
    }.first
  }

  private mutating func add(
    _ name: FilePath, _ status: FileStatus, in folder: FilePath, _ isInLibrary: (FilePath) -> Bool
  ) {
    switch status.kind {
    case .file: if !Leftovers.isFile(name) { files.append(Entry(name: name, status: status)) }
    case .folder: if !Leftovers.isFolder(name) { folders.append(name) }
    case .other: break
    case .link:
      let path = folder.appending(name)
      guard let target = FileStatus(of: path), let real = path.resolved, !isInLibrary(real)
      else { return }
      if target.kind == .file, !Leftovers.isFile(name) {
        files.append(Entry(name: name, status: target))
      }
      if target.kind == .folder, !Leftovers.isFolder(name) { links.append(name) }
    }
  }

  /// Whether a scan of these roots comes to a folder, as far as names and marks tell.
  static func reaches(_ folder: FilePath, from roots: [FilePath]) -> Bool {
    var folder = folder
    while !roots.contains(folder) {
      let name = folder.name
      guard !name.isHidden, !Leftovers.isFolder(name), folder.bytes.count > 1,
        FileStatus(of: folder.appending(Leftovers.noMedia)) == nil
      else { return false }
      folder = folder.folder
    }
    return true
  }

  /// Whether a scan of these roots finds a file that is there.
  static func finds(_ file: FilePath, from roots: [FilePath]) -> Bool {
    let folder = file.folder
    guard reaches(folder, from: roots),
      let listing = try? FolderListing(
        of: folder, isRoot: roots.contains(folder), isInLibrary: { _ in false })
    else { return false }
    return listing.files.contains { $0.name == file.name }
  }
}

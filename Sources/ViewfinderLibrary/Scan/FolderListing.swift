import Glibc

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
  /// - Parameter isInLibrary: Whether the library comes to that real path anyway.
  /// - Throws: ``PhotoLibraryError/cannotRead(path:code:)``.
  init(of folder: FilePath, isInLibrary: (FilePath) -> Bool) throws(PhotoLibraryError) {
    guard let stream = unsafe folder.withCString({ unsafe opendir($0) }) else {
      throw .cannotRead(path: folder.description, code: errno)
    }
    defer { unsafe closedir(stream) }
    let descriptor = unsafe dirfd(stream)
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        guard errno == 0 else { throw .cannotRead(path: folder.description, code: errno) }
        return
      }
      let name = unsafe FilePath(entry.pointee.d_name)
      guard !name.isHidden else { continue }
      var status = stat()
      let code = unsafe name.withCString {
        unsafe fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW)
      }
      // What has vanished since then is none of the folder's files.
      guard code == 0 else { continue }
      add(name, FileStatus(status), in: folder, isInLibrary)
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

extension FilePath {
  /// A directory entry's name.
  fileprivate init(_ name: some Any) {
    self.init(
      bytes: unsafe withUnsafeBytes(of: name) { bytes in
        unsafe Array(bytes.prefix { $0 != 0 })
      })
  }

  /// The path without links, or `nil` when nothing is there.
  var resolved: FilePath? {
    unsafe withCString { path in
      guard let real = unsafe realpath(path, nil) else { return nil }
      defer { unsafe free(real) }
      return unsafe FilePath(
        bytes: UnsafeBufferPointer(start: real, count: strlen(real)).map { UInt8(bitPattern: $0) })
    }
  }
}

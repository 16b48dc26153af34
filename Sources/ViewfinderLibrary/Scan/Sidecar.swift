/// A file that speaks of another one beside it.
struct Sidecar: Hashable, Sendable {
  let name: FilePath
  /// Tells its states apart, so that what it speaks of is read again when it changes.
  let state: Int64

  init(name: FilePath, status: FileStatus) {
    self.name = name
    state = status.modified ^ Int64(truncatingIfNeeded: status.inode << 20) ^ Int64(status.size)
  }

  /// The one beside a file, if there is any.
  static func beside(_ path: FilePath) -> Sidecar? {
    guard !XMPSidecar.hasName(path) else { return nil }
    return XMPSidecar.names(for: path).lazy.compactMap { name in
      FileStatus(of: path.folder.appending(name)).flatMap {
        $0.kind == .file ? Sidecar(name: name, status: $0) : nil
      }
    }.first
  }
}

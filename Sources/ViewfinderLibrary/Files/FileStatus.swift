import Glibc

/// What the file system knows of a file without opening it: the same as long as nobody touches the file,
/// whatever its folder is called.
struct FileStatus: Hashable, Sendable {
  enum Kind: Sendable { case file, folder, link, other }

  var kind: Kind
  /// In bytes.
  var size: Int
  var device: UInt64
  var inode: UInt64
  /// Last change of the content, in nanoseconds since 1970.
  var modified: Int64
  /// Last change of content or attributes, in nanoseconds since 1970; can't be forged.
  var changed: Int64

  init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      default: .other
      }
    size = Int(status.st_size)
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    modified = status.st_mtim.nanoseconds
    changed = status.st_ctim.nanoseconds
  }

  /// What is at a path, or `nil` (with `errno`) when nothing can be told.
  init?(of path: FilePath, followsLinks: Bool = true) {
    var status = stat()
    let code = unsafe path.withCString {
      unsafe fstatat(AT_FDCWD, $0, &status, followsLinks ? 0 : AT_SYMLINK_NOFOLLOW)
    }
    guard code == 0 else { return nil }
    self.init(status)
  }
}

/// Tells a file from all others that there are at the same time.
struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  init(_ status: FileStatus) { (device, inode) = (status.device, status.inode) }
}

extension timespec {
  /// Nanoseconds since 1970; file systems have times that don't fit (after 2262), which are cut off.
  var nanoseconds: Int64 {
    let seconds = min(max(Int64(tv_sec), -9_000_000_000), 9_000_000_000)
    return seconds * 1_000_000_000 + Int64(tv_nsec)
  }
}

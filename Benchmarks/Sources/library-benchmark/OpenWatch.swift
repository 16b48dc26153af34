import Foundation

/// Sees which files in some folders are opened, by whomever: inotify(7).
final class OpenWatch {
  private let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
  private var folders: [Int32: URL] = [:]

  /// Watches a folder and all in it.
  init(_ root: URL) throws {
    try add(root)
    let inner = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    for case let url as URL in inner.map(Array.init) ?? [] where url.hasDirectoryPath {
      try add(url)
    }
  }

  deinit { close(descriptor) }

  private func add(_ folder: URL) throws {
    let watch = inotify_add_watch(descriptor, folder.path, UInt32(IN_OPEN | IN_ACCESS))
    guard watch >= 0 else {
      throw Failure("\(folder.path) can't be watched: \(String(cString: strerror(errno))).")
    }
    folders[watch] = folder
  }

  /// The files that were opened or read since the last call; folders don't count.
  func takeOpened() throws -> Set<URL> {
    var opened: Set<URL> = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return opened }
      var rest = buffer[..<count]
      while rest.count >= 16 {
        let (watch, mask, length) = rest.withUnsafeBytes {
          (
            $0.loadUnaligned(as: Int32.self), $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self),
            Int($0.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
          )
        }
        guard mask & UInt32(IN_Q_OVERFLOW) == 0 else {
          throw Failure("More was opened than the kernel could tell.")
        }
        let name = String(
          decoding: rest.dropFirst(16).prefix(length).prefix { $0 != 0 }, as: UTF8.self)
        if mask & UInt32(IN_ISDIR) == 0, let folder = folders[watch] {
          opened.insert(folder.appending(path: name))
        }
        rest = rest.dropFirst(16 + length)
      }
    }
  }
}

import Foundation
import Glibc

/// Tells which folders have changed, by inotify(7).
///
/// Watches are bounded, because the kernel holds memory for each and gives a user only so many. Where they end,
/// and when the kernel's queue overflows, it says that everything may have changed.
final class FolderWatcher: @unchecked Sendable {
  private let descriptor: Int32
  private let limit: Int
  private var folders: [Int32: FilePath] = [:]
  private var watches: [FilePath: Int32] = [:]
  /// Whether some folder has no watch, so that only rescans find what changes in it.
  private(set) var isIncomplete = false

  private static let mask =
    UInt32(
      IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_ATTRIB
        | IN_DELETE_SELF)
    | UInt32(IN_ONLYDIR)

  /// - Parameter limit: The most folders that are watched.
  init?(limit: Int) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    self.limit = limit
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  /// The descriptor to wait on.
  var fileDescriptor: Int32 { descriptor }

  /// Watches these folders and no others; returns those that weren't watched before.
  func watch(_ wanted: Set<FilePath>) -> Set<FilePath> {
    for (folder, watch) in watches where !wanted.contains(folder) {
      inotify_rm_watch(descriptor, watch)
      folders[watch] = nil
      watches[folder] = nil
    }
    isIncomplete = false
    return wanted.filter { watches[$0] == nil && add($0) }
  }

  /// Watches nothing any more.
  func forget() { _ = watch([]) }

  private func add(_ folder: FilePath) -> Bool {
    guard watches.count < limit else {
      isIncomplete = true
      return false
    }
    let watch = unsafe folder.withCString { unsafe inotify_add_watch(descriptor, $0, Self.mask) }
    guard watch >= 0 else {
      // ENOSPC: the user's watches are used up. Others: it has vanished or may not be read.
      if errno == ENOSPC || errno == ENOMEM { isIncomplete = true }
      return false
    }
    // A folder that was moved keeps its watch, under a new name.
    if let old = folders[watch] { watches[old] = nil }
    folders[watch] = folder
    watches[folder] = watch
    return true
  }

  /// What happened since the last call; doesn't wait.
  func takeChanges() -> ScanScope {
    var changes = ScanScope(finished: [])
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return changes }
      unsafe buffer.withUnsafeBytes { bytes in unsafe parse(bytes.prefix(count), into: &changes) }
    }
  }

  private func parse(_ bytes: Slice<UnsafeRawBufferPointer>, into changes: inout ScanScope) {
    var rest = unsafe bytes
    while unsafe rest.count >= 16 {
      let header = unsafe UnsafeRawBufferPointer(rebasing: rest)
      let watch = unsafe header.loadUnaligned(fromByteOffset: 0, as: Int32.self)
      let mask = unsafe header.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
      let length = unsafe Int(header.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
      let name = unsafe FilePath(bytes: header.dropFirst(16).prefix(length).prefix { $0 != 0 })
      unsafe rest = unsafe rest.dropFirst(16 + length)
      if mask & UInt32(IN_Q_OVERFLOW) != 0 {
        changes.isEverything = true
        continue
      }
      guard let folder = folders[watch] else { continue }
      changes.folders.insert(folder)
      if mask & UInt32(IN_CLOSE_WRITE | IN_MOVED_TO) != 0 {
        changes.finished?.insert(folder.appending(name))
      } else if mask & UInt32(IN_CREATE) != 0 {
        changes.finished?.remove(folder.appending(name))
      }
      if mask & UInt32(IN_IGNORED) != 0 {
        folders[watch] = nil
        if watches[folder] == watch { watches[folder] = nil }
      }
    }
  }
}

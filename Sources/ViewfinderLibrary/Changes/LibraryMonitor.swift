import Foundation
import GRDB
import Viewfinder

/// Keeps the index up to date while other programs change the folders.
///
/// A thread waits for inotify, lets things settle for a moment, and scans the folders concerned. Where there are
/// more folders than watches, it scans everything now and then.
final class LibraryMonitor: @unchecked Sendable {
  private let core: LibraryCore
  private let watcher: FolderWatcher
  private let rescanInterval: Double
  /// A pipe whose closing wakes the thread.
  private let wake: (read: Int32, write: Int32)
  private let isStopped = Mutex(false)
  private let done = DispatchSemaphore(value: 0)

  /// How long the folders must be quiet before they are scanned, and for how long a scan is put off at most, in
  /// milliseconds.
  private static let (quiet, patience): (Int32, Int64) = (80, 1000)

  /// - Parameters:
  ///   - watchLimit: The most folders to watch.
  ///   - rescanInterval: Where watches don't suffice, seconds between two scans of everything.
  init?(core: LibraryCore, watchLimit: Int, rescanInterval: Double) {
    guard let watcher = FolderWatcher(limit: watchLimit) else { return nil }
    self.core = core
    self.watcher = watcher
    self.rescanInterval = rescanInterval
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    wake = (ends[0], ends[1])
    let thread = Thread { [self] in
      run()
      done.signal()
    }
    thread.name = "photo library"
    thread.start()
  }

  /// Ends the thread, after a scan that is under way.
  func stop() {
    let wasStopped = isStopped.withLock { stopped in
      defer { stopped = true }
      return stopped
    }
    guard !wasStopped else { return }
    close(wake.write)
    done.wait()
    close(wake.read)
  }

  private var stops: Bool { isStopped.withLock { $0 } }

  private func run() {
    var missed = FolderWatcher.Changes(everything: true)
    while !stops {
      update(missed)
      missed = watcher.takeChanges()
      if missed.isEmpty { missed = waitForChanges() }
    }
  }

  /// Scans, and watches the folders that there are then.
  private func update(_ changes: FolderWatcher.Changes) {
    if changes.everything { watch() }
    let own = Set(core.roots.flatMap(AlbumStore.folders))
    let scope: ScanScope =
      changes.everything ? .everything : .folders(changes.folders.subtracting(own))
    let stopped: @Sendable () -> Bool = { [weak self] in self?.stops ?? true }
    // What can't be read now is tried again when something changes.
    _ = try? core.scan(scope, isCancelled: stopped)
    watch()
  }

  /// Watches all folders that the index knows, and those of the albums.
  private func watch() {
    let known = try? core.index.readNow { db in
      try Data.fetchAll(db, sql: "SELECT path FROM folder").map { FilePath(data: $0) }
    }
    // The roots first: they tell when a folder comes.
    watcher.watch(Set(known ?? []).union(core.roots).union(core.roots.flatMap(AlbumStore.folders)))
  }

  /// Waits until something has changed and things have settled.
  private func waitForChanges() -> FolderWatcher.Changes {
    let timeout = watcher.isIncomplete ? Int32(min(rescanInterval * 1000, 86_400_000)) : -1
    guard wait(timeout) else { return FolderWatcher.Changes(everything: !stops) }
    let deadline = Int64.now + Self.patience * 1_000_000
    var changes = watcher.takeChanges()
    while !stops, Int64.now < deadline, wait(Self.quiet) {
      let more = watcher.takeChanges()
      changes.folders.formUnion(more.folders)
      changes.everything = changes.everything || more.everything
    }
    return changes
  }

  /// Whether something happened in time.
  private func wait(_ milliseconds: Int32) -> Bool {
    var descriptors = [
      pollfd(fd: watcher.fileDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0),
    ]
    return unsafe poll(&descriptors, nfds_t(descriptors.count), milliseconds) > 0
  }
}

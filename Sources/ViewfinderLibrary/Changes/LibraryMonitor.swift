import Foundation
import GRDB
import Viewfinder

/// Keeps the index up to date while other programs change the folders.
///
/// A thread waits for inotify, lets things settle for a moment, and scans the folders concerned. Where there are
/// more folders than watches, it scans everything now and then; and when a root is another folder than before, or a
/// disk comes or goes.
final class LibraryMonitor: @unchecked Sendable {
  /// The library ends the thread when nobody uses it any more.
  private weak let core: LibraryCore?
  private let roots: [FilePath]
  private let watcher: FolderWatcher
  private let mounts = MountTable()
  private let rescanInterval: Double
  /// A pipe whose closing wakes the thread.
  private let wake: (read: Int32, write: Int32)
  private let isStopped = Mutex(false)
  private let done = DispatchSemaphore(value: 0)
  /// The thread itself, once it runs.
  private let own = Mutex<pthread_t?>(nil)
  /// The folders that were there as the roots when they were watched; for the thread alone.
  private var rootStatus: [FileIdentity?] = []
  /// Those that are watched; likewise.
  private var watched: Set<FilePath> = []
  /// How often in a row the index couldn't be brought up to date; likewise.
  private var failures = 0
  /// Whether disks came or went that nobody has looked at: `poll` tells of them once; likewise.
  private var mountsChanged = false

  /// How often it is looked whether the roots are the same folders still, in milliseconds: a root that somebody remakes
  /// tells nobody.
  static let rootInterval = 3000.0
  /// How long the folders must be quiet before they are scanned, and for how long a scan is put off at
  /// most, in milliseconds.
  private static let (quiet, patience): (Int32, Int64) = (80, 1000)
  /// How long it waits after so many failures in a row, in milliseconds: a full disk isn't helped by looking.
  static func pause(after failures: Int) -> Int32 { 1000 << Int32(min(max(failures, 1), 7) - 1) }

  /// - Parameters:
  ///   - core: The library to keep up to date.
  ///   - watchLimit: The most folders to watch.
  ///   - rescanInterval: Where watches don't suffice, seconds between two scans of everything.
  init?(core: LibraryCore, watchLimit: Int, rescanInterval: Double) {
    guard let watcher = FolderWatcher(limit: watchLimit) else { return nil }
    self.core = core
    roots = core.roots
    self.watcher = watcher
    self.rescanInterval = rescanInterval
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    wake = (ends[0], ends[1])
    let thread = Thread { [self] in
      own.withLock { $0 = pthread_self() }
      run()
      close(wake.read)
      done.signal()
    }
    thread.name = "photo library"
    thread.start()
  }

  /// Ends the thread, after the turn that is under way.
  func stop() {
    let wasStopped = isStopped.withLock { stopped in
      defer { stopped = true }
      return stopped
    }
    guard !wasStopped else { return }
    close(wake.write)
    // The thread itself may be the last to use the library.
    if own.withLock({ $0 }) != pthread_self() { done.wait() }
  }

  private var stops: Bool { isStopped.withLock { $0 } }

  private func run() {
    var scope = ScanScope(isEverything: true, finished: [])
    while !stops {
      let again = update(scope)
      if failures > 0 {
        waitForEnd(Self.pause(after: failures))
        scope = ScanScope(isEverything: true, finished: watcher.takeChanges().finished)
        continue
      }
      scope = watcher.takeChanges()
      if scope.isEmpty { scope = waitForChanges(again) }
      scope.add(again)
    }
  }

  /// Scans, and watches the folders that there are then.
  ///
  /// Returns what to scan again: folders in which files are still being written, and those that weren't watched while
  /// they were scanned.
  private func update(_ scope: ScanScope) -> ScanScope {
    guard let core else {
      // It is about to be stopped.
      waitForEnd(Self.pause(after: 1))
      return ScanScope()
    }
    if scope.isEverything { _ = watch(core) }
    do throws(PhotoLibraryError) {
      let report = try core.scan(
        foreign(scope), meanwhile: { foreign(watcher.takeChanges()) },
        isCancelled: { [weak self] in self?.stops ?? true })
      failures = 0
      // What other processes wrote, and that another index took the place of this one.
      core.writer.tell()
      return .folders(watch(core).union(report.unsettled))
    } catch {
      failures += 1
      return ScanScope()
    }
  }

  /// Without the library's own folders.
  private func foreign(_ scope: ScanScope) -> ScanScope {
    var scope = scope
    scope.folders.subtract(roots.flatMap(AlbumStore.folders))
    return scope
  }

  /// Watches all folders that the index knows, and those of the albums.
  private func watch(_ core: LibraryCore) -> Set<FilePath> {
    let present = rootsNow
    if present != rootStatus { watcher.forget() }
    rootStatus = present
    let known = try? core.index.readNow { db in
      try Data.fetchAll(db, sql: "SELECT path FROM folder").map { FilePath(data: $0) }
    }
    // The roots first: they tell when a folder comes.
    watched = Set(known ?? []).union(roots).union(roots.flatMap(AlbumStore.folders))
    return watcher.watch(watched)
  }

  /// Waits until something has changed and things have settled.
  ///
  /// Where some folders are to be scanned again, it waits only for files to become whole.
  private func waitForChanges(_ again: ScanScope) -> ScanScope {
    var left = watcher.isIncomplete ? min(rescanInterval * 1000, 86_400_000) : .infinity
    let interval = again.isEmpty ? Self.rootInterval : Double(Scanner.settlingTime / 1_000_000)
    while !wait(Int32(min(left, interval))) {
      if !again.isEmpty { return ScanScope(finished: []) }
      left -= interval
      let isReplaced = core?.index.isReplaced ?? true
      if left <= 0 || rootsNow != rootStatus || isReplaced { return .everything }
    }
    let deadline = Int64.now + Self.patience * 1_000_000
    var changes = ScanScope(finished: [])
    repeat {
      if hasOtherDisks {
        // Folders of the same names lie on another disk now.
        rootStatus = []
        return .everything
      }
      changes.add(watcher.takeChanges())
    } while !stops && Int64.now < deadline && wait(Self.quiet)
    return changes
  }

  private var rootsNow: [FileIdentity?] {
    roots.map { root in
      FileStatus(of: root).flatMap { $0.kind == .folder ? FileIdentity($0) : nil }
    }
  }

  /// Whether a disk came or went at a folder of the library, or around one.
  private var hasOtherDisks: Bool {
    guard mountsChanged else { return false }
    mountsChanged = false
    return mounts.takeChanges().contains { point in
      roots.contains { point.isInside($0) } || watched.contains { $0.isInside(point) }
    }
  }

  /// Whether something happened in time.
  private func wait(_ milliseconds: Int32) -> Bool {
    var descriptors = [
      pollfd(fd: watcher.fileDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0),
      pollfd(fd: mounts.fileDescriptor, events: Int16(POLLPRI), revents: 0),
    ]
    let count = unsafe poll(&descriptors, nfds_t(descriptors.count), milliseconds)
    if count > 0, descriptors[2].revents != 0 { mountsChanged = true }
    return count > 0
  }

  private func waitForEnd(_ milliseconds: Int32) {
    var descriptor = pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&descriptor, 1, milliseconds)
  }
}

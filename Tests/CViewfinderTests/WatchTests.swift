import CViewfinder
import Foundation
import Testing

@Suite("Watching for devices") struct WatchTests {
  /// What a folder of nodes can go through.
  enum Event: CaseIterable, CustomTestStringConvertible {
    case appears, vanishes, changesItsPermissions, getsALink

    var testDescription: String { "a node \(self)" }
  }

  @Test("A change is noticed", arguments: Event.allCases, [true, false])
  func changes(event: Event, isNotified: Bool) throws {
    let tree = try WatchedTree()
    try tree.make("dev/video0")
    // Without inotify only the nodes themselves are looked at.
    if !isNotified, event == .getsALink { return }
    let watch = try isNotified ? tree.watch() : tree.withoutNotifier { try tree.watch() }
    #expect(watch.isNotified == isNotified)
    #expect(watch.wait(0) == 0, "Nothing has happened yet.")
    switch event {
    case .appears: try tree.make("dev/video1")
    case .vanishes: try FileManager.default.removeItem(at: tree.url("dev/video0"))
    case .changesItsPermissions: chmod(tree.url("dev/video0").path, 0o640)
    case .getsALink: try tree.make("dev/v4l/by-path/pci-video-index0")
    }
    #expect(watch.wait(10000) == 1)
  }

  @Test("Links in folders that come to be later are noticed")
  func laterFolders() throws {
    let tree = try WatchedTree()
    let watch = try tree.watch()
    try tree.make("dev/v4l/by-id/usb-Cam-video-index0")
    while watch.wait(200) == 1 {}
    try tree.make("dev/v4l/by-id/usb-Other-video-index0")
    #expect(watch.wait(10000) == 1)
  }

  @Test("Other nodes of the machine don't count")
  func others() throws {
    let tree = try WatchedTree()
    let watch = try tree.watch()
    try tree.make("dev/ttyUSB0")
    #expect(watch.wait(100) == 0)
  }

  @Test("An interruption ends a wait, once")
  func interruption() throws {
    let tree = try WatchedTree()
    let watch = try tree.watch()
    watch.interrupt()
    #expect(watch.wait(-1) == 0)
    try tree.make("dev/video3")
    #expect(watch.wait(-1) == 1)
  }
}

/// A folder with a "dev" in it.
private struct WatchedTree: ~Copyable {
  let root: URL

  init() throws {
    root = FileManager.default.temporaryDirectory.appendingPathComponent(
      "viewfinder-watch-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url("dev"), withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  func url(_ path: String) -> URL { root.appendingPathComponent(path) }

  func make(_ path: String) throws {
    let url = url(path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data().write(to: url)
  }

  func watch() throws -> Watch { try Watch(root.path) }

  /// Runs `body` with a "dev" that inotify can't watch, because it isn't there yet.
  func withoutNotifier(_ body: () throws -> Watch) throws -> Watch {
    let aside = url("aside")
    try FileManager.default.moveItem(at: url("dev"), to: aside)
    let watch = try body()
    try FileManager.default.moveItem(at: aside, to: url("dev"))
    // The look that finds the folder back is no part of the test.
    _ = watch.wait(3000)
    return watch
  }
}

private final class Watch {
  private let handle: OpaquePointer

  init(_ root: String) throws {
    var failure = vf_failure()
    guard let handle = vf_watch_open(root, &failure) else { throw Failed(failure) }
    self.handle = handle
  }

  deinit { vf_watch_close(handle) }

  // The optimizer may let go of an object before the last call with its handle is over.

  func wait(_ milliseconds: Int32) -> Int32 {
    withExtendedLifetime(self) { vf_watch_wait(handle, milliseconds) }
  }

  func interrupt() { withExtendedLifetime(self) { vf_watch_interrupt(handle) } }

  var isNotified: Bool { withExtendedLifetime(self) { vf_watch_is_notified(handle) == 1 } }
}

import Foundation
import Testing

/// A small disk in memory, which goes with the object.
final class TestDisk: Sendable {
  let folder: URL
  private let scratch: Scratch

  /// Whether this user may mount.
  static let canMount: Bool = {
    guard geteuid() == 0, let disk = try? TestDisk(megabytes: 1) else { return false }
    return FileManager.default.fileExists(atPath: disk.folder.path)
  }()

  init(megabytes: Int) throws {
    scratch = try Scratch()
    folder = scratch.url.appending(component: "disk")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    guard mount("x", folder.path, "tmpfs", 0, "size=\(megabytes)m") == 0 else {
      throw POSIXError(.EPERM)
    }
  }

  deinit {
    let detach: Int32 = 2
    umount2(folder.path, detach)
  }
}

public import Foundation

/// A small disk in memory, which goes with the object.
public final class TestDisk: Sendable {
  /// Where it is mounted.
  public let folder: URL

  /// Whether this user may mount.
  public static let canMount: Bool = {
    guard geteuid() == 0, let disk = try? TestDisk(megabytes: 1) else { return false }
    return FileManager.default.fileExists(atPath: disk.folder.path)
  }()

  /// Mounts a disk; only root may.
  public init(megabytes: Int) throws {
    folder = FileManager.default.temporaryDirectory
      .appending(component: "viewfinder-disk-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    guard mount("x", folder.path, "tmpfs", 0, "size=\(megabytes)m") == 0 else {
      try? FileManager.default.removeItem(at: folder)
      throw POSIXError(.EPERM)
    }
  }

  deinit {
    let detach: Int32 = 2
    umount2(folder.path, detach)
    try? FileManager.default.removeItem(at: folder)
  }

  private var ballast: URL { folder.appending(component: "ballast") }

  /// Takes all the room that is left.
  public func fill() throws {
    let descriptor = open(ballast.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError(.EIO) }
    defer { close(descriptor) }
    let page = [UInt8](repeating: 1, count: 4096)
    while write(descriptor, page, page.count) > 0 {}
  }

  /// Gives the room back.
  public func free() throws { try FileManager.default.removeItem(at: ballast) }
}

import Foundation

/// A folder of a test's own, which goes with the object.
public final class Scratch: Sendable {
  /// Where it is.
  public let url: URL

  /// Makes the folder; `name` says what is in it.
  public init(_ name: String = "scratch") throws {
    url = FileManager.default.temporaryDirectory
      .appending(component: "viewfinder-\(name)-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { Self.remove(url) }

  /// Removes a folder and what is in it.
  ///
  /// A database that closes at this moment takes files away itself, and Foundation stops at the first that isn't there:
  /// so it is tried again.
  public static func remove(_ folder: URL) {
    for _ in 0..<10 {
      try? FileManager.default.removeItem(at: folder)
      guard FileManager.default.fileExists(atPath: folder.path) else { return }
      Thread.sleep(forTimeInterval: 0.05)
    }
  }
}

import Foundation
import ViewfinderLibrary

/// What ends the program, in words.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// A folder on the disk with photos, the index and thumbnails.
struct Workspace {
  let base: URL

  var photos: URL { base.appending(path: "Pictures") }
  var index: URL { base.appending(path: "index") }

  /// A library over the photos; keeps up by itself unless told otherwise.
  func library(watches: Bool = true) async throws -> PhotoLibrary {
    var configuration = PhotoLibrary.Configuration(roots: [photos])
    configuration.indexFolder = index
    configuration.thumbnailFolder = base.appending(path: "thumbnails")
    configuration.watchesFolders = watches
    return try await PhotoLibrary.open(configuration)
  }

  /// A new folder among the temporary files, with `space` bytes free.
  static func temporary(space: Int) throws -> Workspace {
    let parent = FileManager.default.temporaryDirectory
    let free =
      try FileManager.default.attributesOfFileSystem(forPath: parent.path)[.systemFreeSize]
      as? Int ?? .max
    guard free >= space else {
      throw Failure(
        "The photos take up to \(space >> 20) MB in \(parent.path), which has \(free >> 20) MB free: "
          + "let TMPDIR name a folder with more.")
    }
    let base = parent.appending(path: "viewfinder-bench-\(UUID().uuidString)")
    let workspace = Workspace(base: base)
    try FileManager.default.createDirectory(
      at: workspace.photos, withIntermediateDirectories: true)
    return workspace
  }

  /// Deletes it, whoever may be writing to it.
  func remove() {
    while FileManager.default.fileExists(atPath: base.path) {
      try? FileManager.default.removeItem(at: base)
    }
  }

  /// Deletes it, and ends the program, when somebody ends the program.
  ///
  /// To be called before the first thread is made: all must leave the signals to this one.
  func removeWhenInterrupted() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGHUP, SIGINT, SIGTERM] { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    Thread.detachNewThread { [signals] in
      var (signals, signal) = (signals, Int32(0))
      sigwait(&signals, &signal)
      Child.endCurrent()
      remove()
      _exit(128 + signal)
    }
  }
}

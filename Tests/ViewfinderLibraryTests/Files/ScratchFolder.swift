import Foundation
import Viewfinder

@testable import ViewfinderLibrary

/// A folder of a test's own, removed at its end.
final class ScratchFolder: Sendable {
  let path: FilePath

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "viewfinder-library-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = FilePath(url.path)
  }

  deinit {
    // An index that closes at this moment takes files away itself, and Foundation stops at the first that isn't there.
    for _ in 0..<10 where FileManager.default.fileExists(atPath: path.description) {
      guard (try? FileManager.default.removeItem(atPath: path.description)) == nil else { return }
      Thread.sleep(forTimeInterval: 0.05)
    }
  }

  /// The names inside, in order.
  func names(_ folder: String = "") throws -> [FilePath] {
    try path.appending(folder).names().sorted()
  }

  /// Writes a file, with the folders around it.
  @discardableResult func write(_ name: FilePath, _ text: String = "x") throws -> FilePath {
    let file = path.appending(name)
    try file.folder.makeFolder()
    try FileDraft.replace(file, with: Data(text.utf8))
    return file
  }
}

extension FilePath {
  /// The file's text, or `nil` when there is no file.
  var text: String? {
    guard let data = try? FileReader(self).readAll(limit: 1 << 24) else { return nil }
    return String(decoding: data, as: UTF8.self)
  }

  func setMode(_ mode: mode_t) { _ = unsafe withCString { unsafe chmod($0, mode) } }

  func makeLink(to target: String) { _ = unsafe withCString { unsafe symlink(target, $0) } }

  func makePipe() { _ = unsafe withCString { unsafe mkfifo($0, 0o600) } }

  func removeFolder() { _ = unsafe withCString { unsafe rmdir($0) } }

  func setModified(_ seconds: Int, nanoseconds: Int) {
    let time = timespec(tv_sec: seconds, tv_nsec: nanoseconds)
    _ = unsafe withCString { unsafe utimensat(AT_FDCWD, $0, [time, time], 0) }
  }

  var exists: Bool { FileStatus(of: self, followsLinks: false) != nil }

  /// Names that programs stumble over.
  static let hostileNames: [FilePath] = [
    "a b.jpg", "a\nb.jpg", "😀.jpg", "%41.jpg", "=[x].jpg", "-rf", ".hidden", "ends.",
    FilePath(bytes: [0xff, 0xfe, 0x2e, 0x6a, 0x70, 0x67]), FilePath(bytes: [0x01, 0x7f, 0x80]),
    FilePath(bytes: Array(repeating: 0x61, count: 255)),
  ]
}

/// Runs `body` on as many threads of their own: Swift's shared ones are only as many as processors.
func onThreads<T: Sendable>(
  _ count: Int, _ body: @escaping @Sendable (Int) throws -> T
) async throws -> [T] {
  try await withThrowingTaskGroup(of: T.self) { group in
    for number in 0..<count {
      group.addTask {
        try await withCheckedThrowingContinuation { continuation in
          Thread.detachNewThread { continuation.resume(with: Result { try body(number) }) }
        }
      }
    }
    return try await group.reduce(into: []) { $0.append($1) }
  }
}

extension ContentType {
  static let testJPEG = ContentType(mimeType: "image/jpeg", kind: .image, pathExtension: "jpg")
  static let testPNG = ContentType(mimeType: "image/png", kind: .image, pathExtension: "png")
  static let testRaw = ContentType(
    mimeType: "image/x-adobe-dng", kind: .rawImage, pathExtension: "dng")
}

/// File systems of a test's own, for processes of their own (exit tests): nobody else sees them, and
/// they go with the process.
enum TestDisk {
  /// Whether this user may mount, without being root by way of a namespace.
  static let canMount: Bool = {
    guard geteuid() == 0 else { return false }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["unshare", "--mount", "mount", "-t", "tmpfs", "x", "/mnt"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  /// Makes a mounted disk one that may only be read.
  static func makeReadOnly(_ folder: FilePath) throws {
    let flags = UInt(MS_REMOUNT | MS_RDONLY)
    guard unsafe Glibc.mount("x", folder.description, "tmpfs", flags, nil) == 0 else {
      throw Failure(code: errno)
    }
  }

  /// Mounts a disk for this thread alone.
  static func mount(_ options: String, at folder: FilePath) throws {
    // Swift doesn't import it.
    typealias Unshare = @convention(c) (Int32) -> Int32
    guard let symbol = unsafe dlsym(nil, "unshare") else { throw Failure(code: ENOSYS) }
    let unshare = unsafe unsafeBitCast(symbol, to: Unshare.self)
    let newMounts: Int32 = 0x20000
    guard unshare(newMounts) == 0 else { throw Failure(code: errno) }
    // Nothing of it reaches the other mounts.
    guard
      unsafe Glibc.mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0
    else { throw Failure(code: errno) }
    try folder.makeFolder()
    guard unsafe Glibc.mount("x", folder.description, "tmpfs", 0, options) == 0 else {
      throw Failure(code: errno)
    }
  }

  struct Failure: Error { let code: Int32 }
}

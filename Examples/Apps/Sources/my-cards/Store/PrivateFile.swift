import Foundation

/// Files that nobody else may read.
package enum PrivateFile {
  /// Makes an empty file where there is none.
  static func make(_ file: URL) throws {
    let descriptor = open(file.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError.current }
    close(descriptor)
  }

  /// Puts a file in the place of another, or of none: an end at any moment leaves one of them whole.
  package static func replace(_ file: URL, with data: Data) throws {
    let folder = file.deletingLastPathComponent()
    let part = folder.appending(component: ".\(UUID().uuidString).part")
    try CardStoreError.files(folder) {
      defer { unlink(part.path) }
      try write(data, to: part)
      guard rename(part.path, file.path) == 0 else { throw POSIXError.current }
      try sync(folder)
    }
  }

  /// Removes a file, if it is there.
  package static func remove(_ file: URL) throws {
    try CardStoreError.files(file.deletingLastPathComponent()) {
      guard unlink(file.path) == 0 || errno == ENOENT else { throw POSIXError.current }
    }
  }

  /// Makes a file and brings it to the disk.
  private static func write(_ data: Data, to file: URL) throws {
    let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError.current }
    defer { close(descriptor) }
    try data.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let next = UnsafeRawBufferPointer(rebasing: rest)
        let count = Foundation.write(descriptor, next.baseAddress, next.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw POSIXError.current }
        rest = rest.dropFirst(count)
      }
    }
    guard fsync(descriptor) == 0 else { throw POSIXError.current }
  }

  /// Brings a folder's names to the disk.
  private static func sync(_ folder: URL) throws {
    let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw POSIXError.current }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw POSIXError.current }
  }
}

extension POSIXError {
  /// What went wrong last.
  static var current: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

extension CardStoreError {
  /// Does something with files; what goes wrong is told in the store's words.
  static func files<T>(_ folder: URL, _ body: () throws -> T) throws -> T {
    do { return try body() } catch { throw ofFiles(error, folder) }
  }

  /// What went wrong with files, in the store's words.
  static func ofFiles(_ error: any Error, _ folder: URL) -> CardStoreError {
    if let error = error as? CardStoreError { return error }
    let cocoa = error as? CocoaError
    let code = (error as? POSIXError ?? cocoa?.underlying as? POSIXError)?.code
    if code == .ENOSPC || code == .EDQUOT || cocoa?.code == .fileWriteOutOfSpace {
      return .diskFull
    }
    let words = code.map { String(cString: strerror($0.rawValue)) }
    return .unusable(path: folder.path, reason: words ?? "it can't be read or written")
  }
}

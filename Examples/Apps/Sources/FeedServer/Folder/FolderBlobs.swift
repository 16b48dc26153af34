import Checksums
import Foundation
import NIOCore
import NIOPosix
import WebServing

/// The store of one process: files in a folder, for this user alone.
struct FolderBlobs: BlobStore {
  private let folder: URL
  private var uploads: URL { folder.appending(component: "uploads") }

  /// Keeps files in a folder.
  init(in folder: URL) throws {
    self.folder = folder
    try FileManager.default.createDirectory(at: uploads, withIntermediateDirectories: true)
  }

  /// Does what waits for the disk, where nobody else waits for it.
  private func onDisk<T: Sendable>(_ body: @Sendable @escaping () throws -> T) async throws -> T {
    do { return try await NIOThreadPool.singleton.runIfActive(body) } catch let error as POSIXError
    {
      throw error.code == .ENOSPC || error.code == .EDQUOT
        ? WebError.diskFull
        : WebError(
          .serviceUnavailable,
          "The server's files have a problem (\(String(cString: strerror(error.code.rawValue)))).")
    }
  }

  // MARK: Uploads

  func begin() async throws -> String {
    let upload = UUID().uuidString.lowercased()
    let file = file(upload: upload)
    try await onDisk { try OpenFile(file, O_WRONLY | O_CREAT | O_EXCL).close() }
    return upload
  }

  func received(_ upload: String) async throws -> Int? {
    try await size(of: file(upload: upload))
  }

  func append<Bytes: AsyncSequence & Sendable>(
    _ bytes: Bytes, to upload: String, at offset: Int, limit: Int
  ) async throws -> Received where Bytes.Element == ByteBuffer {
    let path = self.file(upload: upload)
    let file = try await onDisk {
      let file = try OpenFile(path, O_WRONLY | O_APPEND)
      guard file.lock(), (try? file.size) == offset else {
        file.close()
        throw UploadConflict()
      }
      return file
    }
    defer { file.close() }
    var (count, hash) = (offset, SHA256())
    for try await chunk in bytes {
      count += chunk.readableBytes
      guard count <= limit else {
        throw WebError(.contentTooLarge, "That is more than \(limit) bytes, the most for one.")
      }
      try await onDisk { try chunk.withUnsafeReadableBytes { try file.write($0) } }
      if offset == 0 { chunk.withUnsafeReadableBytes { hash.update($0) } }
    }
    return Received(count: count, digest: offset == 0 ? hash.digest() : nil)
  }

  func digest(_ upload: String) async throws -> [UInt8] {
    let path = file(upload: upload)
    return try await onDisk {
      let file = try OpenFile(path, O_RDONLY)
      defer { file.close() }
      var (hash, offset) = (SHA256(), 0)
      while case let data = try file.read(offset..<offset + (1 << 20)), !data.isEmpty {
        data.withUnsafeBytes { hash.update($0) }
        offset += data.count
      }
      return hash.digest()
    }
  }

  func read(upload: String, _ range: Range<Int>) async throws -> Data {
    try await read(file(upload: upload), range)
  }

  func place(for upload: String) -> String { "blobs/\(upload.prefix(2))/\(upload)" }

  func finish(_ upload: String) async throws {
    let (from, to) = (file(upload: upload), folder.appending(path: place(for: upload)))
    try await onDisk {
      let file = try OpenFile(from, O_RDONLY)
      defer { file.close() }
      try file.sync()
      let shelf = to.deletingLastPathComponent()
      try FileManager.default.createDirectory(at: shelf, withIntermediateDirectories: true)
      guard rename(from.path, to.path) == 0 else { throw POSIXError.current }
      for folder in [shelf, shelf.deletingLastPathComponent()] {
        let folder = try OpenFile(folder, O_RDONLY | O_DIRECTORY)
        defer { folder.close() }
        try folder.sync()
      }
    }
  }

  func discard(_ upload: String) async throws { try await delete(file(upload: upload)) }

  private func file(upload: String) -> URL { uploads.appending(component: upload) }

  // MARK: Files

  func size(_ place: String) async throws -> Int? {
    try await size(of: folder.appending(path: place))
  }

  func read(_ place: String, _ range: Range<Int>) async throws -> Data {
    try await read(folder.appending(path: place), range)
  }

  func delete(_ place: String) async throws {
    try await delete(folder.appending(path: place))
  }

  func sweep(olderThan time: Date) async throws {
    let uploads = uploads
    try await onDisk {
      let files = try FileManager.default.contentsOfDirectory(
        at: uploads, includingPropertiesForKeys: [.contentModificationDateKey])
      for file in files {
        let values = try? file.resourceValues(forKeys: [.contentModificationDateKey])
        if let changed = values?.contentModificationDate, changed < time {
          try? FileManager.default.removeItem(at: file)
        }
      }
    }
  }

  private func size(of url: URL) async throws -> Int? {
    try await onDisk {
      do {
        let file = try OpenFile(url, O_RDONLY)
        defer { file.close() }
        return try file.size
      } catch let error as POSIXError {
        guard error.code == .ENOENT else { throw error }
        return nil
      }
    }
  }

  private func read(_ url: URL, _ range: Range<Int>) async throws -> Data {
    try await onDisk {
      let file = try OpenFile(url, O_RDONLY)
      defer { file.close() }
      return try file.read(range)
    }
  }

  private func delete(_ url: URL) async throws {
    try await onDisk {
      guard unlink(url.path) == 0 || errno == ENOENT else { throw POSIXError.current }
    }
  }
}

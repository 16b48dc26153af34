import Checksums
import Foundation
import NIOCore

/// Brings files of one store into another, and looks at each byte on the way.
struct FileCopy {
  let source: any BlobStore
  let target: any BlobStore

  /// What became of files.
  struct Result: Sendable {
    /// Where each is from now on, by where it was.
    var places: [String: String] = [:]
    /// Where files should be that are missing or damaged.
    var lost: Set<String> = []
  }

  /// A file, and what it is called.
  struct File: Sendable {
    var name: String
    var size: Int
    var place: String
  }

  /// Copies files.
  ///
  /// - Parameters:
  ///   - files: The files.
  ///   - progress: Hears how many are done.
  /// - Returns: Where they are, and which are lost.
  /// - Throws: What stores throw.
  func run(_ files: [File], progress: (Int) -> Void) async throws -> Result {
    var result = Result()
    for (index, file) in files.enumerated() {
      if let place = try await copy(file) {
        result.places[file.place] = place
      } else {
        result.lost.insert(file.place)
      }
      progress(index + 1)
    }
    return result
  }

  /// Copies a file; `nil` for one that isn't what it is called by.
  private func copy(_ file: File) async throws -> String? {
    guard try await source.size(file.place) == file.size else { return nil }
    let upload = try await target.begin()
    let received = try await target.append(
      Parts(store: source, file: file), to: upload, at: 0, limit: file.size)
    guard let digest = received.digest, BlobName(digest: digest).text == file.name else {
      try await target.discard(upload)
      return nil
    }
    try await target.finish(upload)
    return target.place(for: upload)
  }

  /// A file's bytes, read as they are wanted.
  private struct Parts: AsyncSequence, Sendable {
    let store: any BlobStore
    let file: File

    struct Iterator: AsyncIteratorProtocol {
      let parts: Parts
      var offset = 0

      mutating func next() async throws -> ByteBuffer? {
        let end = Swift.min(offset + (1 << 20), parts.file.size)
        let data = try await parts.store.read(parts.file.place, offset..<end)
        offset += data.count
        return data.isEmpty ? nil : ByteBuffer(bytes: data)
      }
    }

    func makeAsyncIterator() -> Iterator { Iterator(parts: self) }
  }
}

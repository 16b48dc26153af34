import Foundation
import NIOCore

/// Keeps files.
///
/// Which of them count, and whose they are, is the ``RecordEngine``'s to know.
protocol BlobStore: Sendable {
  /// Begins an upload.
  ///
  /// - Returns: A name for it that is never used again.
  func begin() async throws -> String

  /// How many bytes of an upload are here; `nil` where there is none.
  func received(_ upload: String) async throws -> Int?

  /// Adds bytes to an upload; those that came before an error stay.
  ///
  /// - Parameters:
  ///   - bytes: What comes.
  ///   - upload: The upload.
  ///   - offset: How many bytes it must have.
  ///   - limit: How many bytes it may have in all.
  /// - Returns: How many it has, and the SHA-256 of all if it was computed by the way.
  /// - Throws: ``UploadConflict`` where it has another count or another request is at it; 413 beyond the limit.
  func append<Bytes: AsyncSequence & Sendable>(
    _ bytes: Bytes, to upload: String, at offset: Int, limit: Int
  ) async throws -> Received where Bytes.Element == ByteBuffer

  /// The SHA-256 of an upload.
  func digest(_ upload: String) async throws -> [UInt8]

  /// Some of an upload's bytes.
  func read(upload: String, _ range: Range<Int>) async throws -> Data

  /// Where the file of an upload will be.
  func place(for upload: String) -> String

  /// Puts an upload's file at its place, on the disk to stay.
  func finish(_ upload: String) async throws

  /// Forgets an upload and what it has.
  func discard(_ upload: String) async throws

  /// The size of the file at a place; `nil` where there is none.
  func size(_ place: String) async throws -> Int?

  /// Some of a file's bytes.
  func read(_ place: String, _ range: Range<Int>) async throws -> Data

  /// Deletes the file at a place, if there is one.
  func delete(_ place: String) async throws

  /// Discards uploads of which no engine knows, such as those of requests that were cut off.
  func sweep(olderThan time: Date) async throws
}

/// What an upload has after a request.
struct Received: Sendable {
  /// In bytes.
  var count: Int
  /// The SHA-256 of all, if it was computed by the way.
  var digest: [UInt8]?
}

/// The upload has another count of bytes, or another request is at it.
struct UploadConflict: Error {}

import Checksums
import FeedClient
import Foundation

/// Where records come from.
public protocol FeedSource: Sendable {
  /// Where that is, for the person and to remember what was had from there; without secrets.
  var address: String { get }

  /// Whose records they are; `nil` where the place doesn't tell.
  func accountIfTold() async throws -> FeedClient.Account?

  /// The versions that came after a cursor, one of each record and the newest; all with `nil`.
  ///
  /// - Parameter cursor: What an earlier page ended with.
  /// - Returns: A page of versions.
  /// - Throws: ``FeedError``; `cursorUnknown` where the cursor is of another time or place.
  func changes(since cursor: String?) async throws -> FeedClient.Page

  /// A blob's bytes, which the caller checks; `nil` when it isn't there.
  func blob(_ name: BlobName) async throws -> Data?
}

/// Where records go.
public protocol FeedTarget: Sendable {
  /// Writes a record if what is there is what the writer knows.
  ///
  /// - Parameters:
  ///   - json: The version to write.
  ///   - id: The record.
  ///   - etag: The version that it replaces; `nil` where nothing may be there.
  /// - Returns: Whether it was written.
  /// - Throws: ``FeedError``.
  func put(_ json: Data, id: UUID, replacing etag: String?) async throws -> FeedClient.Write

  /// Whether a blob is there.
  func hasBlob(_ name: BlobName) async throws -> Bool

  /// Writes a blob; once more is the same.
  func putBlob(_ data: Data, as name: BlobName, type: String) async throws

  /// Says what this device calls itself in records, where the place has a word for that.
  func introduce(as device: String) async throws
}

extension FeedClient: FeedSource, FeedTarget {
  /// Asks for what came after a cursor.
  public func changes(since cursor: String?) async throws -> Page {
    try await changes(since: cursor, limit: 200)
  }
}

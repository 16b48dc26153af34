import Checksums
import FeedClient
import Foundation
import StrictJSON

/// One version of a record, as a person's devices exchange it.
public protocol FeedRecord: Sendable {
  /// The record's identifier, made by the device on which it was made.
  var id: UUID { get }
  /// Names the edit that made this version, so that its author knows it again.
  var edit: String { get }
  /// By device, the last of its edits that this version knows.
  ///
  /// A device that never heard whether its write arrived sees here whether others went on from it.
  var edits: [String: String] { get }
  /// Whether this is a tombstone; no version after it is alive.
  var isDeleted: Bool { get }
  /// The blobs that it names.
  var blobs: Set<BlobName> { get }
  /// The version as one JSON object; equal versions are equal bytes.
  var data: Data { get }

  /// Takes a version from its JSON object; `nil` where that is none, or has no identifier.
  init?(data: Data)
}

/// A version as a server has it.
public struct FeedVersion<Record: FeedRecord>: Sendable {
  /// What it says.
  public var record: Record
  /// The server's name for it, to be given back with the next write; empty where there are no writes.
  public var etag: String

  /// Creates a version.
  public init(record: Record, etag: String) { (self.record, self.etag) = (record, etag) }

  /// Reads what a server sends.
  ///
  /// - Parameters:
  ///   - entry: What it sends.
  ///   - address: Where the server is.
  /// - Throws: ``UnreadableRecord`` for one that breaks the protocol's rule for JSON and must keep no other away;
  ///   ``FeedError/notUnderstood(address:reason:)`` for what is no record.
  public init(_ entry: FeedClient.Entry, from address: String) throws {
    do { try StrictJSON.check(entry.json) } catch {
      if let id = entry.id { throw UnreadableRecord(id: id, reason: "it isn't \(error)") }
    }
    guard let record = Record(data: entry.json) else {
      throw FeedError.notUnderstood(
        address: address, reason: "one of its records has no identifier")
    }
    self.init(record: record, etag: entry.etag)
  }
}

/// A version of a record that breaks the protocol's rule for JSON.
public struct UnreadableRecord: Error, Hashable, Sendable {
  /// Which record it is.
  public var id: UUID
  /// Why it can't be read, without anything of its content.
  public var reason: String
}

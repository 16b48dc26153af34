import Checksums
import Foundation
import GRDB

/// Where a device keeps the records of a feed.
///
/// A store's database has the tables of ``FeedTables`` beside a table `record (id, edit, json, isDeleted)`, so that an
/// edit and its place in the queue are one transaction. What becomes of two versions is the store's own policy.
public protocol FeedStore: Sendable {
  /// What it keeps.
  associatedtype Record: FeedRecord

  /// Names this device among those of the person.
  var device: String { get }
  /// The clock, for what is shown; nothing is decided by it.
  var now: @Sendable () -> Date { get }

  /// Looks into the database.
  func read<T>(_ body: (Database) throws -> T) throws -> T
  /// Changes the database: all of it or nothing.
  func write<T>(_ body: (Database) throws -> T) throws -> T
  /// Tells who watches that records have changed.
  func tell()
  /// One value at once and one after each change, the newest only.
  func changes() -> AsyncStream<Void>

  /// Takes a version that came from elsewhere.
  ///
  /// - Parameters:
  ///   - theirs: The version.
  ///   - base: The newest version that it and the present one come from, as far as is known.
  ///   - db: The database, within a transaction.
  /// - Returns: What is here now; `nil` when the present version comes from theirs.
  /// - Throws: The database's error.
  func take(_ theirs: Record, since base: Record?, _ db: Database) throws -> TakenRecord<Record>?
  /// Notes that a version may be elsewhere from now on.
  func willSend(_ record: Record, _ db: Database) throws

  /// The media type of its blobs.
  var blobType: String { get }
  /// Whether a blob is here, without reading it.
  func hasBlob(_ name: BlobName) -> Bool
  /// A blob's bytes; `nil` when it isn't here, or isn't whole any more.
  func blob(_ name: BlobName) throws -> Data?
  /// Keeps a blob; `false` when it is none that the store takes.
  func addBlob(_ data: Data) throws -> Bool
}

/// What a store made of a version that came.
public struct TakenRecord<Record: FeedRecord>: Sendable {
  /// What is here now.
  public var record: Record
  /// Whether it was changed on both sides.
  public var isMerged: Bool
  /// How many values lost and were kept.
  public var kept: Int

  /// Creates a result; the default is a version that was taken as it came.
  public init(_ record: Record, isMerged: Bool = false, kept: Int = 0) {
    (self.record, self.isMerged, self.kept) = (record, isMerged, kept)
  }
}

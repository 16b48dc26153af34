import Checksums
import Foundation

/// Keeps people, their devices, their records and what is known of their blobs.
///
/// It decides every condition: what the ``BlobStore`` has counts only where the engine knows of it.
protocol RecordEngine: Sendable {
  /// Names this server's data: another one after it was lost.
  var server: UUID { get }

  // MARK: People

  /// Lets a device of a person in, with a token of which only a hash is kept; a device of that name loses its own.
  func addDevice(_ name: String, of person: String, token: Data) async throws
  /// Lets another device of a visitor's in.
  func addDevice(_ name: String, of person: Int64, token: Data) async throws -> Device
  /// Who has the token with a hash; that they were here is noted, and written by ``writeLastUses()``.
  func visitor(token: Data) async throws -> Visitor?
  /// Writes down when devices were here, each once a day at most; gives how many it wrote.
  func writeLastUses() async throws -> Int
  /// A person's devices, by name.
  func devices(of person: Int64) async throws -> [Device]
  /// Notes what a visitor's device calls itself in records; no other device of the person is called so any more.
  func setClient(_ client: String, of visitor: Visitor) async throws
  /// Lets a device of a person in no more; `false` where there is none.
  func removeDevice(_ id: Int64, of person: Int64) async throws -> Bool
  /// How many bytes a person has.
  func bytes(of person: Int64) async throws -> Int
  /// How many records a person has in a feed, without deleted ones.
  func records(of person: Int64, in feed: Feed) async throws -> Int

  // MARK: Records

  /// What has changed since a cursor, each record once and the newest version; all with `nil`.
  ///
  /// - Returns: A page; `nil` where the cursor is of another time or place.
  func changes(of person: Int64, in feed: Feed, since cursor: String?, limit: Int) async throws
    -> RecordPage?
  /// A record.
  func record(_ id: String, of person: Int64, in feed: Feed) async throws -> StoredRecord?
  /// Writes a record if its condition holds.
  func write(
    _ record: SentRecord, of person: Int64, in feed: Feed, if condition: WriteCondition,
    limits: Limits
  ) async throws -> WriteResult
  /// Blobs that a feed's records name and that aren't here, 500 at most.
  func missing(of person: Int64, in feed: Feed) async throws -> [BlobName]

  // MARK: Blobs

  /// What is known of a blob.
  func blob(_ key: BlobKey) async throws -> Blob?
  /// Notes a place whose file is to be deleted if no blob comes to be there.
  func reserve(_ place: String) async throws
  /// Counts a blob as the person's; where one was there already, its place is to be deleted.
  func addBlob(_ blob: Blob, _ key: BlobKey, limits: Limits) async throws
  /// The upload of a blob that has begun.
  func upload(_ key: BlobKey) async throws -> String?
  /// Notes the upload of a blob; `nil` that there is none any more.
  func setUpload(_ upload: String?, _ key: BlobKey) async throws

  // MARK: Time

  /// Forgets what was kept for long enough.
  ///
  /// - Returns: Places whose files are to be deleted, and uploads that are to be discarded.
  func sweep(at time: Date, limits: Limits) async throws -> Rubbish
  /// Notes that the files of places are deleted.
  func forget(places: [String]) async throws
}

/// What has changed.
struct RecordPage: Sendable {
  /// The records.
  var records: [StoredRecord] = []
  /// Where the next page begins.
  var cursor: String
  /// Whether there is more.
  var hasMore = false
}

/// A version of a record.
struct StoredRecord: Hashable, Sendable {
  /// Its ETag without quotes; no other version ever had it.
  var tag: String
  /// When it was written, in seconds since 1970.
  var changed: Int
  /// The record as it was sent.
  var json: Data
}

/// What became of a write.
enum WriteResult: Sendable {
  /// It was written; some of the blobs that it names may be missing.
  case stored(tag: String, isNew: Bool, missing: [BlobName])
  /// Something else is there, or nothing.
  case conflict(StoredRecord?)
}

/// What a sweep found.
struct Rubbish: Sendable {
  /// Places of files that are nobody's.
  var places: [String] = []
  /// Uploads that nobody went on with.
  var uploads: [String] = []
}

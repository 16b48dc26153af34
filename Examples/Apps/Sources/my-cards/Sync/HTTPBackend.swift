import CardModel
import CardStore
import FeedClient
import Foundation
import StrictJSON

/// A backend that speaks the protocol of `feed-server`, or one with other names for what a card has.
public struct HTTPBackend: CardDownload, CardUpload {
  private let client: FeedClient
  private let format: any CardFormat

  /// Where the backend is.
  public var address: String { client.address }

  /// Creates a backend.
  ///
  /// - Parameters:
  ///   - url: Where it is; paths such as `v1/records` are added.
  ///   - token: What the backend knows the person by.
  ///   - format: How its JSON describes a record.
  ///   - limits: How long and how large its answers may be.
  public init(
    url: URL, token: String, format: any CardFormat = StandardFormat(),
    limits: HTTPLimits = HTTPLimits()
  ) {
    client = FeedClient(url: url, token: token, feed: nil, limits: limits)
    self.format = format
  }

  /// Asks whose cards they are.
  public func account() async throws -> FeedClient.Account? { try await client.accountIfTold() }

  /// Asks for what came after a cursor.
  public func changes(since cursor: String?) async throws -> CardChanges {
    let page = try await client.changes(since: cursor)
    var changes = CardChanges(versions: [], cursor: page.cursor, hasMore: page.hasMore)
    for entry in page.entries {
      switch try version(entry) {
      case .success(let version): changes.versions.append(version)
      case .failure(let unreadable): changes.unreadable.append(unreadable)
      }
    }
    return changes
  }

  /// Reads a record; one that breaks the protocol's rule keeps no other away.
  private func version(_ entry: FeedClient.Entry) throws -> Result<CardVersion, UnreadableRecord> {
    do {
      try StrictJSON.check(entry.json)
      if let record = format.record(from: try JSONValue(parsing: entry.json)) {
        return .success(CardVersion(record: record, etag: entry.etag))
      }
    } catch {
      if let id = entry.id {
        return .failure(UnreadableRecord(id: id, reason: "it isn't \(error)"))
      }
    }
    throw FeedError.notUnderstood(
      address: address, reason: "one of its records has no identifier")
  }

  /// Asks for a picture.
  public func picture(_ hash: PictureHash) async throws -> Data? { try await client.blob(hash) }

  /// Writes a record with `If-Match`, or with `If-None-Match: *` where it is new.
  public func put(_ record: CardRecord, replacing etag: String?) async throws -> CardWrite {
    switch try await client.put(
      format.json(from: record).data, id: record.id, replacing: etag)
    {
    case .stored(let etag, let missing): .stored(etag: etag, missing: missing)
    case .conflict(let entry): .conflict(try? entry.map { try version($0).get() })
    }
  }

  /// Asks whether a picture is there.
  public func hasPicture(_ hash: PictureHash) async throws -> Bool {
    try await client.hasBlob(hash)
  }

  /// Writes a picture.
  public func putPicture(_ jpeg: Data, as hash: PictureHash) async throws {
    try await client.putBlob(jpeg, as: hash, type: "image/jpeg")
  }
}

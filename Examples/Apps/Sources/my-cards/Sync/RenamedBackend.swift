import CardModel
import FeedClient
import FeedSync
import Foundation

/// A backend that speaks the protocol of `feed-server` and calls members of a card otherwise.
public struct RenamedBackend: FeedSource, FeedTarget {
  private let client: FeedClient
  private let names: MemberNames

  /// Creates a backend.
  ///
  /// - Parameters:
  ///   - client: Where it is.
  ///   - names: What it calls members.
  public init(_ client: FeedClient, names: MemberNames) {
    (self.client, self.names) = (client, names)
  }

  /// Where it is.
  public var address: String { client.address }

  /// Asks whose cards they are.
  public func accountIfTold() async throws -> FeedClient.Account? {
    try await client.accountIfTold()
  }

  /// Asks for what came after a cursor.
  public func changes(since cursor: String?) async throws -> FeedClient.Page {
    var page = try await client.changes(since: cursor)
    page.entries = page.entries.map(renamed)
    return page
  }

  /// Writes a record.
  public func put(
    _ json: Data, id: UUID, replacing etag: String?
  ) async throws -> FeedClient.Write {
    let record = names.theirs(try JSONValue(parsing: json)).data
    switch try await client.put(record, id: id, replacing: etag) {
    case .stored(let etag, let missing): return .stored(etag: etag, missing: missing)
    case .conflict(let entry): return .conflict(entry.map(renamed))
    }
  }

  /// Asks for a picture.
  public func blob(_ name: PictureHash) async throws -> Data? { try await client.blob(name) }

  /// Asks whether a picture is there.
  public func hasBlob(_ name: PictureHash) async throws -> Bool { try await client.hasBlob(name) }

  /// Writes a picture.
  public func putBlob(_ data: Data, as name: PictureHash, type: String) async throws {
    try await client.putBlob(data, as: name, type: type)
  }

  /// Says what this device calls itself in records.
  public func introduce(as device: String) async throws { try await client.introduce(as: device) }

  /// An entry that isn't JSON stays as it is: whoever reads it says so.
  private func renamed(_ entry: FeedClient.Entry) -> FeedClient.Entry {
    var entry = entry
    if let json = try? JSONValue(parsing: entry.json) { entry.json = names.ours(json).data }
    return entry
  }
}

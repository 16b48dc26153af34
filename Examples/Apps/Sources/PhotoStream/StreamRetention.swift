import FeedClient
import Foundation

/// How long a stream has its photos: one that is beyond a bound leaves it.
///
/// It is the same for all devices of a person: a record of the feed beside those of the photos. The devices take out what is
/// beyond, by the server's clock. Programs of before don't know the record, and keep to ``standard``.
public struct StreamRetention: Codable, Hashable, Sendable {
  /// For how many days it has a photo; `nil` without such a bound.
  public var days: Int?
  /// How many photos it has, the newest; `nil` without such a bound.
  public var photos: Int?

  /// Creates a retention; the default has no bounds: the stream has its photos for as long as its server has room.
  public init(days: Int? = nil, photos: Int? = nil) { (self.days, self.photos) = (days, photos) }

  /// What holds until somebody chooses: 30 days, and 1,000 photos.
  public static let standard = StreamRetention(days: 30, photos: 1000)

  /// The bounds that can be chosen.
  public static let possibleDays = 1...36_500, possiblePhotos = 1...1_000_000

  /// Whether its bounds can be chosen.
  public var isPossible: Bool {
    days.map { Self.possibleDays.contains($0) } ?? true
      && photos.map { Self.possiblePhotos.contains($0) } ?? true
  }
}

/// The record that says how long a stream has its photos.
private struct RetentionRecord: Codable {
  /// The record's identifier, a UUID of version 8 (RFC 9562) that no photo has: its end says “keep”.
  static let id = UUID(uuidString: "00000000-0000-8000-8000-00006b656570")!

  var id = Self.id.uuidString.lowercased()
  var blobs: [String] = []
  var keep: StreamRetention
}

extension StreamSettings {
  var client: FeedClient { FeedClient(url: url, token: token, feed: "photos") }

  /// Asks the server how long the stream has its photos.
  ///
  /// - Returns: What was chosen on one of the person's devices; ``StreamRetention/standard`` where nobody chose.
  /// - Throws: ``FeedError``.
  public func retention() async throws -> StreamRetention { try await Self.kept(client).retention }

  /// Chooses how long the stream has its photos, for all devices.
  ///
  /// - Parameter retention: How long.
  /// - Throws: ``FeedError``.
  public func setRetention(_ retention: StreamRetention) async throws {
    let client = client
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let json = try encoder.encode(RetentionRecord(keep: retention))
    // Another device may be quicker.
    for _ in 0..<8 {
      let (etag, present) = try await Self.kept(client)
      if present == retention, etag != nil { return }
      if case .stored = try await client.put(json, id: RetentionRecord.id, replacing: etag) {
        return
      }
    }
    throw FeedError.notUnderstood(
      address: client.address, reason: "it takes no word of how long photos are kept")
  }

  /// What the server has, and the version of it.
  private static func kept(
    _ client: FeedClient
  ) async throws -> (etag: String?, retention: StreamRetention) {
    guard let entry = try await client.record(RetentionRecord.id) else { return (nil, .standard) }
    // What a newer program wrote and this one can't read takes out nothing.
    let retention = (try? JSONDecoder().decode(RetentionRecord.self, from: entry.json))?.keep
    return (entry.etag, retention.flatMap { $0.isPossible ? $0 : nil } ?? StreamRetention())
  }
}

import CardModel
import CardStore
import FeedClient
import FeedSync
import Foundation
import Synchronization

/// A `cards.json` on any server for files, to be read only.
///
/// It is a list of cards, or an object with a list `cards`. A side's photo is `{"picture": HASH}`, which is beside
/// the file at `pictures/HASH.jpg`, or the address of a JPEG relative to the file. A card that isn't in the list any
/// more stays in the wallet, because half a list must not delete cards; `"deleted": true` deletes one.
public final class StaticBackend: FeedSource {
  /// Where the file is.
  public let address: String
  private let url: URL
  private let names: MemberNames
  private let exchange: HTTPExchange
  /// Pictures that are called otherwise than by their hash.
  private let places = Mutex<[PictureHash: URL]>([:])
  /// Whether the photos of the whole list were looked for.
  private let isListed = Atomic(false)

  /// Creates a backend.
  ///
  /// - Parameters:
  ///   - url: Where the file is.
  ///   - names: What it calls the members of a card otherwise.
  ///   - limits: How long and how large the server's answers may be.
  public init(
    url: URL, names: MemberNames = MemberNames(), limits: HTTPLimits = HTTPLimits()
  ) {
    self.url = url
    self.names = names
    address = HTTPExchange.name(of: url)
    exchange = HTTPExchange(address: address, token: nil, limits: limits)
  }

  /// A file doesn't tell whose it is.
  public func accountIfTold() async throws -> FeedClient.Account? { nil }

  /// Asks for the file if it has changed.
  public func changes(since cursor: String?) async throws -> FeedClient.Page {
    let condition = cursor.flatMap(Self.condition)
    let answer = try await exchange.send(.GET, url, condition ?? [:], limit: exchange.limits.page)
    if answer.status == 304, let cursor {
      return FeedClient.Page(entries: [], cursor: cursor, hasMore: false)
    }
    guard answer.status == 200 else { throw answer.error(from: address) }
    let next = Self.cursor(of: answer)
    if next == cursor { return FeedClient.Page(entries: [], cursor: next, hasMore: false) }
    let json = try answer.json(from: address)
    guard let entries = json.array ?? json.object?["cards"]?.array else {
      throw FeedError.notUnderstood(address: address, reason: "it isn't a list of cards")
    }
    var versions: [FeedClient.Entry] = []
    var isWhole = true
    for (index, entry) in entries.enumerated() {
      guard var record = CardRecord(names.ours(entry)) else {
        throw FeedError.notUnderstood(
          address: address, reason: "entry \(index + 1) of the list has no identifier")
      }
      for side in CardFields.all.filter({ $0.kind == .picture }).map(\.name) {
        guard let file = Self.fileName(record.members[side]) else { continue }
        record.members[side] = nil
        guard let place = place(of: file) else { continue }
        let hash = try await hash(of: place)
        isWhole = isWhole && hash != nil
        record.members[side] = hash.map { CardPicture(picture: $0).json }
      }
      versions.append(FeedClient.Entry(etag: "", changed: nil, json: record.data))
    }
    // With a photo missing it is all asked for again.
    return FeedClient.Page(entries: versions, cursor: isWhole ? next : "", hasMore: false)
  }

  /// The address of a photo that isn't called by its hash.
  private static func fileName(_ value: JSONValue?) -> String? {
    guard let text = value?.text ?? value?.object?["picture"]?.text else { return nil }
    return PictureHash(text) == nil ? text : nil
  }

  /// Where a photo is; `nil` when that isn't on this server.
  private func place(of file: String) -> URL? {
    guard let place = URL(string: file, relativeTo: url)?.absoluteURL, place.host() == url.host(),
      place.port == url.port, place.scheme == url.scheme
    else { return nil }
    return place
  }

  /// Gets a photo to learn its hash; `nil` when it isn't there.
  private func hash(of place: URL) async throws -> PictureHash? {
    guard let data = try await data(at: place) else { return nil }
    let hash = PictureHash(of: data)
    places.withLock { $0[hash] = place }
    return hash
  }

  private func data(at place: URL) async throws -> Data? {
    let answer = try await exchange.send(.GET, place, limit: exchange.limits.picture)
    if answer.status == 404 { return nil }
    guard answer.status == 200 else { throw answer.error(from: address) }
    return answer.body
  }

  /// Asks for a picture.
  public func blob(_ hash: PictureHash) async throws -> Data? {
    let beside = url.deletingLastPathComponent().appending(path: "pictures/\(hash).jpg")
    let known = places.withLock { $0[hash] }
    if let data = try await data(at: known ?? beside) { return data }
    // A wallet that was ended before it had the photos knows their hashes alone.
    guard known == nil, !isListed.exchange(true, ordering: .relaxed) else { return nil }
    _ = try await changes(since: nil)
    guard let place = places.withLock({ $0[hash] }) else { return nil }
    return try await data(at: place)
  }

  private static func cursor(of answer: HTTPAnswer) -> String {
    if let etag = answer.headers.first(name: "ETag") { return "etag \(etag)" }
    if let date = answer.headers.first(name: "Last-Modified") { return "date \(date)" }
    return "content \(PictureHash(of: answer.body))"
  }

  private static func condition(_ cursor: String) -> [String: String]? {
    let parts = cursor.split(separator: " ", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    return switch parts[0] {
    case "etag": ["If-None-Match": parts[1]]
    case "date": ["If-Modified-Since": parts[1]]
    default: nil
    }
  }
}

import CardModel
import CardStore
import Checksums
import Foundation
import StrictJSON

/// A backend that speaks the protocol of `cards-backend`, or one with other names for what a card has.
public struct HTTPBackend: CardDownload, CardUpload {
  /// Where the backend is.
  public let address: String
  private let url: URL
  private let format: any CardFormat
  private let exchange: HTTPExchange

  /// How many records come at once.
  private static let pageSize = 200

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
    self.url = url
    self.format = format
    address = Self.name(of: url)
    exchange = HTTPExchange(address: address, token: token, limits: limits)
  }

  /// An address without user, password and query.
  static func name(of url: URL) -> String {
    var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) ?? URLComponents()
    (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
    return parts.string ?? ""
  }

  /// Asks for what came after a cursor.
  public func changes(since cursor: String?) async throws -> CardChanges {
    var query = [URLQueryItem(name: "limit", value: "\(Self.pageSize)")]
    if let cursor { query.append(URLQueryItem(name: "since", value: cursor)) }
    let place = url.appending(path: "v1/records").appending(queryItems: query)
    let answer = try await exchange.send(.GET, place, limit: exchange.limits.page)
    guard answer.status == 200 else { throw answer.error(from: address) }
    let page = try answer.members(from: address)
    guard let next = page.json("cursor")?.text, let list = page["records"],
      let records = try? StrictJSON.elements(of: list)
    else {
      throw CardSyncError.notUnderstood(address: address, reason: "it sends no list of records")
    }
    var changes = CardChanges(
      versions: [], cursor: next, hasMore: page.json("more")?.bool ?? false)
    for entry in records {
      switch try version(entry) {
      case .success(let version): changes.versions.append(version)
      case .failure(let unreadable): changes.unreadable.append(unreadable)
      }
    }
    return changes
  }

  /// Reads a record with its ETag; one that breaks the protocol's rule keeps no other away.
  private func version(_ entry: Data) throws -> Result<CardVersion, UnreadableRecord> {
    guard let entry = try? StrictJSON.members(of: entry), let json = entry["record"],
      let etag = entry.json("etag")?.text, HTTPAnswer.isStrong(etag)
    else {
      throw CardSyncError.notUnderstood(
        address: address, reason: "one of its records has no strong ETag")
    }
    let name = (try? StrictJSON.members(of: json))?.json("id")?.text.flatMap(UUID.init(uuidString:))
    do {
      try StrictJSON.check(json)
      if let record = format.record(from: try JSONValue(parsing: json)) {
        return .success(CardVersion(record: record, etag: etag))
      }
    } catch {
      if let name {
        return .failure(UnreadableRecord(id: name, reason: "it isn't \(error)"))
      }
    }
    throw CardSyncError.notUnderstood(
      address: address, reason: "one of its records has no identifier")
  }

  /// Asks for a picture.
  public func picture(_ hash: PictureHash) async throws -> Data? {
    let answer = try await exchange.send(.GET, place(of: hash), limit: exchange.limits.picture)
    if answer.status == 404 { return nil }
    guard answer.status == 200 else { throw answer.error(from: address) }
    if answer.isPage { throw CardSyncError.intercepted(address: address) }
    return answer.body
  }

  private func place(of hash: PictureHash) -> URL {
    url.appending(path: "v1/pictures").appending(component: hash.text)
  }

  /// Writes a record with `If-Match`, or with `If-None-Match: *` where it is new.
  public func put(_ record: CardRecord, replacing etag: String?) async throws -> CardWrite {
    let place = url.appending(path: "v1/records")
      .appending(component: record.id.uuidString.lowercased())
    var headers = ["Content-Type": "application/json"]
    if let etag { headers["If-Match"] = etag } else { headers["If-None-Match"] = "*" }
    let body = format.json(from: record).data
    let answer = try await exchange.send(
      .PUT, place, headers, body: body, limit: exchange.limits.page)
    switch answer.status {
    case 200, 201, 204:
      try answer.prove(ReprDigest.field(of: body), from: address)
      return .stored(etag: try answer.etag(from: address))
    case 412: return .conflict(try? version(answer.body).get())
    default: throw answer.error(from: address)
    }
  }

  /// Asks whether a picture is there.
  public func hasPicture(_ hash: PictureHash) async throws -> Bool {
    let answer = try await exchange.send(.HEAD, place(of: hash), limit: exchange.limits.picture)
    if answer.status == 404 { return false }
    guard answer.status == 200 else { throw answer.error(from: address) }
    try answer.prove(ReprDigest.field(hexadecimal: hash.text), from: address)
    return true
  }

  /// Writes a picture.
  public func putPicture(_ jpeg: Data, as hash: PictureHash) async throws {
    let answer = try await exchange.send(
      .PUT, place(of: hash), ["Content-Type": "image/jpeg"], body: jpeg, limit: 1 << 20)
    guard (200..<300).contains(answer.status) else { throw answer.error(from: address) }
    try answer.prove(ReprDigest.field(hexadecimal: hash.text), from: address)
  }
}

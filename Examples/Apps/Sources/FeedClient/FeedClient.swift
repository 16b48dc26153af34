import Checksums
import Foundation
import NIOCore
import StrictJSON

/// Speaks the protocol of `feed-server` for one feed of one person.
public struct FeedClient: Sendable {
  /// Where the server is, without secrets.
  public var address: String { exchange.address }
  let url: URL
  private let records: String
  private let blobs: String
  let exchange: HTTPExchange

  /// Creates a client of a feed.
  ///
  /// - Parameters:
  ///   - url: Where the server is; paths such as `v1/feeds/photos/records` are added.
  ///   - token: What the server knows the person's device by.
  ///   - feed: The feed's name; with `nil` the paths are those of servers that have cards alone.
  ///   - limits: How long and how large the server's answers may be.
  public init(url: URL, token: String, feed: String?, limits: HTTPLimits = HTTPLimits()) {
    self.url = url
    records = feed.map { "v1/feeds/\($0)/records" } ?? "v1/records"
    blobs = feed == nil ? "v1/pictures" : "v1/blobs"
    exchange = HTTPExchange(address: HTTPExchange.name(of: url), token: token, limits: limits)
  }

  // MARK: The person

  /// Whose the data is.
  public struct Account: Codable, Hashable, Sendable {
    /// A person as the server knows them.
    public struct Person: Codable, Hashable, Sendable {
      /// Stays the same.
      public var id: String
      /// For people.
      public var name: String

      /// Creates a person.
      public init(id: String, name: String) { (self.id, self.name) = (id, name) }
    }

    /// Names the server's data.
    public var server: String
    /// The person.
    public var person: Person

    /// Creates an account.
    public init(server: String, person: Person) { (self.server, self.person) = (server, person) }

    /// Names this person's data, wherever the server is.
    public var key: String { "\(server)/\(person.id)" }
  }

  /// Asks whose the data is.
  ///
  /// - Returns: The account.
  /// - Throws: ``FeedError``.
  public func account() async throws -> Account {
    guard let account = try await accountIfTold() else {
      throw notUnderstood("it doesn't say whose the data is")
    }
    return account
  }

  /// Asks whose the data is; `nil` where the server has no word for that, as those that have cards alone.
  ///
  /// - Returns: The account.
  /// - Throws: ``FeedError``.
  public func accountIfTold() async throws -> Account? {
    let answer = try await exchange.send(
      .GET, url.appending(path: "v1/me"), limit: exchange.limits.page)
    if answer.isPage { throw FeedError.intercepted(address: address) }
    guard answer.status == 200 || answer.status == 404 else { throw answer.error(from: address) }
    return try? JSONDecoder().decode(Account.self, from: answer.body)
  }

  // MARK: Records

  /// A version of a record.
  public struct Entry: Hashable, Sendable {
    /// Its ETag, with quotes.
    public var etag: String
    /// When it was written, by the server's clock; `nil` where the server doesn't tell.
    public var changed: Date?
    /// The record; it may break the rule for JSON.
    public var json: Data

    /// Creates an entry.
    public init(etag: String, changed: Date?, json: Data) {
      (self.etag, self.changed, self.json) = (etag, changed, json)
    }

    /// The record's identifier.
    public var id: UUID? { text("id").flatMap(UUID.init(uuidString:)) }

    private func text(_ name: String) -> String? {
      guard let value = (try? StrictJSON.members(of: json))?[name] else { return nil }
      return try? JSONDecoder().decode(String.self, from: value)
    }
  }

  /// What has changed.
  public struct Page: Sendable {
    /// The versions, each record once.
    public var entries: [Entry] = []
    /// Where the next page begins.
    public var cursor: String
    /// Whether more has changed already.
    public var hasMore: Bool
    /// The server's time; `nil` where it doesn't tell.
    public var time: Date?

    /// Creates a page.
    public init(entries: [Entry], cursor: String, hasMore: Bool, time: Date? = nil) {
      (self.entries, self.cursor, self.hasMore, self.time) = (entries, cursor, hasMore, time)
    }
  }

  /// Asks for what came after a cursor.
  ///
  /// - Parameters:
  ///   - cursor: What the last page ended with; `nil` for all.
  ///   - limit: How many records at most.
  ///   - wait: How long the server may wait for news. The default is not at all.
  /// - Returns: A page.
  /// - Throws: ``FeedError``; `cursorUnknown` where the cursor is of another time or place.
  public func changes(
    since cursor: String?, limit: Int = 200, wait: Duration = .zero
  ) async throws -> Page {
    var query = [URLQueryItem(name: "limit", value: "\(limit)")]
    if let cursor { query.append(URLQueryItem(name: "since", value: cursor)) }
    let seconds = wait.components.seconds
    if seconds > 0 { query.append(URLQueryItem(name: "wait", value: "\(seconds)")) }
    let answer = try await exchange.send(
      .GET, url.appending(path: records).appending(queryItems: query),
      limit: exchange.limits.page, wait: wait)
    guard answer.status == 200 else { throw answer.error(from: address) }
    let page = try answer.members(from: address)
    guard let next = page.value(String.self, "cursor"), let list = page["records"],
      let entries = try? StrictJSON.elements(of: list)
    else { throw notUnderstood("it sends no list of records") }
    return Page(
      entries: try entries.map(entry), cursor: next,
      hasMore: page.value(Bool.self, "more") ?? false, time: page.date("time"))
  }

  /// Asks for a record; `nil` where there is none.
  ///
  /// - Parameter id: Its identifier.
  /// - Returns: Its newest version.
  /// - Throws: ``FeedError``.
  public func record(_ id: UUID) async throws -> Entry? {
    let answer = try await exchange.send(
      .GET, place(of: id), limit: exchange.limits.page)
    if answer.isPage { throw FeedError.intercepted(address: address) }
    if answer.status == 404 { return nil }
    guard answer.status == 200 else { throw answer.error(from: address) }
    try answer.prove(ReprDigest.field(of: answer.body), from: address)
    return Entry(etag: try answer.etag(from: address), changed: nil, json: answer.body)
  }

  private func place(of id: UUID) -> URL {
    url.appending(path: records).appending(component: id.uuidString.lowercased())
  }

  private func entry(_ data: Data) throws -> Entry {
    guard let members = try? StrictJSON.members(of: data), let json = members["record"],
      let etag = members.value(String.self, "etag"), HTTPAnswer.isStrong(etag)
    else { throw notUnderstood("one of its records has no strong ETag") }
    return Entry(etag: etag, changed: members.date("changed"), json: json)
  }

  /// What became of a write.
  public enum Write: Hashable, Sendable {
    /// It was written, and has this ETag; the server lacks these of the blobs that it names, `nil` where it doesn't
    /// tell.
    case stored(etag: String, missing: [BlobName]?)
    /// Something else is there, which comes along where the server tells.
    case conflict(Entry?)
  }

  /// Writes a record if what is there is what the writer knows.
  ///
  /// - Parameters:
  ///   - json: The record.
  ///   - id: Its identifier.
  ///   - etag: The version that it replaces; `nil` where nothing may be there.
  /// - Returns: Whether it was written.
  /// - Throws: ``FeedError``.
  public func put(_ json: Data, id: UUID, replacing etag: String?) async throws -> Write {
    var headers = ["Content-Type": "application/json"]
    if let etag { headers["If-Match"] = etag } else { headers["If-None-Match"] = "*" }
    let answer = try await exchange.send(
      .PUT, place(of: id), headers, body: HTTPBody(json), limit: exchange.limits.page)
    switch answer.status {
    case 200, 201, 204:
      try answer.prove(ReprDigest.field(of: json), from: address)
      let members = (try? StrictJSON.members(of: answer.body)) ?? [:]
      let missing = members.value([String].self, "missing")?.compactMap(BlobName.init)
      return .stored(etag: try answer.etag(from: address), missing: missing)
    case 412: return .conflict(try? entry(answer.body))
    default: throw answer.error(from: address)
    }
  }

  /// Asks which blobs the feed's records name that the server lacks, 500 at most.
  ///
  /// - Returns: Their hashes.
  /// - Throws: ``FeedError``.
  public func missing() async throws -> [BlobName] {
    let place = url.appending(path: records).deletingLastPathComponent()
      .appending(component: "missing")
    let answer = try await exchange.send(.GET, place, limit: 1 << 20)
    guard answer.status == 200 else { throw answer.error(from: address) }
    guard let names = try answer.members(from: address).value([String].self, "missing") else {
      throw notUnderstood("it doesn't say what it lacks")
    }
    return names.compactMap(BlobName.init)
  }

  // MARK: Blobs

  /// Asks for a blob's bytes, which the caller checks; `nil` when it isn't there.
  ///
  /// - Parameter name: The blob.
  /// - Returns: The bytes.
  /// - Throws: ``FeedError``.
  public func blob(_ name: BlobName) async throws -> Data? {
    let answer = try await exchange.send(.GET, place(of: name), limit: exchange.limits.picture)
    if answer.status == 404 { return nil }
    guard answer.status == 200 else { throw answer.error(from: address) }
    if answer.isPage { throw FeedError.intercepted(address: address) }
    return answer.body
  }

  /// Asks whether a blob is there.
  ///
  /// - Parameter name: The blob.
  /// - Returns: `true` if the server proves that it has it.
  /// - Throws: ``FeedError``.
  public func hasBlob(_ name: BlobName) async throws -> Bool {
    try await offset(of: name) == nil
  }

  /// How many bytes of a blob the server has; `nil` for all.
  private func offset(of name: BlobName) async throws -> Int? {
    let answer = try await exchange.send(.HEAD, place(of: name), limit: 1 << 20)
    if answer.status == 404 {
      return answer.headers.first(name: "Upload-Offset").flatMap { Int($0) } ?? 0
    }
    guard answer.status == 200 else { throw answer.error(from: address) }
    try answer.prove(ReprDigest.field(hexadecimal: name.text), from: address)
    return nil
  }

  /// Writes a blob; once more is the same.
  ///
  /// - Parameters:
  ///   - data: Its bytes.
  ///   - name: Their hash.
  ///   - type: Their media type.
  /// - Throws: ``FeedError``.
  public func putBlob(_ data: Data, as name: BlobName, type: String) async throws {
    let answer = try await exchange.send(
      .PUT, place(of: name), ["Content-Type": type], body: HTTPBody(data), limit: 1 << 20)
    guard (200..<300).contains(answer.status) else { throw answer.error(from: address) }
    try answer.prove(ReprDigest.field(hexadecimal: name.text), from: address)
  }

  private func place(of name: BlobName) -> URL {
    url.appending(path: blobs).appending(component: name.text)
  }

  private func notUnderstood(_ reason: String) -> FeedError {
    .notUnderstood(address: address, reason: reason)
  }
}

// MARK: Files

extension FeedClient {
  /// How large a part of a file is that goes at once, in bytes.
  private static let part = 4 << 20

  /// Sends a file in parts, from where an earlier try ended.
  ///
  /// - Parameters:
  ///   - size: The file's size, in bytes.
  ///   - name: Its hash.
  ///   - progress: Told how many bytes the server has.
  ///   - read: Reads a part of the file.
  /// - Throws: ``FeedError``, and what `read` throws.
  public func upload(
    size: Int, as name: BlobName, progress: @Sendable (Int) -> Void,
    read: (Range<Int>) async throws -> Data
  ) async throws {
    guard var offset = try await offset(of: name) else { return progress(size) }
    var conflicts = 0
    while true {
      progress(offset)
      let end = min(offset + Self.part, size)
      let data = try await read(min(offset, end)..<end)
      let headers = [
        "Upload-Offset": "\(offset)", "Upload-Complete": end == size ? "?1" : "?0",
        "Content-Type": "application/partial-upload",
      ]
      let answer = try await exchange.send(
        .PATCH, place(of: name), headers, body: HTTPBody(data), limit: 1 << 20)
      let there = answer.headers.first(name: "Upload-Offset").flatMap { Int($0) }
      switch answer.status {
      case 200, 201:
        try answer.prove(ReprDigest.field(hexadecimal: name.text), from: address)
        return progress(size)
      case 202 where there == end: offset = end
      case 409 where conflicts < 3:
        // The answer to an earlier part was lost, or that part was cut off.
        conflicts += 1
        offset = there ?? 0
      case 200..<300: throw FeedError.intercepted(address: address)
      default: throw answer.error(from: address)
      }
    }
  }

  /// Gets a file, from where an earlier try ended.
  ///
  /// - Parameters:
  ///   - name: Its hash.
  ///   - size: Its size, in bytes; more isn't taken.
  ///   - file: Where it goes, or goes on; it is whole only when this returns `true`.
  ///   - progress: Told how many bytes are there.
  /// - Returns: Whether the server has the file; `false` also where what it has isn't that.
  /// - Throws: ``FeedError``; `POSIXError` where the file can't be written.
  public func download(
    _ name: BlobName, size: Int, to file: URL, progress: @escaping @Sendable (Int) -> Void
  ) async throws -> Bool {
    let part = try PartFile(file)
    defer { part.close() }
    if part.count > size { try part.restart() }
    if part.count < size || size == 0 {
      let range = part.count > 0 ? ["Range": "bytes=\(part.count)-"] : [:]
      let start = part.count
      let answer = try await exchange.send(
        .GET, place(of: name), range, limit: size,
        sink: { status, bytes in
          // A server that gives no ranges gives all.
          if status == 200, start > 0, part.isUntouched { try part.restart() }
          try part.append(bytes)
          progress(part.count)
        })
      if answer.status == 404 { return false }
      if answer.status == 416 {
        try part.restart()
        return false
      }
      guard (200..<300).contains(answer.status) else { throw answer.error(from: address) }
      guard part.count == size else {
        if answer.isPage { try part.restart() }
        throw answer.isPage
          ? FeedError.intercepted(address: address)
          : FeedError.unreachable(address: address, reason: "the connection broke")
      }
    }
    guard try part.digest() == name else {
      try part.restart()
      return false
    }
    try part.sync()
    return true
  }
}

extension [String: Data] {
  /// A member's value.
  func value<T: Decodable>(_ type: T.Type, _ name: String) -> T? {
    self[name].flatMap { try? JSONDecoder().decode(type, from: $0) }
  }

  /// A member that is a time, in seconds since 1970.
  func date(_ name: String) -> Date? {
    guard let seconds = value(Double.self, name), seconds.isFinite else { return nil }
    return Date(timeIntervalSince1970: seconds)
  }
}

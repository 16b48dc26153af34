import Checksums
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import WebServing

/// Records: what has changed since, and writes under a condition.
struct RecordRoutes: Sendable {
  let records: any RecordEngine
  let limits: Limits
  let news: News

  /// The feed that the first clients know, without its name in their addresses.
  private static let first = "cards"

  func add(to router: Router<FeedContext>) {
    for place in ["v1/records", "v1/feeds/:feed/records"] {
      router.get("\(place)") { try await changes($0, $1) }
      router.get("\(place)/:id") { _, context in
        let (feed, id) = (try feed(of: context), try Self.id(of: context))
        guard let record = try await records.record(id, of: context.visitor.person, in: feed)
        else { throw WebError(.notFound, "There is no such record.") }
        return Self.answer(record.json, .ok, tag: record.tag, of: record.json)
      }
      router.put("\(place)/:id") { try await write($0, $1) }
    }
    router.get("v1/feeds/:feed/missing") { _, context in
      let names = try await records.missing(of: context.visitor.person, in: try feed(of: context))
      return try Response.json(["missing": names.map(\.text)])
    }
  }

  private func feed(of context: FeedContext) throws -> Feed {
    let name = context.parameters.get("feed") ?? Self.first
    guard let feed = limits.feed(name) else {
      throw WebError(.notFound, "There is no such feed here; GET /v1/me tells which there are.")
    }
    return feed
  }

  /// The identifier in the path, which is a UUID and nothing else.
  private static func id(of context: FeedContext) throws -> String {
    guard let id = UUID(uuidString: try context.parameters.require("id")) else {
      throw WebError(.badRequest, "A record's identifier is a UUID.")
    }
    return id.uuidString.lowercased()
  }

  // MARK: Changes

  /// How long a request may wait for news.
  private static let maximumWait = 55

  private func changes(_ request: Request, _ context: FeedContext) async throws -> Response {
    let (feed, person) = (try feed(of: context), context.visitor.person)
    let query = request.uri.queryParameters
    let limit = min(max(query["limit"].flatMap { Int($0) } ?? 200, 1), 500)
    let cursor = query["since"].map { String($0) }
    let wait = min(max(query["wait"].flatMap { Int($0) } ?? 0, 0), Self.maximumWait)
    let page = try await news.wait(
      NewsKey(person: person, feed: feed.name), for: .seconds(wait), atMost: limits.waiting
    ) {
      let page = try await records.changes(of: person, in: feed, since: cursor, limit: limit)
      guard let page else {
        throw WebError(.gone, "The cursor is of another database, or too old. Begin anew.")
      }
      return page.records.isEmpty ? (page, isNews: false) : (page, isNews: true)
    }
    return Self.json(Self.json(page))
  }

  /// A page, in which the records stand as they came.
  private static func json(_ page: RecordPage) -> Data {
    let time = Int(Date.now.timeIntervalSince1970)
    var data = Data(
      "{\"time\":\(time),\"cursor\":\"\(page.cursor)\",\"more\":\(page.hasMore),\"records\":[".utf8)
    for (index, record) in page.records.enumerated() {
      if index > 0 { data += Data(",".utf8) }
      data += json(record)
    }
    return data + Data("]}".utf8)
  }

  private static func json(_ record: StoredRecord) -> Data {
    Data("{\"etag\":\"\\\"\(record.tag)\\\"\",\"changed\":\(record.changed),\"record\":".utf8)
      + record.json + Data("}".utf8)
  }

  // MARK: Writes

  private func write(_ request: Request, _ context: FeedContext) async throws -> Response {
    let (feed, id) = (try feed(of: context), try Self.id(of: context))
    let condition = try WriteCondition(request.headers)
    let body = try await request.body(upTo: feed.maximumRecordBytes)
    let record = try SentRecord(Data(buffer: body), id: id)
    let person = context.visitor.person
    let result = try await records.write(
      record, of: person, in: feed, if: condition, limits: limits)
    switch result {
    case .stored(let tag, let isNew, let missing):
      await news.tell(NewsKey(person: person, feed: feed.name))
      let answer = ["etag": "\"\(tag)\"", "missing": missing.map(\.text)] as [String: Any]
      let body = try JSONSerialization.data(
        withJSONObject: answer, options: [.sortedKeys, .withoutEscapingSlashes])
      return Self.answer(body, isNew ? .created : .ok, tag: tag, of: record.json)
    case .conflict(let present):
      var response = Self.json(
        present.map(Self.json) ?? Data("{\"error\":\"There is no such record.\"}".utf8))
      response.status = .preconditionFailed
      return response
    }
  }

  // MARK: Answers

  /// An answer with the proof that the server has a record.
  private static func answer(
    _ body: Data, _ status: HTTPResponse.Status, tag: String, of record: Data
  ) -> Response {
    var response = json(body)
    response.status = status
    response.headers[.eTag] = "\"\(tag)\""
    response.headers[.reprDigest] = ReprDigest.field(of: record)
    return response
  }

  private static func json(_ data: Data) -> Response {
    Response(
      status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
  }
}

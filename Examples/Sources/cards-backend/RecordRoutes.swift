import Checksums
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import StrictJSON
import WebInterface

/// Records: what has changed since, and writes under a condition.
struct RecordRoutes: Sendable {
  let database: BackendDatabase
  let quota: Quota

  func add(to router: Router<BackendContext>) {
    router.get("v1/records") { request, context in
      let limit = request.uri.queryParameters["limit"].flatMap { Int($0) } ?? 200
      let since = request.uri.queryParameters["since"].map { String($0) }
      let person = context.person
      let page = try await database.read { db in
        try RecordTable(db: db, person: person).changes(
          since: since, limit: min(max(limit, 1), 500))
      }
      guard let page else {
        throw WebError(.gone, "This database isn't the one that the cursor is of. Begin anew.")
      }
      return Self.json(page)
    }

    router.put("v1/records/:id") { request, context in
      let id = try Self.id(of: context)
      let condition = try WriteCondition(request.headers)
      let body = try await request.body(upTo: quota.recordBytes)
      let record = try SentRecord(Data(buffer: body), id: id)
      let person = context.person
      let result = try await database.write { [quota] db in
        try RecordTable(db: db, person: person).put(record, condition, quota)
      }
      switch result {
      case .stored(let tag, let isNew):
        var response = Self.json(Data("{\"etag\":\"\\\"\(tag)\\\"\"}".utf8))
        response.status = isNew ? .created : .ok
        response.headers[.eTag] = "\"\(tag)\""
        response.headers[.reprDigest] = ReprDigest.field(of: record.json)
        return response
      case .conflict(let present):
        var response = Self.json(
          present ?? Data("{\"error\":\"There is no such record.\"}".utf8))
        response.status = .preconditionFailed
        return response
      }
    }
  }

  /// The identifier in the path, which is a UUID and nothing else.
  private static func id(of context: BackendContext) throws -> String {
    guard let id = UUID(uuidString: try context.parameters.require("id")) else {
      throw WebError(.badRequest, "A record's identifier is a UUID.")
    }
    return id.uuidString.lowercased()
  }

  private static func json(_ data: Data) -> Response {
    Response(
      status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
  }
}

/// What must hold for a write (RFC 9110, section 13; RFC 6585, section 3).
enum WriteCondition: Sendable {
  case isMissing
  case isThere
  case isOne(of: Set<Substring>)

  init(_ headers: HTTPFields) throws {
    switch (headers[.ifMatch], headers[.ifNoneMatch]) {
    case (nil, "*"?): self = .isMissing
    case ("*"?, nil): self = .isThere
    case (let tags?, nil):
      // Weak ones never match here, and neither does anything else that isn't an ETag of this server.
      self = .isOne(
        of: Set(
          tags.split(separator: ",").map { Substring($0.trimmingPrefix(while: \.isWhitespace)) }))
    case (nil, nil):
      throw WebError(
        .preconditionRequired,
        "Writes need If-Match with the ETag that is replaced, or If-None-Match: * for a new record."
      )
    default:
      throw WebError(.badRequest, "Send If-Match, or If-None-Match: *, and not both.")
    }
  }

  /// Whether it holds where the present version has a tag, or nothing is there.
  func holds(for tag: String?) -> Bool {
    switch self {
    case .isMissing: tag == nil
    case .isThere: tag != nil
    case .isOne(let tags): tag.map { tags.contains("\"\($0)\"") } ?? false
    }
  }
}

/// A record as it was sent, which is kept byte for byte.
struct SentRecord: Sendable {
  let id: String
  let isDeleted: Bool
  let json: Data

  init(_ json: Data, id: String) throws {
    let members: [String: Data]
    do {
      // What one client writes, all others must be able to read; and it is put into other JSON as it is.
      try StrictJSON.check(json)
      members = try StrictJSON.members(of: json)
    } catch {
      throw WebError(.badRequest, "A record is a JSON object; this isn't \(error).")
    }
    guard Self.value(String.self, members["id"])?.lowercased() == id else {
      throw WebError(.badRequest, "A record's id is the one in the address.")
    }
    switch members["deleted"].map({ String(decoding: $0, as: UTF8.self) }) {
    case nil, "false": isDeleted = false
    case "true": isDeleted = true
    default: throw WebError(.badRequest, "A record's member deleted is true or false.")
    }
    self.id = id
    self.json = json
  }

  private static func value<Value: Decodable>(_ type: Value.Type, _ json: Data?) -> Value? {
    json.flatMap { try? JSONDecoder().decode(type, from: $0) }
  }
}

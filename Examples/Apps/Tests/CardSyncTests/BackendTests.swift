import CardModel
import CardStore
import Foundation
import ServerSupport
import Testing

@testable import FeedSync

@Suite("The backend", .serialized)
struct BackendTests {
  private let scratch: Scratch
  private let backend: Backend
  private let id = UUID().uuidString.lowercased()

  init() async throws {
    scratch = try Scratch()
    backend = try await Backend(in: scratch.url)
  }

  private func record(_ name: String = "a", deleted: Bool = false, id: String? = nil) -> Data {
    JSONValue.object([
      "id": .string(id ?? self.id), "name": .string(name), "deleted": .bool(deleted),
    ]).data
  }

  private func put(
    _ fields: [String: String], _ body: Data, id: String? = nil
  ) async throws -> Backend.Answer {
    try await backend.ask("PUT", "v1/records/\(id ?? self.id)", fields, body: body)
  }

  private let new = ["If-None-Match": "*"]

  @Test("Records are written under conditions alone")
  func conditions() async throws {
    #expect(try await put([:], record()).status == 428)
    #expect(try await put(["If-Match": "\"none\""], record()).status == 412)
    #expect(try await put(["If-Match": "*"], record()).status == 412)
    #expect(try await put(["If-None-Match": "\"x\""], record()).status == 400)
    let first = try await put(new, record())
    #expect(first.status == 201)
    let etag = try #require(first.etag)
    let again = try await put(new, record("b"))
    #expect(again.status == 412)
    #expect(again.json["etag"]?.text == etag)
    #expect(again.json["record"]?.object?["name"]?.text == "a")
    #expect(try await put(["If-Match": "W/\(etag)"], record("b")).status == 412)
    let second = try await put(["If-Match": "\"x\", \(etag)"], record("b"))
    #expect(second.status == 200 && second.etag != etag)
    // A request that comes once more does nothing.
    #expect(try await put(["If-Match": etag], record("b")).status == 412)
    // An ETag never comes back, even if the content does.
    let third = try await put(["If-Match": try #require(second.etag)], record())
    #expect(third.status == 200 && third.etag != etag)
    #expect(try await put(["If-Match": etag], record("c")).status == 412)
  }

  @Test("What is deleted stays deleted")
  func tombstones() async throws {
    let first = try await put(new, record(deleted: true))
    let etag = try #require(first.etag)
    #expect(try await put(["If-Match": etag], record()).status == 409)
    #expect(try await put(new, record()).status == 412)
    #expect(try await put(["If-Match": etag], record(deleted: true)).status == 200)
  }

  @Test(
    "What isn't a record isn't taken",
    arguments: [
      "", "null", "[]", "{}", "{\"id\": 1}", "{\"id\":\"\(UUID().uuidString)\"}", "{\"id\":",
      "\u{0}{}",
    ])
  func notRecords(text: String) async throws {
    let answer = try await put(new, Data(text.utf8))
    #expect(answer.status == 400)
    #expect(answer.error != nil)
  }

  @Test("Bytes come back as they were sent, numbers too")
  func verbatim() async throws {
    let json = "{\"id\":\"\(id)\",\"x\":0.10,\"big\":12345678901234567890123,\"e\":\"\\u00e9\"}"
    #expect(try await put(new, Data(json.utf8)).status == 201)
    let page = try await backend.ask("GET", "v1/records")
    #expect(page.body.range(of: Data("\"record\":\(json)}".utf8)) != nil)
    #expect(try await backend.ask("GET", "v1/records/\(id)").body == Data(json.utf8))
  }

  @Test("Pages follow each other, each record comes once, and nothing new is an empty page")
  func pages() async throws {
    let ids = (0..<3).map { _ in UUID().uuidString.lowercased() }
    for id in ids { #expect(try await put(new, record(id: id), id: id).status == 201) }
    var (seen, cursor, pages): ([String], String?, Int) = ([], nil, 0)
    while true {
      let since = cursor.map { "&since=\($0)" } ?? ""
      let page = try await backend.ask("GET", "v1/records?limit=1\(since)")
      seen += (page.json["records"]?.array ?? []).compactMap {
        $0.object?["record"]?.object?["id"]?.text
      }
      cursor = page.json["cursor"]?.text
      pages += 1
      if page.json["more"]?.bool != true { break }
    }
    #expect(seen == ids)
    #expect(pages == 3)
    let rest = try await backend.ask("GET", "v1/records?since=\(cursor ?? "")")
    #expect(rest.json["records"] == .array([]) && rest.json["cursor"]?.text == cursor)
  }

  @Test("A cursor of another database, and one that is none, is gone")
  func cursors() async throws {
    let etag = try #require(try await put(new, record()).etag)
    let tag = etag.dropFirst().dropLast()
    #expect(try await backend.ask("GET", "v1/records?since=1-\(tag)").status == 200)
    for cursor in ["2-\(tag)", "1-\(UUID().uuidString)", "x", "-1-\(tag)", "9"] {
      #expect(try await backend.ask("GET", "v1/records?since=\(cursor)").status == 410)
    }
  }

  @Test("Pictures are whole JPEGs of their hash, and each person's own")
  func pictures() async throws {
    let jpeg = TestJPEG.make()
    let path = "v1/pictures/\(PictureHash(of: jpeg))"
    #expect(try await backend.ask("HEAD", path).status == 404)
    #expect(try await backend.ask("PUT", path, body: TestJPEG.make()).status == 422)
    #expect(try await backend.ask("PUT", path, body: Data("text".utf8)).status == 415)
    #expect(try await backend.ask("PUT", path, body: jpeg.dropLast(3)).status == 415)
    #expect(try await backend.ask("PUT", path, body: jpeg).status == 201)
    #expect(try await backend.ask("PUT", path, body: jpeg).status == 200)
    #expect(try await backend.ask("HEAD", path).status == 200)
    #expect(try await backend.client().blob(PictureHash(of: jpeg)) == jpeg)
    let other = try await Backend.addToken("bert", in: backend.folder)
    #expect(try await backend.ask("GET", path, token: other).status == 404)
  }
}

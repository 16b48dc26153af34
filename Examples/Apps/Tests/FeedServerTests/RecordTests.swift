import Checksums
import Foundation
import ServerSupport
import Testing

@Suite("Feeds", .serialized)
struct RecordTests {
  private let scratch: Scratch
  private let server: Server
  private var anna: APIClient { server.anna }

  init() async throws {
    scratch = try Scratch()
    server = try await Server(in: scratch)
  }

  @Test("Wallets that know cards alone read and write the feed cards, and nothing of the photos")
  func apart() async throws {
    let (card, photo) = (newID(), newID())
    #expect(try await anna.put(card, in: "cards").status == 201)
    #expect(try await anna.put(photo).status == 201)
    // The same identifier is another record in another feed.
    #expect(try await anna.put(card).status == 201)
    #expect(try await anna.ids(in: "v1/records") == [card])
    #expect(try await anna.ids(in: "v1/feeds/cards/records") == [card])
    #expect(try await anna.ids(in: "v1/feeds/photos/records") == [photo, card])
    let answer = try await anna.put(newID(), in: "songs")
    #expect(answer.status == 404)
    #expect(answer.error?.contains("GET /v1/me") == true)
  }

  @Test("A record is read alone as it was sent, with its ETag and the server's proof")
  func one() async throws {
    let id = newID()
    let written = try await anna.put(id, ["name": "é"])
    let read = try await anna.ask("GET", "v1/feeds/photos/records/\(id)")
    #expect(read.status == 200)
    #expect(read["ETag"] == written["ETag"])
    #expect(read["Repr-Digest"] == ReprDigest.field(of: read.body))
    #expect(written["Repr-Digest"] == ReprDigest.field(of: read.body))
    #expect(read.object["name"] as? String == "é")
    #expect(try await anna.ask("GET", "v1/feeds/photos/records/\(newID())").status == 404)
  }

  @Test("A write is told which of the blobs that it names aren't here, until they are")
  func missing() async throws {
    let (there, later) = (bytes(10), bytes(11))
    let (first, second) = (try await anna.put(there), BlobName(of: later))
    let answer = try await anna.put(newID(), ["blobs": [first.text, second.text]])
    #expect(answer.status == 201)
    #expect(answer.missing == [second.text])
    #expect(try await anna.ask("GET", "v1/feeds/photos/missing").missing == [second.text])
    #expect(try await anna.ask("GET", "v1/feeds/cards/missing").missing == [])
    _ = try await anna.put(later)
    #expect(try await anna.ask("GET", "v1/feeds/photos/missing").missing == [])
  }

  @Test("A record without blobs names each text that is a blob's name")
  func old() async throws {
    let name = BlobName(of: jpeg())
    let front = ["picture": name.text, "original": "x\(name.text)"]
    let answer = try await anna.put(newID(), ["front": front], in: "cards")
    #expect(answer.missing == [name.text])
    let id = newID()
    #expect(try await anna.put(id, ["front": front, "blobs": [String]()]).missing == [])
  }

  @Test(
    "Blobs that a record can't name are refused",
    arguments: ["{}", "[1]", "[\"\"]", "[\"../x\"]", "\"x\"", "null"])
  func badBlobs(member: String) async throws {
    let id = newID()
    let answer = try await anna.ask(
      "PUT", "v1/feeds/photos/records/\(id)", ["If-None-Match": "*"],
      body: Data("{\"id\":\"\(id)\",\"blobs\":\(member)}".utf8))
    #expect(answer.status == 400)
    #expect(answer.error?.contains("blobs") == true)
  }

  @Test("A card can't name what isn't a picture for cards, a photo can")
  func kinds() async throws {
    let name = try await anna.put(bytes(20))
    let answer = try await anna.put(newID(), ["blobs": [name.text]], in: "cards")
    #expect(answer.status == 422)
    #expect(try await anna.put(newID(), ["blobs": [name.text]]).status == 201)
  }

  @Test("Deleted records take nobody's room")
  func room() async throws {
    let server = try await Server(in: try Scratch(), ["--maximum-records", "2", "--quota", "1"])
    let large = String(repeating: "x", count: 400_000)
    let (first, second) = (newID(), newID())
    let etag = try #require(try await server.anna.put(first, ["x": large], in: "cards")["ETag"])
    #expect(try await server.anna.put(second, ["x": large], in: "cards").status == 201)
    #expect(try await server.anna.put(newID(), in: "cards").status == 507)
    #expect(try await server.anna.put(newID(), ["x": large]).status == 507)
    let deleted = try await server.anna.put(
      first, ["deleted": true, "x": large], in: "cards", replacing: etag)
    #expect(deleted.status == 200)
    #expect(try await server.anna.put(newID(), ["x": large], in: "cards").status == 201)
    let me = try await server.anna.ask("GET", "v1/me").object
    #expect(me["bytes"] as? Int ?? 0 > 800_000 && me["bytes"] as? Int ?? 0 < 801_000)
  }

  @Test("A request that waits is answered by the next write, by its time, and when the server ends")
  func news() async throws {
    let path = "v1/feeds/photos/records?wait"
    async let waiting = anna.ask("GET", "\(path)=50")
    try await Task.sleep(for: .milliseconds(300))
    // In another feed: no news.
    #expect(try await anna.put(newID(), in: "cards").status == 201)
    try await Task.sleep(for: .milliseconds(300))
    let id = newID()
    #expect(try await anna.put(id).status == 201)
    let page = try await waiting.object
    #expect((page["records"] as? [Any])?.count == 1)
    let cursor = try #require(page["cursor"] as? String)
    #expect(try await anna.ids(in: "\(path)=1&since=\(cursor)") == [])
    async let last = anna.ask("GET", "\(path)=50&since=\(cursor)")
    try await Task.sleep(for: .milliseconds(300))
    #expect(await server.process.end() == 0)
    #expect(try await last.status == 200)
  }
}

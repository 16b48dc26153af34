import CardModel
import CardStore
import CardSync
import FeedClient
import Foundation
import ServerSupport
import Synchronization
import Testing

@testable import FeedSync

/// Files on a server that knows nothing of cards.
private final class FileServer: Sendable {
  let files = Mutex<[String: Data]>([:])
  let hasETags: Bool
  let server: Mutex<TestServer?> = Mutex(nil)

  init(hasETags: Bool) throws {
    self.hasETags = hasETags
    let server = try TestServer { [weak self] in self?.answer($0, $1) }
    self.server.withLock { $0 = server }
  }

  var requests: [TestRequest] { server.withLock { $0?.requests ?? [] } }
  var url: URL { server.withLock { $0!.url.appending(path: "my/cards.json") } }

  func put(_ path: String, _ data: Data) { files.withLock { $0["/my/\(path)"] = data } }

  private func answer(_ request: TestRequest, _ connection: Connection) {
    guard let data = files.withLock({ $0[request.target] }) else {
      return connection.answer("404 Not Found")
    }
    let name = "\(PictureHash(of: data))"
    let field = hasETags ? "ETag: \"\(name)\"" : "Last-Modified: \(name)"
    let condition = request.header(hasETags ? "If-None-Match" : "If-Modified-Since")
    if condition == (hasETags ? "\"\(name)\"" : name) {
      return connection.answer("304 Not Modified", fields: [field])
    }
    connection.send(
      "HTTP/1.1 200 OK\r\n\(field)\r\nContent-Length: \(data.count)\r\nConnection: close\r\n\r\n")
    connection.send(data)
    connection.awaitEnd()
  }
}

@Suite("A cards.json on a server for files")
struct StaticBackendTests {
  private let scratch: Scratch
  private let store: CardStore
  private let ids = (0..<3).map { _ in UUID().uuidString.lowercased() }

  init() throws {
    scratch = try Scratch()
    store = try scratch.store()
  }

  private func list(_ change: (inout [[String: JSONValue]]) -> Void = { _ in }) -> Data {
    var cards: [[String: JSONValue]] = ids.map { id in
      ["id": .string(id), "name": .string("Card"), "points": .number(1)]
    }
    change(&cards)
    return JSONValue.object(["cards": .array(cards.map(JSONValue.object))]).data
  }

  @Test(
    "Its cards come with their photos, and nothing new is one request", arguments: [true, false])
  func reads(hasETags: Bool) async throws {
    let files = try FileServer(hasETags: hasETags)
    let (front, back) = (TestJPEG.make(), TestJPEG.make())
    files.put("pictures/\(PictureHash(of: front)).jpg", front)
    files.put("photos/back.jpg", back)
    files.put(
      "cards.json",
      list { cards in
        cards[0]["front"] = CardPicture(picture: PictureHash(of: front)).json
        cards[0]["back"] = "photos/back.jpg"
      })
    let sync = CardSync(store: store, source: StaticBackend(url: files.url), target: nil)
    try await sync.sync()
    let card = try #require(try store.card(UUID(uuidString: ids[0])!))
    #expect(try store.picture(try #require(card.front?.picture)) == front)
    #expect(try store.picture(try #require(card.back?.picture)) == back)
    #expect(card.members["points"] == .number(1))
    #expect(sync.status.isReadOnly && sync.status.phase == .idle)
    let before = files.requests.count
    try await sync.sync()
    #expect(files.requests.count == before + 1)
  }

  @Test("Edits here stay here, and merge with what changes there")
  func merges() async throws {
    let files = try FileServer(hasETags: true)
    let (front, back) = (
      try store.addPicture(TestJPEG.make()), try store.addPicture(TestJPEG.make())
    )
    files.put("cards.json", list())
    let sync = CardSync(store: store, source: StaticBackend(url: files.url), target: nil)
    try await sync.sync()
    let id = try #require(UUID(uuidString: ids[0]))
    try store.edit(id) { card in
      card.note = "mine"
      card.front = CardPicture(picture: front)
      card.back = CardPicture(picture: back)
    }
    files.put("cards.json", list { $0[0]["name"] = "Theirs" })
    try await sync.sync()
    #expect(try store.card(id)?.name == "Theirs")
    #expect(try store.card(id)?.note == "mine")
    // Back to what it said before is a change, too.
    files.put("cards.json", list())
    try await sync.sync()
    #expect(try store.card(id)?.name == "Card")
    #expect(files.requests.allSatisfy { $0.method == "GET" })
  }

  @Test("Half a list deletes nothing; a tombstone deletes, and what was deleted here stays so")
  func deletes() async throws {
    let files = try FileServer(hasETags: true)
    files.put("cards.json", list())
    let sync = CardSync(store: store, source: StaticBackend(url: files.url), target: nil)
    try await sync.sync()
    try store.delete(try #require(UUID(uuidString: ids[1])))
    files.put("cards.json", list { $0.removeLast() })
    try await sync.sync()
    #expect(try store.cards().count == 2)
    files.put(
      "cards.json",
      list { cards in
        cards[0] = ["id": cards[0]["id"]!, "deleted": .bool(true)]
        cards[1]["name"] = "still there"
      })
    try await sync.sync()
    #expect(try store.cards().map(\.id) == [UUID(uuidString: ids[2])!])
  }

  @Test("Photos that aren't called by their hash come also after an end before they had come")
  func ended() async throws {
    let files = try FileServer(hasETags: true)
    let photo = TestJPEG.make()
    files.put("photo.jpg", photo)
    files.put("cards.json", list { $0[0]["front"] = "photo.jpg" })
    let first = StaticBackend(url: files.url)
    let changes = try await first.changes(since: nil)
    let link = try store.link(to: first.address)
    let versions = try changes.entries.map { try CardVersion($0, from: first.address) }
    _ = try link.receive(versions, after: nil, next: changes.cursor)
    let sync = CardSync(store: store, source: StaticBackend(url: files.url), target: nil)
    try await sync.sync()
    #expect(store.hasPicture(PictureHash(of: photo)) && sync.status.missingBlobs == 0)
  }

  @Test("A photo that isn't there comes later; one on another server never")
  func missingPhotos() async throws {
    let files = try FileServer(hasETags: true)
    let other = try TestServer { $1.answer("200 OK") }
    let photo = TestJPEG.make()
    files.put(
      "cards.json",
      list { cards in
        cards[0]["front"] = "late.jpg"
        cards[1]["front"] = .string("\(other.url)/photo.jpg")
      })
    let sync = CardSync(store: store, source: StaticBackend(url: files.url), target: nil)
    try await sync.sync()
    #expect(try store.cards().count == 3)
    files.put("late.jpg", photo)
    try await sync.sync()
    let front = try #require(try store.card(UUID(uuidString: ids[0])!)?.front)
    #expect(try store.picture(front.picture) == photo)
    #expect(other.requests.isEmpty)
  }

  @Test(
    "What isn't a list of cards is told, and changes nothing",
    arguments: ["", "{}", "[{\"name\":\"no identifier\"}]", "[", "\"text\""])
  func garbage(text: String) async throws {
    let files = try FileServer(hasETags: true)
    files.put("cards.json", list())
    let sync = CardSync(store: store, source: StaticBackend(url: files.url), target: nil)
    try await sync.sync()
    files.put("cards.json", Data(text.utf8))
    await #expect { try await sync.sync() } throws: { error in
      guard case FeedError.notUnderstood = error else { return false }
      return "\(error)".contains("doesn't answer as one for cards or photos")
    }
    #expect(try store.cards().count == 3)
  }
}

import CardModel
import CardStore
import CardSync
import FeedClient
import Foundation
import ServerSupport
import Testing

@testable import FeedSync

@Suite("The backend at its limits", .serialized)
struct BackendLimitsTests {
  private let scratch: Scratch
  private let backend: Backend
  private let id = UUID().uuidString.lowercased()

  init() async throws {
    scratch = try Scratch()
    backend = try await Backend(in: scratch.url, ["--maximum-records", "3", "--quota", "1"])
  }

  private func put(_ record: JSONValue) async throws -> Backend.Answer {
    let id = record.object?["id"]?.text ?? ""
    return try await backend.ask(
      "PUT", "v1/records/\(id)", ["If-None-Match": "*"], body: record.data)
  }

  private func record(_ id: String) -> JSONValue { .object(["id": .string(id)]) }

  @Test("Who has no room left is told, and loses nothing")
  func quotas() async throws {
    let large = JSONValue.object([
      "id": .string(id), "x": .string(String(repeating: "x", count: 1_000_000)),
    ])
    #expect(try await put(large).status == 413)
    for _ in 0..<3 {
      #expect(try await put(record(UUID().uuidString.lowercased())).status == 201)
    }
    let answer = try await put(record(id))
    #expect(answer.status == 507)
    #expect(answer.error == "You have 3 records, which is the most.")
    let jpeg = TestJPEG.make(size: 600_000)
    #expect(
      try await backend.ask("PUT", "v1/pictures/\(PictureHash(of: jpeg))", body: jpeg).status == 201
    )
    let second = TestJPEG.make(size: 600_000)
    let full = try await backend.ask("PUT", "v1/pictures/\(PictureHash(of: second))", body: second)
    #expect(full.status == 507)
    #expect(full.error?.contains("1 MB are yours") == true)
    #expect(try await backend.ask("HEAD", "v1/pictures/\(PictureHash(of: second))").status == 404)
    let huge = TestJPEG.make(size: 17 << 20)
    #expect(
      try await backend.ask("PUT", "v1/pictures/\(PictureHash(of: huge))", body: huge).status == 413
    )
  }

  @Test("What has no room keeps nothing else from being sent, and is sent when there is room")
  func fullForOne() async throws {
    let store = try scratch.store()
    let sync = CardSync(store, backend.client())
    for name in ["fits", "too large"] {
      let front = try store.addPicture(TestJPEG.make(name, size: 600_000))
      try store.addCard(name) { $0.front = CardPicture(picture: front) }
    }
    let small = try store.addCard("small")
    await #expect { try await sync.sync() } throws: { error in
      if case FeedError.full = error { true } else { false }
    }
    let there = try await backend.client().changes(since: nil).entries.compactMap(\.id)
    #expect(there.count == 4 && there.contains(small.id))
    #expect(try store.link(to: backend.client().address).waitingBlobs().count == 1)
  }

  @Test(
    "On its full disk it says so, and keeps what it has",
    .enabled(if: TestDisk.canMount, "needs to mount a small disk as root"))
  func fullDisk() async throws {
    let disk = try TestDisk(megabytes: 3)
    let backend = try await Backend(in: disk.folder)
    let store = try scratch.store()
    let sync = CardSync(store, backend.client())
    let first = try store.addCard("first")
    try await sync.sync()
    for _ in 0..<10 {
      let front = try store.addPicture(TestJPEG.make(size: 400_000))
      try store.addCard("large") { $0.front = CardPicture(picture: front) }
    }
    await #expect { try await sync.sync() } throws: { error in
      guard case FeedError.full(_, let message) = error else { return false }
      return message.contains("disk is full") && "\(error)".contains("has no room for more")
    }
    #expect(try store.cards().count == 11)
    let records = try await backend.client().changes(since: nil).entries.compactMap(\.id)
    #expect(records.contains(first.id))
  }

  @Test("SIGTERM ends it when the open request is answered, and it goes on where it was")
  func graceful() async throws {
    let connection = try #require(Connection(port: backend.process.port))
    let body = record(id).data
    connection.send(
      """
      PUT /v1/records/\(id) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(backend.token)\r
      If-None-Match: *\r\nConnection: close\r\nContent-Length: \(body.count)\r\n\r\n
      """)
    try await Task.sleep(for: .milliseconds(300))
    async let code = backend.process.end()
    try await Task.sleep(for: .milliseconds(300))
    connection.send(body)
    let answer = String(decoding: connection.receiveAll(), as: UTF8.self)
    #expect(answer.hasPrefix("HTTP/1.1 201"), "\(answer)")
    #expect(await code == 0)
    let again = try await Backend.start(backend.folder)
    let url = try #require(URL(string: again.address))
    let page = try await FeedClient(cards: url, token: backend.token).changes(since: nil)
    #expect(page.entries.count == 1)
  }
}

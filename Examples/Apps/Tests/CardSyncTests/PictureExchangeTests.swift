import CardModel
import Checksums
import FeedClient
import Foundation
import GRDB
import ServerSupport
import Synchronization
import Testing

@testable import CardStore
import CardSync
@testable import FeedSync

/// Takes all records and pictures, and says of each record which pictures it lacks.
private final class Takes: Sendable {
  struct State {
    var records: [String] = []
    var pictures: Set<String> = []
    /// What it has lost, whatever it was sent.
    var lost: Set<String> = []
    var doesTell = true
    var refuses = false
    var order: [String] = []
  }

  private final class Store: Sendable {
    let state = Mutex(State())
  }

  private let store = Store()
  let server: TestServer
  var backend: FeedClient { FeedClient(cards: server.url, token: "t") }

  var state: State { store.state.withLock { $0 } }
  func change(_ body: (inout State) -> Void) { store.state.withLock { body(&$0) } }

  init() throws {
    let store = store
    server = try TestServer { request, connection in
      let (status, fields, body) = store.state.withLock { Self.answer(request, &$0) }
      connection.answer(status, body, fields: fields)
    }
  }

  private static func answer(
    _ request: TestRequest, _ state: inout State
  ) -> (String, [String], String) {
    let name = request.target.split(separator: "/").last.map(String.init) ?? ""
    let proof = "\(ReprDigest.name): "
    switch (request.method, request.target.contains("pictures")) {
    case ("GET", _) where request.target.contains("records"):
      return ("200 OK", [], #"{"cursor": "1", "more": false, "records": []}"#)
    case ("HEAD", true):
      guard state.pictures.contains(name), let hash = PictureHash(name) else {
        return ("404 Not Found", [], "")
      }
      return ("200 OK", [proof + ReprDigest.field(hexadecimal: hash.text)], "")
    case ("PUT", true):
      guard !state.refuses else { return ("415 Unsupported Media Type", [], "{}") }
      state.pictures.insert(name)
      state.order.append("picture")
      return ("201 Created", [proof + ReprDigest.field(of: request.body)], "")
    case ("PUT", false):
      state.records.append(name)
      state.order.append("record")
      let record = (try? JSONValue(parsing: request.body)).flatMap { CardRecord($0) }
      let lacking = (record?.pictures ?? []).map(\.text)
        .filter { !state.pictures.contains($0) || state.lost.contains($0) }
      state.pictures.subtract(state.lost)
      let told = lacking.map { "\"\($0)\"" }.joined(separator: ", ")
      return (
        "201 Created",
        ["ETag: \"\(state.records.count)\"", proof + ReprDigest.field(of: request.body)],
        state.doesTell ? #"{"missing": [\#(told)]}"# : "{}"
      )
    default: return ("404 Not Found", [], "{}")
    }
  }
}

@Suite("The exchange of pictures")
struct PictureExchangeTests {
  private let scratch: Scratch
  private let store: CardStore
  private let server: Takes
  private let sync: CardSync

  init() throws {
    scratch = try Scratch()
    store = try scratch.store()
    server = try Takes()
    sync = CardSync(store, server.backend)
    try store.link(to: server.backend.address).setHonoursConditions(true)
  }

  @Test(
    "All cards go before the first picture, and each picture once",
    arguments: [true, false])
  func cardsFirst(doesTell: Bool) async throws {
    server.change { $0.doesTell = doesTell }
    for name in ["a", "b", "c"] { try store.addCard(name) }
    let report = try await sync.sync()
    #expect(
      server.state.order == Array(repeating: "record", count: 3)
        + Array(repeating: "picture", count: 6))
    #expect(report.blobsUploaded == 6)
    #expect(try await sync.sync().blobsUploaded == 0)
  }

  @Test("A write that is answered with missing pictures makes them be sent again")
  func sentAgain() async throws {
    let card = try store.addCard("a")
    try await sync.sync()
    let front = try #require(card.front?.picture)
    server.change { $0.lost = [front.text] }
    try store.edit(card.id) { $0.note = "new" }
    let report = try await sync.sync()
    #expect(report.blobsUploaded == 1)
    #expect(server.state.pictures.contains(front.text))
  }

  @Test("A picture that isn't taken is told with its card, and is sent when it would be taken")
  func refused() async throws {
    server.change { $0.refuses = true }
    let card = try store.addCard("a")
    try await sync.sync()
    #expect(sync.status.problems.map(\.record) == [card.id, card.id])
    server.change { $0.refuses = false }
    // As after an hour.
    try store.link(to: server.backend.address).forgetRefusals()
    #expect(try await sync.sync().blobsUploaded == 2)
    #expect(sync.status.problems.isEmpty)
  }

  @Test("What was to be sent when the wallet ended is sent by the next one")
  func afterAnEnd() async throws {
    let card = try store.addCard("a")
    let link = try store.link(to: server.backend.address)
    let record = try #require(try store.records().first)
    #expect(try link.offer(record))
    // The record arrived, its answer came, and it was listed; then the wallet ended.
    let version = CardVersion(record: record, etag: "\"1\"")
    try link.didSend(version, missing: Array(card.pictures))
    _ = try link.receive(version)
    let again = CardSync(try scratch.store(), server.backend)
    #expect(try await again.sync().blobsUploaded == 2)
    #expect(server.state.records.isEmpty)
  }

  @Test("Pictures come four at a time, after all cards")
  func fourAtATime() async throws {
    let pictures = (0..<12).map { TestJPEG.make("\($0)") }
    let records = pictures.map { picture in
      CardRecord(
        id: UUID(), edit: "e",
        members: ["name": "theirs", "front": CardPicture(picture: PictureHash(of: picture)).json])
    }
    let list = records.map {
      "{\"etag\":\"\\\"1\\\"\",\"record\":\(String(decoding: $0.json.data, as: UTF8.self))}"
    }
    let files = Dictionary(
      uniqueKeysWithValues: pictures.map { ("\(PictureHash(of: $0))", $0) })
    let open = OpenRequests()
    let server = try TestServer { request, connection in
      guard request.target.contains("pictures") else {
        return connection.answer(
          "200 OK", "{\"cursor\":\"1\",\"more\":false,\"records\":[\(list.joined(separator: ","))]}"
        )
      }
      open.enter()
      defer { open.leave() }
      let data = request.target.split(separator: "/").last.flatMap { files[String($0)] } ?? Data()
      connection.send(
        "HTTP/1.1 200 OK\r\nContent-Length: \(data.count)\r\nConnection: close\r\n\r\n")
      connection.send(data)
      connection.awaitEnd()
    }
    let sync = CardSync(
      store: store, source: FeedClient(cards: server.url, token: "t"), target: nil)
    try await sync.sync()
    #expect(try store.cards().count == 12 && sync.status.missingBlobs == 0)
    #expect(open.most == 4)
    let asked = server.requests.map { $0.target.contains("pictures") }
    #expect(asked.last == true && asked.filter { $0 }.count == 12)
  }

  @Test("A store of before keeps what it knew of pictures and versions")
  func migrated() async throws {
    let folder = scratch.url.appending(component: "before")
    let (wanted, sent) = (PictureHash(of: Data("w".utf8)), PictureHash(of: Data("s".utf8)))
    let record = CardRecord(
      id: UUID(), edit: "e", members: ["name": "a", "front": CardPicture(picture: wanted).json])
    do {
      let old = try StoreDatabase(in: makeFolder(folder), upTo: "2")
      try old.write { db in
        try db.execute(sql: "INSERT INTO backend (address) VALUES ('b')")
        try db.execute(sql: "INSERT INTO wantedPicture VALUES (?)", arguments: [wanted.text])
        try db.execute(sql: "INSERT INTO sentPicture VALUES (1, ?)", arguments: [sent.text])
        try db.execute(
          sql: "INSERT INTO seen VALUES (?, 'e', x'00')", arguments: [record.id.key])
        try db.execute(
          sql: "INSERT INTO record VALUES (?, 'e', x'00', ?, 0, 0, 0, 0, '', '')",
          arguments: [record.id.key, record.json.data])
      }
    }
    let store = try CardStore(folder: folder)
    let link = try store.link(to: "b")
    #expect(try link.wantedBlobs() == [wanted])
    let states = try store.database.read { db in
      try String.fetchAll(db, sql: "SELECT state FROM picture WHERE place = 1")
    }
    #expect(states == ["sent"])
    #expect(try store.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM seen") } == 1)
  }

  private func makeFolder(_ folder: URL) throws -> URL {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}

/// Requests that are open at once; the first wait for three others, or for a while.
private final class OpenRequests: Sendable {
  private let state = Mutex((open: 0, most: 0))

  var most: Int { state.withLock { $0.most } }

  func enter() {
    state.withLock { state in
      state.open += 1
      state.most = max(state.most, state.open)
    }
    for _ in 0..<200 where most < 4 { Thread.sleep(forTimeInterval: 0.01) }
    // A fifth would come now.
    Thread.sleep(forTimeInterval: 0.05)
  }

  func leave() { state.withLock { $0.open -= 1 } }
}

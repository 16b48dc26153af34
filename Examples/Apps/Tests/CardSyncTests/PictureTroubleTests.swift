import CardModel
import FeedClient
import Foundation
import ServerSupport
import Testing

@testable import CardStore
import CardSync
@testable import FeedSync

@Suite("Pictures that don't come")
struct PictureTroubleTests {
  @Test(
    "A picture that isn't one, or another, keeps no card away",
    arguments: ["text", "another", "huge", "none"])
  func pictures(kind: String) async throws {
    let wanted = TestJPEG.make("wanted")
    let other = TestJPEG.make("other")
    let isMended = Flag()
    let record = CardRecord(
      id: UUID(), edit: "e",
      members: [
        "name": "theirs", "front": CardPicture(picture: PictureHash(of: wanted)).json,
        "back": CardPicture(picture: PictureHash(of: Data("text".utf8))).json,
      ])
    let page = String(decoding: record.json.data, as: UTF8.self)
    let server = try TestServer { request, connection in
      guard request.target.contains("pictures") else {
        return connection.answer(
          "200 OK",
          "{\"cursor\":\"1\",\"more\":false,\"records\":[{\"etag\":\"\\\"1\\\"\",\"record\":\(page)}]}"
        )
      }
      if isMended.isSet, request.target.contains("\(PictureHash(of: wanted))") {
        connection.send(
          "HTTP/1.1 200 OK\r\nContent-Length: \(wanted.count)\r\nConnection: close\r\n\r\n")
        connection.send(wanted)
        connection.awaitEnd()
        return
      }
      switch kind {
      case "text": connection.answer("200 OK", "text")
      case "none": connection.answer("404 Not Found")
      case "huge":
        connection.send(
          "HTTP/1.1 200 OK\r\nContent-Length: \(2 << 30)\r\nConnection: close\r\n\r\n")
      default:
        connection.send(
          "HTTP/1.1 200 OK\r\nContent-Length: \(other.count)\r\nConnection: close\r\n\r\n")
        connection.send(other)
      }
    }
    let backend = FeedClient(cards: server.url, token: "t")
    var options = CardSync.Options()
    options.blobPause = .zero
    let scratch = try Scratch()
    let store = try scratch.store()
    let sync = CardSync(store: store, source: backend, target: nil, options: options)
    try await sync.sync()
    #expect(try store.cards().map(\.name) == ["theirs"])
    #expect(sync.status.missingBlobs == 2)
    #expect(!store.hasPicture(PictureHash(of: other)))
    isMended.set()
    try await sync.sync()
    #expect(try store.picture(PictureHash(of: wanted)) == wanted)
    #expect(sync.status.missingBlobs == 1)
  }

  @Test("A damaged picture is kept aside and comes back whole")
  func damaged() async throws {
    let scratch = try Scratch()
    let backend = try await Backend(in: scratch.url)
    let store = try scratch.store()
    let sync = CardSync(store, backend.client())
    let picture = TestJPEG.make("mine", size: 5000)
    let hash = try store.addPicture(picture)
    try store.addCard("mine") { $0.front = CardPicture(picture: hash) }
    try await sync.sync()
    let file = try #require(
      FileManager.default.enumerator(at: scratch.url, includingPropertiesForKeys: nil)?
        .compactMap { $0 as? URL }
        .first { $0.path.contains("wallet") && $0.lastPathComponent == "\(hash).jpg" })
    try picture.dropLast(1000).write(to: file)
    #expect(try store.picture(hash) == nil)
    let aside = file.deletingPathExtension().appendingPathExtension("damaged")
    #expect(try Data(contentsOf: aside) == picture.dropLast(1000))
    try await sync.sync()
    #expect(try store.picture(hash) == picture)
    #expect(!FileManager.default.fileExists(atPath: aside.path))
  }

  @Test(
    "A picture that came just before a sudden end, or that no card names any more, isn't missing")
  func notMissingAnyMore() async throws {
    let pictures = ["one", "other"].map { TestJPEG.make($0) }
    let hashes = pictures.map { PictureHash(of: $0) }
    let scratch = try Scratch()
    let store = try scratch.store()
    let link = try store.link(to: "http://127.0.0.1")
    let members = ["front", "back"].enumerated().map { side in
      (side.element, CardPicture(picture: hashes[side.offset]).json)
    }
    let record = CardRecord(
      id: UUID(), edit: "e", members: Dictionary(uniqueKeysWithValues: members))
    _ = try link.receive(CardVersion(record: record, etag: "1"))
    #expect(Set(try link.wantedBlobs()) == Set(hashes))
    // As a process leaves it that is killed before it has noted so.
    try store.pictures.write(pictures[0], as: hashes[0])
    #expect(try link.wantedBlobs() == [hashes[1]])
    try store.delete(record.id)
    #expect(try link.wantedBlobs() == [])
  }
}

import Checksums
import Foundation
import GRDB
import ServerSupport
import Testing

@testable import FeedServer

@Suite("A folder of cards-backend, from when it had cards alone")
struct MigrationTests {
  @Test("Tokens, cursors, records, pictures and counts go on as they were")
  func first() async throws {
    let scratch = try Scratch()
    let picture = jpeg()
    let name = BlobName(of: picture)
    let (card, deleted) = (newID(), newID())
    let json = "{\"id\":\"\(card)\",\"front\":{\"picture\":\"\(name)\"}}"
    let pictures = scratch.url.appending(path: "pictures/1")
    try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: true)
    try picture.write(to: pictures.appending(component: "\(name).jpg"))
    do {
      let queue = try DatabaseQueue(path: scratch.url.appending(component: "backend.sqlite").path)
      try Schema.migrate(queue, in: scratch.url, upTo: "1")
      try await queue.write { db in
        try db.execute(
          sql: "INSERT INTO person VALUES (1, 'anna', ?, 123)",
          arguments: [BearerGuard.hash("token")])
        try db.execute(sql: "INSERT INTO version VALUES (1, 1, 'a'), (1, 2, 'b'), (1, 3, 'c')")
        try db.execute(
          sql: "INSERT INTO record VALUES (1, ?, 2, 'b', 0, ?), (1, ?, 3, 'c', 1, ?)",
          arguments: [
            card, Data(json.utf8), deleted, Data("{\"id\":\"\(deleted)\",\"deleted\":true}".utf8),
          ])
        try db.execute(
          sql: "INSERT INTO picture VALUES (1, ?, ?)", arguments: [name.text, picture.count])
      }
    }
    let records = try await SQLRecords(try SQLiteDatabase(in: scratch.url))
    let visitor = try #require(try await records.visitor(token: BearerGuard.hash("token")))
    #expect(visitor.name == "anna")
    let person = visitor.person
    let all = try #require(
      try await records.changes(of: person, in: .cards, since: nil, limit: 10))
    #expect(all.records.map(\.tag) == ["b", "c"])
    #expect(all.records.first?.json == Data(json.utf8))
    for (cursor, count) in ["1-a": 2, "2-b": 1, "3-c": 0] {
      let page = try await records.changes(of: person, in: .cards, since: cursor, limit: 10)
      #expect(page?.records.count == count, "\(cursor)")
    }
    #expect(try await records.records(of: person, in: .cards) == 1)
    #expect(try await records.bytes(of: person) == json.utf8.count + picture.count)
    let blob = try #require(try await records.blob(BlobKey(person: person, name: name)))
    let blobs = try FolderBlobs(in: scratch.url)
    #expect(try await blobs.read(blob.place, 0..<blob.size) == picture)
    // It is named: no sweep takes it.
    try await Sweeper(records: records, blobs: blobs, limits: Limits(), metrics: Metrics())
      .sweep(at: .now + 100 * 86_400)
    #expect(try await blobs.size(blob.place) == picture.count)
    let server = try await SQLRecords(try SQLiteDatabase(in: scratch.url)).server
    #expect(server == records.server)
  }

  @Test("Devices from before they said what they call themselves stay, and can say it")
  func devices() async throws {
    let scratch = try Scratch()
    do {
      let queue = try DatabaseQueue(path: scratch.url.appending(component: "backend.sqlite").path)
      try Schema.migrate(queue, in: scratch.url, upTo: "3")
      try await queue.write { db in
        try db.execute(sql: "INSERT INTO person VALUES (1, 'anna', 0)")
        try db.execute(
          sql: "INSERT INTO device VALUES (7, 1, 'Phone', ?, 1700000000, NULL)",
          arguments: [BearerGuard.hash("token")])
      }
    }
    let records = try await SQLRecords(try SQLiteDatabase(in: scratch.url))
    let visitor = try #require(try await records.visitor(token: BearerGuard.hash("token")))
    #expect(try await records.devices(of: 1).map(\.client) == [nil])
    try await records.setClient("wallet", of: visitor)
    let phone = try #require(try await records.devices(of: 1).first)
    #expect(phone.id == 7 && phone.name == "Phone" && phone.client == "wallet")
  }
}

@Suite("A database that programs open at the same time")
struct SharedDatabaseTests {
  @Test("Each finds all tables, whoever made them")
  func together() async throws {
    for _ in 0..<20 {
      let folder = try Scratch()
      let servers = try await withThrowingTaskGroup(of: UUID.self) { group in
        for _ in 0..<4 {
          group.addTask { try await SQLRecords(try SQLiteDatabase(in: folder.url)).server }
        }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(servers.count == 1)
    }
  }
}

import Checksums
import Foundation
import NIOCore
import ServerSupport
import Testing

@testable import FeedServer

@Suite("What is kept, and for how long")
struct SweepTests {
  private let scratch: Scratch
  private let records: SQLRecords
  private let blobs: FolderBlobs
  private let limits = Limits()
  private let person: Int64

  init() async throws {
    scratch = try Scratch()
    let database: any SQLDatabase
    if let address = try TestPostgres.database(for: scratch.url) {
      database = try PostgresDatabase(address, connections: 2)
    } else {
      database = try SQLiteDatabase(in: scratch.url)
    }
    records = try await SQLRecords(database)
    blobs = try FolderBlobs(in: scratch.url)
    try await records.addDevice("first", of: "anna", token: BearerGuard.hash("token"))
    let visitor = try await records.visitor(token: BearerGuard.hash("token"))
    person = try #require(visitor).person
  }

  private func sweep(afterDays days: Double) async throws {
    try await Sweeper(records: records, blobs: blobs, limits: limits, metrics: Metrics())
      .sweep(at: .now + days * 86_400)
  }

  @discardableResult
  private func write(
    _ id: String, deleted: Bool = false, naming blobs: [BlobName] = [], replacing tag: String? = nil
  ) async throws -> String {
    let names = blobs.map { "\"\($0)\"" }.joined(separator: ",")
    let json = "{\"id\":\"\(id)\",\"deleted\":\(deleted),\"blobs\":[\(names)]}"
    let condition = tag.map { WriteCondition.isOne(of: ["\"\($0)\""]) } ?? .isMissing
    let result = try await records.write(
      SentRecord(Data(json.utf8), id: id), of: person, in: .photos, if: condition, limits: limits)
    guard case .stored(let tag, _, _) = result else { throw POSIXError(.EEXIST) }
    return tag
  }

  private func changes(since cursor: String? = nil) async throws -> RecordPage? {
    try await records.changes(of: person, in: .photos, since: cursor, limit: 500)
  }

  @Test("The trace of a deleted record is kept for the window; who comes later begins anew")
  func traces() async throws {
    let (kept, gone) = (newID(), newID())
    let tag = try await write(gone)
    try await write(kept)
    let before = try #require(try await changes()).cursor
    try await write(gone, deleted: true, replacing: tag)
    let after = try #require(try await changes()).cursor
    try await sweep(afterDays: 399)
    #expect(try await changes()?.records.count == 2)
    #expect(try await changes(since: before)?.records.count == 1)
    try await sweep(afterDays: 401)
    #expect(try await changes()?.records.count == 1)
    // The deletion would be missed from there, and from here on nothing is.
    #expect(try await changes(since: before) == nil)
    #expect(try await changes(since: after)?.records.isEmpty == true)
    try await write(newID())
    #expect(try await changes(since: after)?.records.count == 1)
  }

  @Test("A cursor of a version that was replaced is good for the window")
  func versions() async throws {
    let id = newID()
    let tag = try await write(id)
    let cursor = try #require(try await changes()).cursor
    try await write(id, replacing: tag)
    try await sweep(afterDays: 399)
    #expect(try await changes(since: cursor)?.records.count == 1)
    try await sweep(afterDays: 401)
    #expect(try await changes(since: cursor) == nil)
    #expect(try await changes()?.records.count == 1)
  }

  @Test(
    "A blob that no record names goes after thirty days with its bytes; one that is named stays")
  func unnamed() async throws {
    let (named, dropped, never) = (bytes(10), bytes(20), bytes(40))
    for data in [named, dropped, never] { try await add(data) }
    let id = newID()
    let tag = try await write(id, naming: [BlobName(of: named), BlobName(of: dropped)])
    let json = try await records.record(id, of: person, in: .photos)?.json.count ?? 0
    #expect(try await records.bytes(of: person) == 70 + json)
    try await write(id, naming: [BlobName(of: named)], replacing: tag)
    try await sweep(afterDays: 29)
    #expect(try await have([named, dropped, never]) == [true, true, true])
    try await sweep(afterDays: 31)
    #expect(try await have([named, dropped, never]) == [true, false, false])
    let now = try await records.record(id, of: person, in: .photos)?.json.count ?? 0
    #expect(try await records.bytes(of: person) == 10 + now)
    // Their files go, too, when nobody can be at them any more.
    try await sweep(afterDays: 32)
    #expect(try files() == 1)
  }

  @Test("An upload that nobody goes on with is discarded after two days")
  func uploads() async throws {
    let upload = try await blobs.begin()
    let key = BlobKey(person: person, name: BlobName(of: bytes(5)))
    try await records.setUpload(upload, key)
    try await sweep(afterDays: 1)
    #expect(try await blobs.received(upload) == 0)
    try await sweep(afterDays: 3)
    #expect(try await records.upload(key) == nil)
    #expect(try await blobs.received(upload) == nil)
  }

  private func add(_ data: Data) async throws {
    let upload = try await blobs.begin()
    let body = AsyncStream<ByteBuffer> { stream in
      stream.yield(ByteBuffer(bytes: data))
      stream.finish()
    }
    _ = try await blobs.append(body, to: upload, at: 0, limit: 100)
    let blob = Blob(size: data.count, type: "image/png", place: blobs.place(for: upload))
    try await records.reserve(blob.place)
    try await blobs.finish(upload)
    let key = BlobKey(person: person, name: BlobName(of: data))
    try await records.addBlob(blob, key, limits: limits)
  }

  private func have(_ files: [Data]) async throws -> [Bool] {
    var answers: [Bool] = []
    for data in files {
      let key = BlobKey(person: person, name: BlobName(of: data))
      answers.append(try await records.blob(key) != nil)
    }
    return answers
  }

  private func files() throws -> Int {
    let folder = scratch.url.appending(component: "blobs")
    let shelves = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try shelves.reduce(0) { count, shelf in
      let files = folder.appending(component: shelf).path
      return try count + FileManager.default.contentsOfDirectory(atPath: files).count
    }
  }
}

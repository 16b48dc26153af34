import Checksums
import Foundation
import ServerSupport
import Testing

@testable import FeedServer

@Suite(
  "From SQLite to PostgreSQL", .serialized,
  .enabled("Tests/with-postgres starts PostgreSQL") { TestPostgres.address != nil })
struct CopyTests {
  private let scratch: Scratch
  private let folder: URL
  private let records: String
  private let token: String

  init() async throws {
    scratch = try Scratch()
    folder = scratch.url.appending(component: "data")
    records = try #require(try TestPostgres.database(for: scratch.url.appending(component: "new")))
    token = try await Self.addToken("anna", in: ["--data", folder.path])
  }

  private static func addToken(_ person: String, in place: [String]) async throws -> String {
    do {
      _ = try await ServerProcess("feed-server", place + ["--add-token", person])
    } catch let failure as ServerProcess.Failure {
      return failure.description
    }
    throw POSIXError(.EINVAL)
  }

  /// What a client that goes on has to find again.
  private struct Before {
    var cursors: [String] = []
    var pages: [Data] = []
    var me = Data()
    var etag = ""
    var id = newID()
    var file = bytes(3000)
  }

  private let paths = ["v1/feeds/photos/records", "v1/feeds/cards/records"]

  /// Fills the old server with what people do: new, changed and deleted records, files, devices.
  private func fill() async throws -> Before {
    var before = Before()
    let server = try await ServerProcess("feed-server", ["--data", folder.path])
    let anna = APIClient(server.address, token: token)
    _ = try await anna.put(before.file)
    for number in 0..<120 {
      #expect(try await anna.put(newID(), ["number": number]).status == 201)
    }
    let card = newID()
    let first = try await anna.put(card, ["name": "a"], in: "cards")
    for path in paths { before.cursors.append(try await cursor(anna, path)) }
    let named = try await anna.put(before.id, ["blobs": [BlobName(of: before.file).text]])
    before.etag = try #require(named["ETag"])
    _ = try await anna.put(
      card, ["deleted": true], in: "cards", replacing: try #require(first["ETag"]))
    let made = try await anna.ask("POST", "v1/devices", body: Data(#"{"name":"Phone"}"#.utf8))
    #expect(made.status == 201)
    before.pages = try await pages(anna, before)
    before.me = try await anna.ask("GET", "v1/me").body
    #expect(await server.end() == 0)
    _ = try await Self.addToken("bert", in: ["--data", folder.path])
    return before
  }

  private func cursor(_ client: APIClient, _ path: String) async throws -> String {
    try #require(try await client.ask("GET", path).object["cursor"] as? String)
  }

  /// All of both feeds, and what is new after cursors, without what the time is.
  private func pages(_ client: APIClient, _ before: Before) async throws -> [Data] {
    var pages: [Data] = []
    for (path, cursor) in zip(paths, before.cursors) {
      for path in [path, "\(path)?since=\(cursor)"] {
        let answer = try await client.ask("GET", path)
        #expect(answer.status == 200)
        var page = answer.object
        page["time"] = nil
        pages.append(try JSONSerialization.data(withJSONObject: page, options: .sortedKeys))
      }
    }
    return pages
  }

  private func copy(_ options: String..., environment: [String: String] = [:]) throws -> (
    status: Int32, words: String
  ) {
    let (process, output) = (Process(), Pipe())
    process.executableURL = ServerProcess.folder.appending(component: "feed-server")
    process.arguments = ["copy", "--from", folder.path, "--records", records] + options
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let words = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: words, as: UTF8.self))
  }

  @Test("Clients go on: the same server, person, tokens, cursors, ETags and files; new ones fit in")
  func unchanged() async throws {
    let before = try await fill()
    let (status, words) = try copy()
    #expect(status == 0, "\(words)")
    #expect(words.contains("person: 2") && words.contains("record: 122"))
    let place = ["--data", folder.path, "--records", records, "--connections", "4"]
    let server = try await ServerProcess("feed-server", place)
    let anna = APIClient(server.address, token: token)
    #expect(try await anna.ask("GET", "v1/me").body == before.me)
    #expect(try await pages(anna, before) == before.pages)
    #expect(
      try await anna.ask("GET", "v1/blobs/\(BlobName(of: before.file))").body == before.file)
    // What was known before is what a write needs.
    let write = try await anna.put(before.id, ["x": 1], replacing: before.etag)
    #expect(write.status == 200)
    let page = try await anna.ask("GET", "\(paths[0])?since=\(before.cursors[0])").object
    #expect((page["records"] as? [Any])?.count == 1)
    // Numbers after those that are taken.
    let made = try await anna.ask("POST", "v1/devices", body: Data(#"{"name":"New"}"#.utf8))
    #expect(made.status == 201)
    let chris = APIClient(server.address, token: try await Self.addToken("chris", in: place))
    #expect(try await chris.put(newID()).status == 201)
  }

  @Test("A database in which somebody has something is refused, and stays as it was")
  func notEmpty() async throws {
    _ = try await fill()
    #expect(try copy().status == 0)
    let database = try PostgresDatabase(records, connections: 1)
    _ = try await SQLRecords(database).visitor(token: BearerGuard.hash(token))
    let (status, words) = try copy()
    #expect(status != 0 && words.contains("has 2 people already"), "\(words)")
    let people = try await database.read { try $0.row("SELECT count(*) FROM person")?.integer(0) }
    #expect(people == 2)
  }

  @Test("A folder in which no server kept anything is refused, and nothing is made there")
  func nothing() throws {
    let empty = scratch.url.appending(component: "empty")
    let (status, words) = try copy("--from", empty.path)
    #expect(status != 0 && words.contains("has no backend.sqlite"), "\(words)")
    #expect(!FileManager.default.fileExists(atPath: empty.path))
  }

  @Test("Where rows don't become as many, nothing counts")
  func unequal() async throws {
    _ = try await fill()
    let (source, target) = (
      try SQLiteDatabase(in: folder), try PostgresDatabase(records, connections: 1)
    )
    // As if one were lost.
    try await source.write { session in
      _ = try session.rows("INSERT INTO naming (person, feed, id, name) VALUES (77, 'x', 'y', 'z')")
    }
    await #expect(throws: DatabaseCopy.Failure.self) {
      try await source.snapshot { source in
        _ = try target.writeAll { try DatabaseCopy(source: source, target: $0).run() }
      }
    }
    let people = try await target.read { try $0.row("SELECT count(*) FROM person")?.integer(0) }
    #expect(people == 0)
  }

  @Test(
    "Files go into another store with each byte looked at; one that is damaged is wanted again",
    .disabled(if: Moto.absence != nil, Moto.absence))
  func files() async throws {
    let before = try await fill()
    let old = try await ServerProcess("feed-server", ["--data", folder.path])
    let (lost, id) = (bytes(100), newID())
    let name = try await APIClient(old.address, token: token).put(lost)
    _ = try await APIClient(old.address, token: token).put(id, ["blobs": [name.text]])
    #expect(await old.end() == 0)
    let place = try await SQLiteDatabase(in: folder).read {
      try $0.row("SELECT place FROM blob WHERE name = $1", name.text)?.text(0)
    }
    try bytes(100).write(to: folder.appending(path: try #require(place)))
    let moto = try await Moto()
    let (status, words) = try copy("--blobs", moto.address(), environment: moto.environment)
    #expect(status == 0 && words.contains("1 files are missing or damaged"), "\(words)")
    let server = try await ServerProcess(
      "feed-server", ["--records", records, "--blobs", moto.address()],
      environment: moto.environment)
    let anna = APIClient(server.address, token: token)
    #expect(
      try await anna.ask("GET", "v1/blobs/\(BlobName(of: before.file))").body == before.file)
    #expect(try await anna.ask("GET", "v1/feeds/photos/missing").missing == [name.text])
    #expect(try await anna.put(lost) == name)
    let me = try await anna.ask("GET", "v1/me").object
    let was = try JSONSerialization.jsonObject(with: before.me) as? [String: Any]
    #expect(me["bytes"] as? Int ?? 0 > was?["bytes"] as? Int ?? 0)
  }
}

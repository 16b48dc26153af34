import Foundation
import ServerSupport
import Testing

@Suite(
  "A database that another takes the place of", .serialized, .timeLimit(.minutes(2)),
  .enabled("Tests/with-postgres starts PostgreSQL") { TestPostgres.address != nil })
struct FailoverTests {
  private let scratch: Scratch
  private let databases: PostgresPair
  private let options: [String]

  init() async throws {
    scratch = try Scratch()
    databases = try await PostgresPair()
    options = ["--data", scratch.url.path] + databases.options
  }

  /// Runs `feed-server --add-token`, which prints a token where it would print its address.
  private func addToken() async throws -> String {
    do { _ = try await ServerProcess("feed-server", options + ["--add-token", "anna"]) } catch {
      return try #require(error as? ServerProcess.Failure).description
    }
    throw POSIXError(.EINVAL)
  }

  @Test(
    "The primary is killed under load and its synchronous standby promoted: each request is served after some tries, and nothing acknowledged is lost"
  )
  func synchronous() async throws {
    try databases.primary.query(
      "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
    let token = try await addToken()
    let server = try await ServerProcess("feed-server", options)
    let writers = Writers([server.address], token: token)
    try await writers.write(clients: 6) {
      try await writers.awaitWrites(50)
      // From here on the standby hears nothing, and nothing may be acknowledged.
      let sender = try databases.primary.query("SELECT pid FROM pg_stat_replication")
      kill(try #require(Int32(sender)), SIGSTOP)
      try await Task.sleep(for: .seconds(1))
      try databases.failOver()
      try await writers.awaitWrites(50)
    }
    print("\(writers.count) records, \(writers.failures) failed tries")
    #expect(try await writers.problems(of: APIClient(server.address, token: token)) == [])
  }

  @Test(
    "What a standby never had is noticed: cursors and versions of it count no more, those from before do"
  )
  func asynchronous() async throws {
    let token = try await addToken()
    var server = try await ServerProcess("feed-server", options)
    var anna = APIClient(server.address, token: token)
    let path = "v1/feeds/photos/records"
    let (kept, lost) = (newID(), newID())
    let etag = try #require(try await anna.put(kept)["ETag"])
    let before = try #require(try await anna.ask("GET", path).object["cursor"] as? String)
    try await databases.silence()
    let lostTag = try #require(try await anna.put(lost)["ETag"])
    let editedTag = try #require(try await anna.put(kept, replacing: etag)["ETag"])
    let after = try #require(try await anna.ask("GET", path).object["cursor"] as? String)
    try databases.failOver()
    // The same program goes on, and another that starts now knows the same.
    for isNew in [false, true] {
      if isNew {
        server = try await ServerProcess("feed-server", options)
        anna = APIClient(server.address, token: token)
      }
      #expect(try await anna.ask("GET", "\(path)?since=\(after)").status == 410)
      #expect(try await anna.ask("GET", "\(path)?since=\(after)&wait=1").status == 410)
      #expect(try await anna.ids(in: "\(path)?since=\(before)") == [])
      #expect(try await anna.put(lost, replacing: lostTag).status == 412)
      #expect(try await anna.put(kept, replacing: editedTag).status == 412)
    }
    // What was lost is sent again, and takes the same numbers, but no old cursor means it.
    #expect(try await anna.put(lost).status == 201)
    #expect(try await anna.put(kept, replacing: etag).status == 200)
    #expect(try await anna.ask("GET", "\(path)?since=\(after)").status == 410)
    #expect(try await anna.ids(in: "\(path)?since=\(before)") == [lost, kept])
  }
}

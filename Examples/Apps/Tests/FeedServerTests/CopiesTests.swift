import Foundation
import ServerSupport
import Testing

@testable import FeedServer

@Suite(
  "Several copies of the server", .serialized,
  .enabled("Tests/with-postgres starts PostgreSQL") { TestPostgres.address != nil })
struct CopiesTests {
  private let scratch: Scratch
  private let folder: URL

  init() throws {
    scratch = try Scratch()
    folder = scratch.url.appending(component: "data")
  }

  /// `VIEWFINDER_KILLS`, to try for longer.
  private static let kills =
    ProcessInfo.processInfo.environment["VIEWFINDER_KILLS"].flatMap { Int($0) } ?? 4

  @Test(
    "Copies are killed one after the other under load: each request is served after some tries, and nothing acknowledged is lost",
    .enabled(if: Moto.absence == nil, Moto.absence))
  func kills() async throws {
    let moto = try await Moto()
    let token = try await FeedServerProcess.addToken("anna", in: folder)
    func start(_ options: [String] = []) async throws -> ServerProcess {
      try await FeedServerProcess.start(
        in: folder, ["--blobs", moto.address()] + options,
        environment: moto.environment)
    }
    var copies = [try await start(), try await start()]
    let writers = Writers(copies.map(\.address), token: token, sendsBlobs: true)
    try await writers.write(clients: 6) {
      for kill in 0..<Self.kills {
        try await writers.awaitWrites(20)
        let port = copies[kill % 2].port
        #expect(await copies[kill % 2].end(SIGKILL) == SIGKILL)
        try await writers.awaitWrites(20)
        copies[kill % 2] = try await start(["--listen", "127.0.0.1:\(port)"])
      }
    }
    print("\(writers.count) records, \(Self.kills) kills, \(writers.failures) failed tries")
    #expect(writers.failures > 0)
    for copy in copies {
      #expect(try await writers.problems(of: APIClient(copy.address, token: token)) == [])
    }
  }

  @Test(
    "Who waits at one copy hears at once of what is written at another", .timeLimit(.minutes(1)))
  func news() async throws {
    let address = try #require(try TestPostgres.database(for: folder))
    let (here, there) = (PostgresHints(address), PostgresHints(address))
    // Nobody asks the engine without a hint.
    let news = News(hints: here, pause: .seconds(3600))
    let service = Task { try await news.run() }
    defer { service.cancel() }
    let keys = [NewsKey(person: 1, feed: "cards"), NewsKey(person: 12, feed: "photos")]
    // Whether it listens yet is nobody's to know.
    let writer = Task {
      while !Task.isCancelled {
        for key in keys { there.tell(key) }
        try await Task.sleep(for: .milliseconds(100))
      }
    }
    defer { writer.cancel() }
    for key in keys {
      let asked = Counter()
      // Once at the beginning, once when it begins to listen, and again for hints.
      let count = try await news.wait(key, for: .seconds(3600), atMost: 32) {
        let count = asked.next()
        return (count, isNews: count > 3)
      }
      #expect(count == 4)
    }
  }

  @Test(
    "Who waits asks again when hints come back after their connection was lost",
    .timeLimit(.minutes(1)))
  func lostHints() async throws {
    let address = try #require(try TestPostgres.database(for: folder))
    let news = News(hints: PostgresHints(address), pause: .seconds(3600))
    let service = Task { try await news.run() }
    defer { service.cancel() }
    let asked = Counter()
    let count = try await news.wait(
      NewsKey(person: 1, feed: "cards"), for: .seconds(3600), atMost: 32
    ) {
      let count = asked.next()
      if count > 1 {
        let connection = try PostgresConnection(address)
        _ = try connection.rows(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()
          """, [])
      }
      return (count, isNews: count > 3)
    }
    #expect(count == 4)
  }
}

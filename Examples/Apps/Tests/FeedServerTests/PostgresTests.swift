import Foundation
import ServerSupport
import Testing
import WebServing

@testable import FeedServer

@Suite(
  "A database that is in trouble", .serialized, .timeLimit(.minutes(1)),
  .enabled("Tests/with-postgres starts PostgreSQL") { TestPostgres.address != nil })
struct PostgresTests {
  private let node: PostgresNode
  private let limits: PostgresLimits

  init() async throws {
    node = try await PostgresNode()
    var limits = PostgresLimits()
    (limits.connection, limits.statement, limits.patience) = (2, .seconds(1), .seconds(4))
    self.limits = limits
  }

  private func database(connections: Int = 3) throws -> PostgresDatabase {
    try PostgresDatabase(node.address(of: "postgres"), connections: connections, limits: limits)
  }

  /// Asks for a number that the database has to answer.
  private func ask(_ database: PostgresDatabase) async throws -> Int? {
    try await database.read { try $0.row("SELECT 1")?.integer(0) }
  }

  @Test(
    "While a database answers nothing nobody waits for ever, and when it answers again all are served"
  )
  func silent() async throws {
    let database = try database()
    #expect(try await ask(database) == 1)
    node.freeze()
    await withTaskGroup(of: Void.self) { group in
      // More than there are connections, so that some wait in line.
      for _ in 0..<12 {
        group.addTask {
          let error = await #expect(throws: WebError.self) { try await ask(database) }
          #expect(error?.status == .serviceUnavailable)
        }
      }
    }
    node.thaw()
    for _ in 0..<12 { #expect(try await ask(database) == 1) }
  }

  @Test("A write of which nobody knows whether it counts isn't done again")
  func unknown() async throws {
    let (database, tries) = (try database(), Counter())
    let error = await #expect(throws: WebError.self) {
      try await database.write { session in
        _ = tries.next()
        _ = try session.rows("INSERT INTO rubbish VALUES ('x', 1) RETURNING place")
        try endConnections()
      }
    }
    #expect(error?.status == .serviceUnavailable)
    #expect(tries.next() == 2)
    #expect(try await ask(database) == 1)
  }

  /// Ends what is between server and database.
  private func endConnections() throws {
    try node.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'feed-server'"
    )
  }

  @Test("A connection that the database ends is made anew, and what was begun on it is done again")
  func healed() async throws {
    let (database, tries) = (try database(), Counter())
    try await database.write { session in
      let count = tries.next()
      _ = try session.rows("SELECT 1")
      if count == 1 { try endConnections() }
      _ = try session.rows("INSERT INTO rubbish VALUES ($1, 1) RETURNING place", "try \(count)")
    }
    #expect(try node.query("SELECT place FROM rubbish") == "try 2")
  }

  @Test("Of statements that go together a refused one undoes all, and the connection goes on")
  func together() async throws {
    let database = try database(connections: 1)
    await #expect(throws: WebError.self) {
      try await database.write { session in
        try session.run("INSERT INTO rubbish VALUES ('a', 1)")
        try session.run("INSERT INTO rubbish VALUES (NULL, 1)")
        try session.run("INSERT INTO rubbish VALUES ('b', 1)")
      }
    }
    await #expect(throws: WebError.self) {
      try await database.write { session in
        try session.run("INSERT INTO rubbish VALUES ('c', 1)")
        _ = try session.rows("SELECT 1 / 0")
      }
    }
    #expect(try node.query("SELECT count(*) FROM rubbish") == "0")
    let count = try await database.write { session in
      for number in 0..<200 { try session.run("INSERT INTO rubbish VALUES ($1, 1)", "\(number)") }
      return try session.row("SELECT count(*) FROM rubbish")?.integer(0)
    }
    #expect(count == 200)
    #expect(try node.query("SELECT count(*) FROM rubbish") == "200")
  }

  @Test("A crowd takes no more connections than it may have")
  func bounded() async throws {
    let database = try database()
    try await withThrowingTaskGroup(of: Int?.self) { group in
      // Long enough that no connection is through with all before the others are there.
      for _ in 0..<200 {
        group.addTask {
          try await database.read { try $0.row("SELECT 1 FROM pg_sleep(0.01)")?.integer(0) }
        }
      }
      for try await answer in group { #expect(answer == 1) }
    }
    // The one that made the tables may still be on its way out.
    var count = ""
    try await wait("three connections", last: { "There are \(count)." }) {
      count = try node.query(
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'feed-server'")
      return count == "3"
    }
  }

  @Test("A statement that takes too long is ended, and the next is served")
  func slow() async throws {
    let database = try database(connections: 1)
    let error = await #expect(throws: WebError.self) {
      try await database.read { _ = try $0.row("SELECT pg_sleep(60)") }
    }
    #expect(error?.message.contains("57014") == true)
    #expect(try await ask(database) == 1)
  }
}

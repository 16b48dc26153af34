import CardModel
import CardStore
import CardSync
import Checksums
import FeedClient
import Foundation
import ServerSupport
import Synchronization
import Testing

@testable import FeedSync

@Suite("Servers that ignore conditions")
struct ConditionsTests {
  private let visit: Visit

  init() throws { visit = try Visit() }

  /// A server that answers as it should to a number of writes, and stores whatever comes after them.
  private func careless(after count: Int) -> TestServer.Handler {
    let right = ["412 Precondition Failed", "201 Created", "412 Precondition Failed"]
    let writes = Mutex(0)
    return { request, connection in
      if request.method == "GET" {
        return connection.answer("200 OK", "{\"cursor\":\"0\",\"more\":false,\"records\":[]}")
      }
      let number = writes.withLock { number in
        defer { number += 1 }
        return number
      }
      let status = number < count ? right[number] : "200 OK"
      connection.answer(
        status, "{}",
        fields: ["ETag: \"1\"", "Repr-Digest: \(ReprDigest.field(of: request.body))"])
    }
  }

  @Test(
    "A server that ignores conditions is refused by name, remembered, and gets nothing of the person's",
    arguments: [
      (0, "If-Match on a new record"), (2, "If-None-Match: *"), (3, "If-Match"),
    ])
  func ignoresConditions(count: Int, condition: String) async throws {
    let (words, server) = try await visit.failure(handler: careless(after: count)) { error in
      if case .ignoresConditions(_, condition) = error { true } else { false }
    }
    #expect(words.contains("http://127.0.0.1:\(server.port)"))
    #expect(words.contains("ignores conditional requests (\(condition))"))
    let writes = server.requests.filter { $0.method == "PUT" }
    #expect(!writes.isEmpty)
    for write in writes {
      let record = CardRecord(try JSONValue(parsing: write.body))
      #expect(record?.isDeleted == true && record?.id == SignOn.probe)
    }
    // It is tried again when the program begins, and not each time.
    let sync = CardSync(visit.store, FeedClient(cards: server.url, token: "secret-token"))
    for isTried in [true, false] {
      server.forgetRequests()
      await #expect { try await sync.sync() } throws: { error in
        if case FeedError.ignoresConditions = error { true } else { false }
      }
      #expect(server.requests.contains { $0.method == "PUT" } == isTried)
      #expect(sync.status.phase.isRefused)
    }
  }

  @Test("A server without strong ETags is told of")
  func weak() async throws {
    let words = try await visit.failure { request, connection in
      if request.method == "GET" {
        return connection.answer("200 OK", "{\"cursor\":\"0\",\"more\":false,\"records\":[]}")
      }
      let fields = ["ETag: W/\"1\"", "Repr-Digest: \(ReprDigest.field(of: request.body))"]
      connection.answer(
        request.header("If-Match") == nil ? "201 Created" : "412 Failed", fields: fields)
    } throws: { error in
      if case .notUnderstood = error { true } else { false }
    }.words
    #expect(words.contains("no strong ETag"))
  }
}

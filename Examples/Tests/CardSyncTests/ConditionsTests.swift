import CardModel
import CardStore
import Foundation
import Testing

@testable import CardSync

@Suite("Servers that ignore conditions")
struct ConditionsTests {
  private let visit: Visit

  init() throws { visit = try Visit() }

  /// A server that stores whatever comes, whatever the conditions; `honours` says for which method of conditions it
  /// answers 412 once a record is there.
  private func careless(honours: String?) -> TestServer.Handler {
    { request, connection in
      if request.method == "GET" {
        return connection.answer("200 OK", "{\"cursor\":\"0\",\"more\":false,\"records\":[]}")
      }
      if let honours, request.header(honours) != nil, request.target.contains("records") {
        return connection.answer("412 Precondition Failed", "{}")
      }
      connection.answer("200 OK", fields: ["ETag: \"1\""])
    }
  }

  @Test(
    "A server that ignores conditions is refused by name, remembered, and gets nothing of the person's",
    arguments: [
      (nil, "If-Match on a new record"), ("If-Match", "If-None-Match: *"),
      ("If-None-Match", "If-Match"),
    ])
  func ignoresConditions(honours: String?, condition: String) async throws {
    let (words, server) = try await visit.failure(handler: careless(honours: honours))
    #expect(words.contains("http://127.0.0.1:\(server.port)"))
    #expect(words.contains("ignores conditional requests (\(condition)"))
    let writes = server.requests.filter { $0.method == "PUT" }
    #expect(!writes.isEmpty)
    for write in writes {
      let record = CardRecord(try JSONValue(parsing: write.body))
      #expect(record?.isDeleted == true && record?.id == SignOn.probe)
    }
    server.forgetRequests()
    let sync = CardSync(visit.store, HTTPBackend(url: server.url, token: "secret-token"))
    await #expect(throws: CardSyncError.self) { try await sync.sync() }
    #expect(server.requests.allSatisfy { $0.method == "GET" })
    #expect(sync.status.phase.isRefused)
    // Until the person wants it tried again.
    try await sync.tryRefusedAgain()
    await #expect(throws: CardSyncError.self) { try await sync.sync() }
    #expect(server.requests.contains { $0.method == "PUT" })
  }

  @Test("A server without strong ETags is told of")
  func weak() async throws {
    let words = try await visit.failure { request, connection in
      if request.method == "GET" {
        return connection.answer("200 OK", "{\"cursor\":\"0\",\"more\":false,\"records\":[]}")
      }
      connection.answer(
        request.header("If-Match") == nil ? "201 Created" : "412 Failed", fields: ["ETag: W/\"1\""])
    }.words
    #expect(words.contains("no strong ETag"))
  }
}

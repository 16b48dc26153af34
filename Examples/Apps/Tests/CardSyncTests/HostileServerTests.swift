import CardModel
import CardStore
import FeedClient
import Foundation
import ServerSupport
import Testing

@testable import FeedSync

@Suite("Servers that do harm")
struct HostileServerTests {
  private let visit: Visit

  init() throws { visit = try Visit() }

  @Test(
    "Garbage is told",
    arguments: ["", "<html>", "{}", "[1]", "{\"cursor\":1}", "{\"cursor\":\"1\",\"records\":[1]}"])
  func garbage(body: String) async throws {
    let words = try await visit.failure {
      $1.answer("200 OK", body)
    } throws: { error in
      if case .notUnderstood = error { true } else { false }
    }.words
    #expect(words.contains("doesn't answer as one for cards or photos"))
  }

  @Test("JSON that is nested without end does no harm")
  func nested() async throws {
    let body = String(repeating: "[", count: 100_000)
    let words = try await visit.failure {
      $1.answer("200 OK", body)
    } throws: { error in
      if case .notUnderstood = error { true } else { false }
    }.words
    #expect(words.contains("isn't JSON"))
  }

  @Test("A server with problems is told of, with its words and no more")
  func errors() async throws {
    let message = "Out of order." + String(repeating: "!", count: 1000) + "\u{1b}[31m"
    let body = String(decoding: JSONValue.object(["error": .string(message)]).data, as: UTF8.self)
    let words = try await visit.failure {
      $1.answer("500 Internal Server Error", body)
    } throws: { error in
      if case .failed(_, 500, _, nil) = error { true } else { false }
    }.words
    #expect(words.contains("has a problem (500)") && words.contains("Out of order."))
    #expect(words.count < 400 && !words.contains("\u{1b}"))
  }

  @Test("An answer that no wallet can work with is told in words")
  func statuses() async throws {
    var words = try await visit.failure {
      $1.answer("401 Unauthorized")
    } throws: { error in
      if case .notSignedOn = error { true } else { false }
    }.words
    #expect(words.contains("doesn't know the token"))
    words = try await visit.failure {
      $1.answer("404 Not Found")
    } throws: { error in
      if case .notUnderstood = error { true } else { false }
    }.words
    #expect(words.contains("nothing there"))
    words = try await visit.failure {
      $1.answer("507 Insufficient Storage")
    } throws: { error in
      if case .full = error { true } else { false }
    }.words
    #expect(words.contains("no room"))
  }

  @Test("The token goes to no other server")
  func redirects() async throws {
    let other = try TestServer { $1.answer("200 OK") }
    let place = "Location: \(other.url)/v1/records"
    let words = try await visit.failure {
      $1.answer("302 Found", fields: [place])
    } throws: { error in
      if case .redirected = error { true } else { false }
    }.words
    #expect(words.contains("sends on to http://127.0.0.1:\(other.port)"))
    #expect(other.requests.isEmpty)
  }

  @Test("A server that sends in circles is left")
  func circles() async throws {
    let (words, server) = try await visit.failure {
      $1.answer("307 Go", fields: ["Location: /again"])
    } throws: { error in
      if case .notUnderstood = error { true } else { false }
    }
    #expect(words.contains("on and on"))
    #expect(server.requests.count == 4)
  }

  @Test("2 GB aren't read, whether they are announced or not", arguments: [true, false])
  func huge(isAnnounced: Bool) async throws {
    let words = try await visit.failure { _, connection in
      let length = isAnnounced ? "Content-Length: \(2 << 30)\r\n" : ""
      connection.send("HTTP/1.1 200 OK\r\n\(length)Connection: close\r\n\r\n")
      let chunk = Data(repeating: 0x20, count: 1 << 20)
      for _ in 0..<2048 where !connection.send(chunk) { return }
    } throws: { error in
      if case .tooLarge = error { true } else { false }
    }.words
    #expect(words.contains("more than 16 MB"))
  }

  @Test(
    "A server that says nothing, or a byte now and then, is left in time", arguments: [true, false])
  func slow(isSilent: Bool) async throws {
    var limits = HTTPLimits()
    limits.time = .milliseconds(700)
    let words = try await visit.failure(limits) { _, connection in
      if !isSilent { connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n") }
      for _ in 0..<100 where isSilent || connection.send(" ") { Thread.sleep(forTimeInterval: 0.1) }
    } throws: { error in
      if case .tooSlow = error { true } else { false }
    }.words
    #expect(words.contains("didn't answer within"))
  }

  @Test("A server that refuses what hasn't come yet is heard, each time")
  func early() async throws {
    let scratch = try Scratch()
    let backend = try await Backend(in: scratch.url)
    // Nothing is there, so that it answers at once.
    let url = backend.url.appending(path: "nothing")
    let exchange = HTTPExchange(
      address: HTTPExchange.name(of: url), token: backend.token, limits: HTTPLimits())
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<1000 {
        group.addTask {
          try await exchange.send(.PUT, url, body: HTTPBody(Data("x".utf8)), limit: 1 << 16).status
        }
      }
      for try await status in group { #expect(status == 404) }
    }
  }

  @Test("A list without end is left")
  func endless() async throws {
    let words = try await visit.failure { request, connection in
      connection.answer("200 OK", "{\"cursor\":\"\(UUID())\",\"more\":true,\"records\":[]}")
    } throws: { error in
      if case .notUnderstood = error { true } else { false }
    }.words
    #expect(words.contains("no end"))
  }

  @Test("Nobody there is told")
  func nobody() async throws {
    let words = try await visit.failure { _, _ in
    } throws: { error in
      if case .unreachable = error { true } else { false }
    }.words
    #expect(words.contains("can't be reached"))
  }
}

import Foundation
import ServerSupport
import Synchronization
import Testing

@testable import FeedClient

@Suite("A busy server")
struct BusyServerTests {
  @Test("Who waits in line behind sixteen requests longer than connecting may take is answered")
  func line() async throws {
    let server = try TestServer {
      Thread.sleep(forTimeInterval: 11)
      $1.answer("200 OK", $0.target)
    }
    let exchange = HTTPExchange(address: "a server", token: nil, limits: HTTPLimits())
    let answers = try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<18 {
        group.addTask {
          let answer = try await exchange.send(
            .GET, server.url.appending(path: "\(number)"), limit: 100)
          return String(decoding: answer.body, as: UTF8.self)
        }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(answers == Set((0..<18).map { "/\($0)" }))
  }

  @Test("Who waits for news keeps nobody from sending")
  func news() async throws {
    let held = DispatchSemaphore(value: 0)
    let server = try TestServer { request, connection in
      if request.method == "GET" { held.wait() }
      connection.answer("200 OK")
    }
    let exchange = HTTPExchange(address: "a server", token: nil, limits: HTTPLimits())
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<20 {
        group.addTask {
          try await exchange.send(.GET, server.url, limit: 100, wait: .seconds(60)).status
        }
      }
      for _ in 0..<6000 where server.requests.count < 20 {
        try await Task.sleep(for: .milliseconds(10))
      }
      let status = try await exchange.send(.PUT, server.url, limit: 100).status
      #expect(status == 200)
      for _ in 0..<20 { held.signal() }
      for try await status in group { #expect(status == 200) }
    }
  }

  @Test("No more than the limit go at a time, each server has its own line, and all get their turn")
  func turns() async throws {
    let turns = HTTPTurns(limit: 3)
    let busy = Visitors()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        let server = number % 2 == 0 ? "a" : "b"
        group.addTask {
          try await turns.take(at: server) {
            busy.begin(at: server)
            try await Task.sleep(for: .milliseconds(1))
            busy.end(at: server)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(busy.most == ["a": 3, "b": 3])
    #expect(busy.ended == 200)
  }

  @Test(
    "Who is cancelled in line or before it leaves, and keeps nobody there",
    arguments: [true, false])
  func cancelled(isInLine: Bool) async throws {
    let turns = HTTPTurns(limit: 1)
    let (end, ending) = AsyncStream.makeStream(of: Void.self)
    let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
    let first = Task {
      try await turns.take(at: "a") {
        beginning.finish()
        for await _ in end {}
      }
    }
    for await _ in begun {}
    let second = Task { try await turns.take(at: "a") { Issue.record("It was cancelled.") } }
    // Time to be in line; on a machine too busy for that it is the other case.
    if isInLine { try await Task.sleep(for: .milliseconds(200)) }
    let third = Task { try await turns.take(at: "a") { "a turn" } }
    second.cancel()
    ending.finish()
    await #expect(throws: CancellationError.self) { try await second.value }
    try await first.value
    #expect(try await third.value == "a turn")
  }
}

/// How many are at work at each server, and were at most.
private final class Visitors: Sendable {
  private let counts = Mutex((now: [String: Int](), most: [String: Int](), ended: 0))

  var most: [String: Int] { counts.withLock { $0.most } }
  var ended: Int { counts.withLock { $0.ended } }

  func begin(at server: String) {
    counts.withLock {
      $0.now[server, default: 0] += 1
      $0.most[server] = max($0.most[server, default: 0], $0.now[server]!)
    }
  }

  func end(at server: String) {
    counts.withLock {
      $0.now[server]! -= 1
      $0.ended += 1
    }
  }
}

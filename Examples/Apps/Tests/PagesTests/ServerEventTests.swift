import Foundation
import ServerSupport
import Testing

@testable import WebServing

@Suite("Server-sent events") struct ServerEventTests {
  private var impatient: WebServer.Configuration {
    var configuration = WebServer.Configuration(address: ListenAddress(host: "127.0.0.1", port: 0))
    configuration.idleTimeLimit = .seconds(1)
    return configuration
  }

  @Test("A stream in which nothing happens stays open past the limit for idle connections")
  func quiet() async throws {
    try await TestServer.run(impatient) { server in
      let value = Data("event: 0\ndata: \"still there\"\n\n".utf8)
      let visitor = Task {
        try await server.begin("page/events?topic=0.quiet") { $0.range(of: value) != nil }
      }
      try await wait("a watcher") { server.quiet.count == 1 }
      try await Task.sleep(for: .seconds(3))
      server.quiet.send("still there")
      #expect(try await visitor.value.range(of: value) != nil)
      try await wait("its end") { server.quiet.count == 0 }
    }
  }

  @Test("A page hears of several topics over one connection, each under the number that it gave it")
  func topics() async throws {
    try await TestServer.run(impatient) { server in
      let visit = Data("event: 7\ndata: \"desk [\\\"album\\\": \\\"cards\\\"]\"\n\n".utf8)
      let quiet = Data("event: 3\ndata: \"news\"\n\n".utf8)
      let path = "page/events?page=desk&topic=3.quiet&topic=7.visit&7.album=cards&3.other=x"
      let visitor = Task {
        try await server.begin(path) { $0.range(of: visit) != nil && $0.range(of: quiet) != nil }
      }
      try await wait("a watcher") { server.quiet.count == 1 }
      server.quiet.send("news")
      #expect(try await visitor.value.range(of: quiet) != nil)
      try await wait("its end") { server.quiet.count == 0 }
    }
  }

  @Test("What can't be heard of is an answer, and nothing of the rest is watched")
  func refusals() async throws {
    try await TestServer.run(impatient) { server in
      let unknown = try await server.ask("page/events?topic=0.quiet&topic=1.nothing")
      #expect(unknown.status == 404)
      #expect(unknown.error == "There is nothing to hear of “1.nothing”.")
      let refused = try await server.ask("page/events?topic=0.quiet&topic=1.refused")
      #expect(refused.status == 409)
      let report = try JSONDecoder().decode(ErrorWords.self, from: refused.body)
      #expect(report == ErrorWords(error: "Not now.", code: "notNow", values: ["name": "Toy Box"]))
      try await wait("its end") { server.quiet.count == 0 }
    }
  }

  private struct ErrorWords: Decodable, Equatable {
    var error: String
    var code: String?
    var values: [String: String]?
  }
}

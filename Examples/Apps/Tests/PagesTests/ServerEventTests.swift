import Foundation
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
      let value = Data("data: \"still there\"\n\n".utf8)
      let visitor = Task { try await server.begin("quiet") { $0.range(of: value) != nil } }
      try await TestServer.until { server.quiet.count == 1 }
      try await Task.sleep(for: .seconds(3))
      server.quiet.send("still there")
      #expect(try await visitor.value.range(of: value) != nil)
      try await TestServer.until { server.quiet.count == 0 }
    }
  }
}

import Foundation
import ServerSupport
import Testing

@testable import WebServing

@Suite("How much of the server a visitor gets") struct ConnectionTests {
  static var configuration: WebServer.Configuration {
    WebServer.Configuration(address: ListenAddress(host: "127.0.0.1", port: 0))
  }

  @Test("A body that is too large is refused, announced or not")
  func largeBodies() async throws {
    var configuration = WebServer.Configuration(address: ListenAddress(host: "127.0.0.1", port: 0))
    configuration.bodyLimit.size = 1000
    try await TestServer.run(configuration) { server in
      let fits = try await server.ask("length", method: "POST", body: Data(count: 1000))
      #expect(String(decoding: fits.body, as: UTF8.self) == "1000")
      let large = try await server.ask("length", method: "POST", body: Data(count: 1001))
      #expect(large.status == 413)
      #expect(large.error != nil)
      #expect(
        try await server.ask("nothing", method: "POST", body: Data(count: 1001)).status == 413)
      let chunked = RawRequest(
        server, "POST /length HTTP/1.1\r\nTransfer-Encoding: chunked")
      let body = "800\r\n" + String(repeating: "x", count: 2048) + "\r\n"
      #expect(await chunked.answer(to: body).hasPrefix("HTTP/1.1 413"))
    }
  }

  @Test("A route with a limit of its own takes more, as it comes, and no more than that")
  func ownLimits() async throws {
    var configuration = Self.configuration
    configuration.bodyLimit.size = 1000
    configuration.bodyLimits["/length"] = BodyLimit(size: 5000, time: .seconds(30))
    try await TestServer.run(configuration) { server in
      for (size, status) in [(5000, 200), (5001, 413)] {
        let answer = try await server.ask("length", method: "POST", body: Data(count: size))
        #expect(answer.status == status)
      }
      let other = try await server.ask("nothing", method: "POST", body: Data(count: 1001))
      #expect(other.status == 413)
      let chunked = RawRequest(server, "POST /length HTTP/1.1\r\nTransfer-Encoding: chunked")
      let body = "1400\r\n" + String(repeating: "x", count: 0x1400) + "\r\n"
      #expect(await chunked.answer(to: body).hasPrefix("HTTP/1.1 413"))
    }
  }

  @Test("A body that comes too slowly is refused, and the connection ends")
  func slowBodies() async throws {
    var configuration = WebServer.Configuration(address: ListenAddress(host: "127.0.0.1", port: 0))
    configuration.bodyLimit.time = .milliseconds(300)
    try await TestServer.run(configuration) { server in
      let request = RawRequest(server, "POST /length HTTP/1.1\r\nContent-Length: 9")
      // The answer is read up to the connection's end.
      #expect(await request.answer(to: "x").hasPrefix("HTTP/1.1 408"))
    }
  }

  @Test("A visitor of the stream who takes nothing doesn't keep a place")
  func silentVisitors() async throws {
    var configuration = WebServer.Configuration(address: ListenAddress(host: "127.0.0.1", port: 0))
    configuration.idleTimeLimit = .seconds(3)
    try await TestServer.run(configuration) { server in
      let port = try #require(URL(string: server.address)?.port)
      let token = try #require(server.token)
      let visitor = try #require(LoopbackSocket(port: port, receiveBuffer: 4096))
      #expect(visitor.send("GET /stream.mjpg?token=\(token) HTTP/1.1\r\nHost: localhost\r\n\r\n"))
      try await wait("a frame") { server.camera.report.encodedFrames > 0 }
      try await wait("the visitor to have no place") { server.camera.report.clients == 0 }
    }
  }

  @Test(
    "An answer that the server works on longer than a connection may be idle comes all the same")
  func slowAnswers() async throws {
    var configuration = Self.configuration
    configuration.idleTimeLimit = .milliseconds(300)
    try await TestServer.run(configuration) { server in
      let answer = try await server.ask("slow")
      #expect(answer.status == 200 && answer.body == Data("at last".utf8))
    }
  }

  @Test("A head that never ends doesn't keep its connection")
  func slowHeads() async throws {
    var configuration = WebServer.Configuration(address: ListenAddress(host: "127.0.0.1", port: 0))
    configuration.idleTimeLimit = .milliseconds(300)
    try await TestServer.run(configuration) { server in
      #expect(
        await RawRequest(server, "GET /hello HTTP/1.1", isOpen: true).answer(to: "") == "")
    }
  }

  @Test("A head that trickles in is cut, too")
  func tricklingHeads() async throws {
    var configuration = Self.configuration
    configuration.headTimeLimit = .milliseconds(300)
    try await TestServer.run(configuration) { server in
      let port = try #require(URL(string: server.address)?.port)
      let isOver = await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          let visitor = LoopbackSocket(port: port)
          var isOver = visitor?.send("GET /hello HTTP/1.1\r\n") != true
          // For 15 seconds at most.
          for _ in 0..<300 where !isOver {
            usleep(50_000)
            isOver = visitor?.send("X: y\r\n") != true
          }
          continuation.resume(returning: isOver)
        }
      }
      #expect(isOver)
    }
  }

  @Test("Those whose request doesn't get on make room for those who ask")
  func halfOpen() async throws {
    var configuration = Self.configuration
    configuration.maximumConnections = 4
    try await TestServer.run(configuration) { server in
      let port = try #require(URL(string: server.address)?.port)
      let crowd = (0..<40).compactMap { _ in LoopbackSocket(port: port) }
      for visitor in crowd { visitor.send("GET /hello HTTP/1.1\r\nHost: 127.") }
      // Four are there yet, the newest.
      try await wait("36 of them to be cut") { crowd.prefix(36).allSatisfy { !$0.send("0") } }
      #expect(try await server.ask("hello").status == 200)
      withExtendedLifetime(crowd) {}
    }
  }

  @Test("When all places are taken by those who are answered, that is told, and when to come again")
  func full() async throws {
    var configuration = Self.configuration
    configuration.maximumConnections = 2
    try await TestServer.run(configuration) { server in
      let visitors = (0..<2).map { _ in
        Task { try await server.begin("stream.mjpg", bytes: .max) }
      }
      try await wait("two viewers") { server.camera.report.clients == 2 }
      let refused = try await server.ask("hello")
      #expect(refused.status == 503 && refused.fields["retry-after"] == "5")
      #expect(refused.error?.contains("2 visitors at a time") == true)
      let page = try await server.ask("hello", fields: ["Accept": "text/html"])
      #expect(page.status == 503)
      #expect(String(decoding: page.body, as: UTF8.self).contains("all places are taken"))
      // Also without a word of its own.
      #expect(
        await RawRequest(server, "GET /hello HTTP/1.1", isOpen: true).answer(to: "")
          .hasPrefix("HTTP/1.1 503"))
      for visitor in visitors { visitor.cancel() }
      try await wait("a place") { try await server.ask("hello").status == 200 }
    }
  }

  @Test("Viewers of the picture have places of their own, and leave those of pages free")
  func viewers() async throws {
    var configuration = Self.configuration
    configuration.maximumStreams = [.pictures: 1, .events: 1]
    try await TestServer.run(configuration) { server in
      let viewer = Task { try await server.begin("stream.mjpg", bytes: .max) }
      try await wait("the viewer") { server.camera.report.clients == 1 }
      let refused = try await server.ask("stream.mjpg")
      #expect(refused.status == 503 && refused.fields["retry-after"] == "10")
      #expect(refused.error?.contains("1 visitors") == true)
      #expect(try await server.ask("hello").status == 200)
      #expect(try await server.begin("page/events?topic=0.quiet", bytes: 1).isEmpty == false)
      viewer.cancel()
      try await wait("the viewer’s place") {
        (try? await server.begin("stream.mjpg", until: { $0.starts(with: Data("--".utf8)) })) != nil
          && server.camera.report.clients == 0
      }
    }
  }
}

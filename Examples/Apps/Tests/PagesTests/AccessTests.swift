import Foundation
import ServerSupport
import Testing

@testable import WebServing

@Suite("Who is answered") struct AccessTests {
  static let token = AccessToken("a-token-of-the-test")!
  static let guarded = WebServer.Configuration(
    address: ListenAddress(host: "127.0.0.1", port: 0), token: token)

  @Test("On this machine only its own names are answered")
  func host() async throws {
    try await TestServer.run { server in
      let port = try #require(URL(string: server.address)?.port)
      for host in ["localhost", "127.0.0.1:\(port)", "LOCALHOST:\(port)", "[::1]:9"] {
        #expect(try await server.ask("hello", fields: ["Host": host]).status == 200)
      }
      for host in ["evil.example", "127.0.0.1.evil.example:\(port)", "localhost.evil.example"] {
        let answer = try await server.ask("photo.jpg", fields: ["Host": host])
        #expect(answer.status == 421)
        #expect(answer.error?.contains("localhost") == true)
      }
    }
  }

  @Test("Pages of other sites get nothing: no pictures either")
  func otherSites() async throws {
    try await TestServer.run { server in
      let refused: [[String: String]] = [
        ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
        ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "image"],
        ["Origin": "https://evil.example"], ["Origin": "null"],
        ["Origin": "http://127.0.0.1:1"],
        ["Sec-Fetch-Dest": "document", "Origin": "https://evil.example"],
      ]
      for fields in refused {
        for path in ["photo.jpg", "stream.mjpg", "stats.json", "events"] {
          #expect(try await server.ask(path, fields: fields).status == 403, "\(path) \(fields)")
        }
        let post = try await server.ask("length", method: "POST", fields: fields, body: Data([1]))
        #expect(post.status == 403, "\(fields)")
      }
      let own = String(server.address.dropLast())
      for fields in [
        [:], ["Sec-Fetch-Site": "same-origin"], ["Sec-Fetch-Site": "none"], ["Origin": own],
      ] {
        #expect(try await server.ask("hello", fields: fields).status == 200)
      }
    }
  }

  @Test("A link of another site may open a page, and nothing that changes something")
  func links() async throws {
    try await TestServer.run { server in
      let fields = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"]
      let page = try await server.ask("hello", fields: fields)
      #expect(page.status == 200)
      let form = try await server.ask("length", method: "POST", fields: fields, body: Data([1]))
      #expect(form.status == 403)
    }
  }

  @Test("Without the token, or with a wrong one, nothing is answered")
  func missingToken() async throws {
    try await TestServer.run(Self.guarded) { server in
      let refused: [(String, [String: String])] = [
        ("", [:]), ("?token=", [:]), ("?token=a-token-of-the-tesT", [:]),
        ("?token=a-token-of-the-test-and-more", [:]), ("?token=a-token-of-the", [:]),
        ("", ["Authorization": "Bearer wrong"]), ("", ["Authorization": "Bearer"]),
        ("", ["Authorization": "Basic a-token-of-the-test"]),
        ("", ["Cookie": "viewfinder-80=a-token-of-the-test"]),
      ]
      for (query, fields) in refused {
        for path in ["hello", "photo.jpg", "stats.json", "ui/parts.css", "nothing"] {
          let answer = try await server.ask(path + query, fields: fields)
          #expect(answer.status == 401, "\(path)\(query) \(fields)")
          #expect(answer.error?.contains("token") == true)
        }
      }
    }
  }

  @Test("The token is taken from the URL, from a header field and from a cookie")
  func rightToken() async throws {
    try await TestServer.run(Self.guarded) { server in
      let port = try #require(URL(string: server.address)?.port)
      #expect(server.announced.hasSuffix("/?token=a-token-of-the-test"))
      #expect(try await server.ask("photo.jpg?token=a-token-of-the-test").status == 200)
      let bearer = ["Authorization": "Bearer a-token-of-the-test"]
      #expect(try await server.ask("hello", fields: bearer).status == 200)
      let cookie = ["Cookie": "other=1; viewfinder-\(port)=a-token-of-the-test"]
      #expect(try await server.ask("hello", fields: cookie).status == 200)
    }
  }

  @Test("A page opened with the token leads to the address without it, and a cookie")
  func cookie() async throws {
    try await TestServer.run(Self.guarded) { server in
      let query = "?a=1&token=a-token-of-the-test&b=2"
      let visit = ["Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "none"]
      let answer = try await server.ask("/hello" + query, fields: visit)
      #expect(answer.status == 303)
      // Never to another server: “//host” would be one.
      #expect(answer.fields["location"] == "/hello?a=1&b=2")
      let cookie = try #require(answer.fields["set-cookie"])
      #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
    }
  }

  @Test("A token is made for every address but this machine's own")
  func tokenIsMade() async throws {
    let everywhere = ListenAddress(host: "0.0.0.0", port: 0)
    try await TestServer.run(.init(address: everywhere)) { server in
      let token = try #require(server.announced.firstMatch(of: /\?token=([0-9a-f]{32})$/)?.1)
      let port = try #require(URL(string: server.address)?.port)
      let local = TestServer(
        simulated: server.simulated, camera: server.camera, quiet: server.quiet,
        address: "http://127.0.0.1:\(port)/", announced: "")
      #expect(try await local.ask("hello").status == 401)
      #expect(try await local.ask("hello?token=\(token)").status == 200)
    }
  }

  @Test("Answers tell browsers to keep pages to themselves, errors too")
  func securityHeaders() async throws {
    try await TestServer.run { server in
      for path in ["hello", "nothing", "photo.jpg"] {
        let fields = try await server.ask(path).fields
        #expect(fields["content-security-policy"]?.contains("default-src 'none'") == true)
        #expect(fields["content-security-policy"]?.contains("frame-ancestors 'none'") == true)
        #expect(fields["content-security-policy"]?.contains("unsafe") == false)
        #expect(fields["x-content-type-options"] == "nosniff")
        #expect(fields["referrer-policy"] == "no-referrer")
        #expect(fields["cross-origin-resource-policy"] == "same-origin")
      }
    }
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
        server.address, "POST /length HTTP/1.1\r\nTransfer-Encoding: chunked")
      let body = "800\r\n" + String(repeating: "x", count: 2048) + "\r\n"
      #expect(await chunked.answer(to: body).hasPrefix("HTTP/1.1 413"))
    }
  }

  @Test("A body that comes too slowly is refused, and the connection ends")
  func slowBodies() async throws {
    var configuration = WebServer.Configuration(address: ListenAddress(host: "127.0.0.1", port: 0))
    configuration.bodyLimit.time = .milliseconds(300)
    try await TestServer.run(configuration) { server in
      let request = RawRequest(server.address, "POST /length HTTP/1.1\r\nContent-Length: 9")
      // The answer is read up to the connection's end.
      #expect(await request.answer(to: "x").hasPrefix("HTTP/1.1 408"))
    }
  }

  @Test("A visitor of the stream who takes nothing doesn't keep a place")
  func silentVisitors() async throws {
    var configuration = WebServer.Configuration(address: ListenAddress(host: "127.0.0.1", port: 0))
    configuration.idleTimeLimit = .seconds(1)
    try await TestServer.run(configuration) { server in
      let port = try #require(URL(string: server.address)?.port)
      let visitor = try #require(LoopbackSocket(port: port, receiveBuffer: 4096))
      #expect(visitor.send("GET /stream.mjpg HTTP/1.1\r\nHost: localhost\r\n\r\n"))
      try await TestServer.until { server.camera.report.encodedFrames > 0 }
      try await TestServer.until { server.camera.report.clients == 0 }
    }
  }

  @Test("A head that never ends doesn't keep its connection")
  func slowHeads() async throws {
    var configuration = WebServer.Configuration(address: ListenAddress(host: "127.0.0.1", port: 0))
    configuration.idleTimeLimit = .milliseconds(300)
    try await TestServer.run(configuration) { server in
      #expect(
        await RawRequest(server.address, "GET /hello HTTP/1.1", isOpen: true).answer(to: "") == "")
    }
  }
}

import Foundation
import ServerSupport
import Testing

@testable import WebServing

@Suite("Who is answered") struct AccessTests {
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

  @Test("A server at another of this machine's addresses answers to that one, too")
  func otherLoopback() async throws {
    let configuration = WebServer.Configuration(address: ListenAddress(host: "127.0.0.2", port: 0))
    try await TestServer.run(configuration) { server in
      #expect(server.address.hasPrefix("http://127.0.0.2:"))
      let answer = try await server.ask("hello")
      #expect(answer.status == 200)
    }
  }

  @Test(
    "A request that names two hosts, or the address of another, is refused",
    arguments: [
      ("/hello", nil, 200), ("http://127.0.0.1:PORT/hello", nil, 200),
      ("http://127.0.0.1:PORT/hello", "evil.example", 400), ("http://evil.example/hello", nil, 400),
      ("http://evil.example/hello", "evil.example", 421), ("/hello", "evil.example", 421),
      ("/hello", "127.0.0.1\r\nHost: 127.0.0.1", 400),
      ("/hello", "127.0.0.1\r\nHost: evil.example", 400),
    ])
  func hosts(target: String, host: String?, status: Int) async throws {
    try await TestServer.run { server in
      let port = try #require(URL(string: server.address)?.port)
      let target = target.replacing("PORT", with: "\(port)")
      let request = RawRequest(
        server, "GET \(target) HTTP/1.1\r\nConnection: close", host: host)
      #expect(await request.answer(to: "").hasPrefix("HTTP/1.1 \(status)"))
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

  @Test("Answers tell browsers to keep pages to themselves, errors too")
  func securityHeaders() async throws {
    try await TestServer.run { server in
      for path in ["hello", "nothing", "photo.jpg"] {
        let fields = try await server.ask(path).fields
        #expect(fields["content-security-policy"]?.contains("default-src 'none'") == true)
        #expect(fields["content-security-policy"]?.contains("frame-ancestors 'none'") == true)
        #expect(fields["content-security-policy"]?.contains("unsafe") == false)
        #expect(fields["content-security-policy"]?.contains("worker-src 'self'") == true)
        #expect(fields["content-security-policy"]?.contains("manifest-src 'self'") == true)
        #expect(fields["x-content-type-options"] == "nosniff")
        #expect(fields["referrer-policy"] == "no-referrer")
        #expect(fields["cross-origin-resource-policy"] == "same-origin")
      }
    }
  }

}

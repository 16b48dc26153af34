import Foundation
import ServerSupport
import Testing

@testable import WebServing

@Suite("Who knows the token") struct TokenTests {
  static let configuration = WebServer.Configuration(
    address: ListenAddress(host: "127.0.0.1", port: 0), token: AccessToken("a-token-of-the-test")!)

  @Test("Without the token, or with a wrong one, nothing is answered")
  func missingToken() async throws {
    try await TestServer.run(Self.configuration) { server in
      let refused: [(String, [String: String])] = [
        ("", [:]), ("?token=", [:]), ("?token=a-token-of-the-tesT", [:]),
        ("?token=a-token-of-the-test-and-more", [:]), ("?token=a-token-of-the", [:]),
        ("", ["Authorization": "Bearer wrong"]), ("", ["Authorization": "Bearer"]),
        ("", ["Authorization": "Basic a-token-of-the-test"]),
        ("", ["Cookie": "viewfinder-80=a-token-of-the-test"]),
      ]
      for (query, fields) in refused {
        for path in ["hello", "photo.jpg", "stats.json", "ui/parts.css", "nothing"] {
          let answer = try await server.stranger.ask(path + query, fields: fields)
          #expect(answer.status == 401, "\(path)\(query) \(fields)")
          #expect(answer.error?.contains("token") == true)
        }
      }
    }
  }

  @Test("The token is taken from the URL, from a header field and from a cookie")
  func rightToken() async throws {
    try await TestServer.run(Self.configuration) { server in
      let port = try #require(URL(string: server.address)?.port)
      #expect(server.announced.hasSuffix("/?token=a-token-of-the-test"))
      #expect(try await server.stranger.ask("photo.jpg?token=a-token-of-the-test").status == 200)
      let bearer = ["Authorization": "Bearer a-token-of-the-test"]
      #expect(try await server.stranger.ask("hello", fields: bearer).status == 200)
      let cookie = ["Cookie": "other=1; viewfinder-\(port)=a-token-of-the-test"]
      #expect(try await server.stranger.ask("hello", fields: cookie).status == 200)
    }
  }

  @Test("A page opened with the token leads to the address without it, and a cookie")
  func cookie() async throws {
    try await TestServer.run(Self.configuration) { server in
      let query = "?a=1&token=a-token-of-the-test&b=2"
      let visit = ["Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "none"]
      let answer = try await server.stranger.ask("/hello" + query, fields: visit)
      #expect(answer.status == 303)
      // Never to another server: “//host” would be one.
      #expect(answer.fields["location"] == "/hello?a=1&b=2")
      let cookie = try #require(answer.fields["set-cookie"])
      #expect(cookie.contains("; Path=/; Max-Age=34560000;") && !cookie.contains("Secure"))
      #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
    }
  }

  @Test("A browser that comes back keeps its cookie longer; what a page loads doesn't set it again")
  func cookieAgain() async throws {
    try await TestServer.run(Self.configuration) { server in
      let page = try await server.ask("hello", fields: ["Sec-Fetch-Dest": "document"])
      #expect(page.fields["set-cookie"]?.contains("=a-token-of-the-test;") == true)
      #expect(try await server.ask("hello").fields["set-cookie"] == nil)
    }
  }

  @Test(
    "A token is made where none is given, for this machine, too",
    arguments: ["127.0.0.1", "0.0.0.0"])
  func tokenIsMade(host: String) async throws {
    let configuration = WebServer.Configuration(address: ListenAddress(host: host, port: 0))
    try await TestServer.run(configuration) { server in
      #expect(server.token?.wholeMatch(of: /[0-9a-f]{32}/) != nil)
      let port = try #require(URL(string: server.address)?.port)
      let here = "http://127.0.0.1:\(port)/"
      #expect(try await server.stranger.at(here).ask("hello").status == 401)
      #expect(try await server.at(here).ask("hello").status == 200)
    }
  }

  @Test("Without a need for a token everybody of this machine is answered")
  func open() async throws {
    var configuration = WebServer.Configuration(address: ListenAddress(host: "127.0.0.1", port: 0))
    configuration.needsToken = false
    try await TestServer.run(configuration) { server in
      #expect(server.token == nil)
      let answer = try await server.ask("hello")
      #expect(answer.status == 200)
    }
  }

  @Test("A browser reads in a page what to do, in its language; a program reads JSON")
  func pages() async throws {
    try await TestServer.run(Self.configuration) { server in
      let browser = ["Accept": "text/html,*/*;q=0.8", "Accept-Language": "fr, en;q=0.8, de;q=0.5"]
      let page = try await server.stranger.ask("hello", fields: browser)
      #expect(page.status == 401 && page.fields["www-authenticate"] == "Bearer")
      #expect(page.fields["content-type"] == "text/html; charset=utf-8")
      let html = String(decoding: page.body, as: UTF8.self)
      #expect(html.contains("Open the address that the program printed"))
      #expect(html.contains("<input name=\"token\""))
      let german = try await server.stranger.ask(
        "hello", fields: ["Accept": "text/html", "Accept-Language": "de-AT,en"])
      #expect(String(decoding: german.body, as: UTF8.self).contains("Zugangswort"))
      let program = try await server.stranger.ask("hello")
      #expect(program.error?.contains("printed") == true)
      let missing = try await server.ask("<b>&", fields: browser)
      #expect(missing.status == 404)
      #expect(String(decoding: missing.body, as: UTF8.self).contains("There is nothing here"))
    }
  }

  @Test(
    "A server before this one says whose guesses they are; without one nobody is believed",
    arguments: [true, false])
  func forwarded(isBehind: Bool) async throws {
    var configuration = Self.configuration
    configuration.publicURL = isBehind ? PublicURL("https://cards.example") : nil
    try await TestServer.run(configuration) { server in
      let answers = try await withThrowingTaskGroup(of: TestServer.Answer.self) { group in
        for number in 0..<16 {
          let fields = ["X-Forwarded-For": "192.0.2.99, 192.0.2.\(number % 12)"]
          group.addTask {
            try await server.stranger.ask("hello?token=guess-\(number)", fields: fields)
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.allSatisfy { $0.status == 401 } == isBehind)
    }
  }

  @Test("Who guesses over many connections hears to wait; who knows the token doesn't")
  func guessing() async throws {
    try await TestServer.run(Self.configuration) { server in
      let answers = try await withThrowingTaskGroup(of: TestServer.Answer.self) { group in
        for number in 0..<16 {
          group.addTask { try await server.stranger.ask("hello?token=guess-\(number)") }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let refused = answers.filter { $0.status == 429 }
      #expect(!refused.isEmpty && answers.allSatisfy { [401, 429].contains($0.status) })
      #expect(refused.allSatisfy { ($0.fields["retry-after"].flatMap { Int($0) } ?? 0) > 0 })
      #expect(try await server.ask("hello").status == 200)
    }
  }
}

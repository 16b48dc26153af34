import Foundation
import FoundationNetworking
import ServerSupport
import Testing
import Viewfinder

@Suite("Who sees the cards") struct WalletSecurityTests {
  private func ask(
    _ server: ServerProcess, _ path: String, method: String = "GET",
    fields: [String: String] = [:], body: Data? = nil
  ) async throws -> (status: Int, body: String) {
    // As it stands: nothing is made shorter.
    let base = server.address.split(separator: "?")[0]
    var request = URLRequest(url: try #require(URL(string: base + path)))
    request.httpMethod = method
    request.httpBody = body
    if let token = server.token {
      request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    }
    for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
    let (data, response) = try await URLSession.shared.data(for: request)
    return (
      (response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self)
    )
  }

  private func run(
    _ options: [String] = [], body: (ServerProcess) async throws -> Void
  ) async throws {
    let folder = try WalletVisit.newFolder()
    defer { Scratch.remove(folder) }
    try await body(try await WalletVisit.server(["--no-camera"] + options, in: folder))
  }

  @Test("A stranger on the network, and who guesses the token, get nothing")
  func strangers() async throws {
    let token = try TokenFile("the-right-token-of-all")
    defer { token.remove() }
    try await run(["--listen", "0.0.0.0:0"] + token.options) { server in
      let here = server.address.replacing(/\/\/[^:\/]+/, with: "//127.0.0.1")
      #expect(here.contains("token="))
      for suffix in ["", "?token=", "?token=the-right-token-of-alk", "?token=the-right-token-of"] {
        for path in [
          "", "cards", "export", "pictures/\(String(repeating: "0", count: 64))", "events",
        ] {
          let url = try #require(URL(string: here.split(separator: "?")[0] + path + suffix))
          let (_, response) = try await URLSession.shared.data(from: url)
          #expect((response as? HTTPURLResponse)?.statusCode == 401, "\(path)\(suffix)")
        }
      }
    }
  }

  @Test("Another account of the machine gets nothing either")
  func otherAccounts() async throws {
    try await run { server in
      for path in ["", "cards", "export"] {
        let address = server.address.replacing(/\?.*/, with: path)
        let (_, response) = try await URLSession.shared.data(
          from: try #require(URL(string: address)))
        #expect((response as? HTTPURLResponse)?.statusCode == 401, "\(path)")
      }
    }
  }

  @Test("Another site in the same browser can neither read nor change cards")
  func otherSites() async throws {
    try await run { server in
      let id = UUID().uuidString
      for fields in [["Origin": "https://evil.example"], ["Sec-Fetch-Site": "cross-site"]] {
        for (method, path) in [
          ("GET", "cards"), ("GET", "export"), ("PUT", "cards/\(id)"), ("DELETE", "cards/\(id)"),
          ("POST", "import"), ("POST", "photos"),
        ] {
          let answer = try await ask(
            server, path, method: method, fields: fields, body: method == "GET" ? nil : Data([1]))
          #expect(answer.status == 403, "\(method) \(path)")
        }
      }
      #expect(try await ask(server, "cards", fields: ["Host": "evil.example"]).status == 421)
    }
  }

  @Test(
    "No path leads out of the store",
    arguments: [
      "pictures/..%2F..%2F..%2Fetc%2Fpasswd", "pictures/%2e%2e", "pictures/cards.sqlite",
      "pictures/\(String(repeating: "A", count: 64))", "cards/..%2Fcards.sqlite", "..%2fetc/passwd",
    ])
  func paths(path: String) async throws {
    try await run { server in
      let answer = try await ask(server, path)
      #expect([400, 404].contains(answer.status))
      #expect(answer.body.contains("error"))
    }
  }

  @Test("What no page would send is refused in words, and nothing is saved")
  func nonsense() async throws {
    try await run { server in
      let id = UUID().uuidString
      for body in [
        "", "[]", "5", "{", #"{"name":5}"#, #"{"expiry":"soon"}"#, #"{"front":"../x"}"#,
        #"{"balance":"1e999"}"#, #"{"kept":[]}"#,
      ] {
        let answer = try await ask(
          server, "cards/\(id)", method: "PUT",
          body: Data(#"{"changes":\#(body),"isNew":true}"#.utf8))
        #expect([400, 422].contains(answer.status), "\(body): \(answer)")
      }
      let hash = String(repeating: "0", count: 64)
      let card = #"{"name":"n","front":{"picture":"\#(hash)"},"back":{"picture":"\#(hash)"}}"#
      let missing = try await ask(
        server, "cards/\(id)", method: "PUT", body: Data(#"{"changes":\#(card),"isNew":true}"#.utf8)
      )
      #expect(missing.status == 422 && missing.body.contains("Take or choose it again"))
      #expect(try await ask(server, "cards").body.contains("\"cards\":[]"))
      #expect(try await ask(server, "import", method: "POST", body: Data("x".utf8)).status == 422)
    }
  }
}

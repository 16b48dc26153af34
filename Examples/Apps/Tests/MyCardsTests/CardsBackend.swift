import BrowserSupport
import Foundation
import FoundationNetworking
import ServerSupport
import Testing

/// A `cards-backend` at work, with a token for one person.
struct CardsBackend: Sendable {
  let server: ServerProcess
  let token: String

  /// Starts one that keeps its data in a folder.
  init(in folder: URL) async throws {
    let options = ["--data", folder.appending(component: "backend").path]
    // It prints the token where others print their address.
    let failure = await #expect(throws: ServerProcess.Failure.self) {
      _ = try await ServerProcess("cards-backend", options + ["--add-token", "anna"])
    }
    token = try #require(failure?.description)
    server = try await ServerProcess("cards-backend", options)
  }

  /// Waits until it has a card.
  func wait(for id: String) async throws {
    let visitor = HTTPVisitor(server.address, token: token)
    try await visitor.wait(for: "the card", "v1/records") { page in
      page["records"].array?.first { $0["record"]["id"].string == id }
    }
  }

  /// Ends it; gives what it wrote.
  func end() async throws -> String {
    #expect(await server.end() == 0)
    return await server.output
  }
}

/// Somebody without a browser, who asks a server for something.
struct HTTPVisitor: Sendable {
  /// With a slash at its end and without a token.
  let address: String
  private let token: String?

  /// Visits the address that a program printed, with its token or another.
  init(_ address: String, token: String? = nil) {
    self.address = address.replacing(/\?.*/, with: "")
    self.token = token ?? address.firstMatch(of: /\?token=(.+)/).map { String($0.1) }
  }

  /// Asks for something and gives the answer's status.
  @discardableResult
  func ask(
    _ method: String, _ path: String, _ body: String = "", fields: [String: String] = [:]
  ) async throws -> Int {
    try await ask(method, path, Data(body.utf8), fields: fields)
  }

  /// Asks for something and gives the answer's status.
  @discardableResult
  func ask(
    _ method: String, _ path: String, _ body: Data, fields: [String: String] = [:]
  ) async throws -> Int {
    try await send(method, path, body, fields).status
  }

  /// Asks for something and gives the answer's JSON.
  func json(_ method: String, _ path: String, _ body: String = "") async throws -> JSON {
    let answer = try await send(method, path, Data(body.utf8), [:])
    return try JSONDecoder().decode(JSON.self, from: answer.body)
  }

  /// Asks again and again until the answer has what is wanted.
  @discardableResult
  func wait<Value>(for words: String, _ path: String, _ find: (JSON) -> Value?) async throws
    -> Value
  {
    var answer = JSON.null
    let last = { String(decoding: try JSONEncoder().encode(answer), as: UTF8.self) }
    return try await ServerSupport.wait(for: words, last: last) {
      answer = try await json("GET", path)
      return find(answer)
    }
  }

  private func send(
    _ method: String, _ path: String, _ body: Data, _ fields: [String: String]
  ) async throws -> (status: Int, body: Data) {
    var request = URLRequest(url: try #require(URL(string: address + path)))
    request.httpMethod = method
    if method != "GET" { request.httpBody = body }
    for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
    if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
    let (data, response) = try await URLSession.shared.data(for: request)
    return ((response as? HTTPURLResponse)?.statusCode ?? 0, data)
  }
}

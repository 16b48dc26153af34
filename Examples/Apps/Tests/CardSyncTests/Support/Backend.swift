import CardModel
import CardStore
import CardSync
import FeedClient
import Foundation
import ServerSupport
import Testing

/// A real `cards-backend` with a folder of its own.
struct Backend: Sendable {
  let folder: URL
  let process: ServerProcess
  let token: String

  var url: URL { URL(string: process.address)! }

  init(in folder: URL, _ arguments: [String] = []) async throws {
    self.folder = folder.appending(component: "backend")
    token = try await Self.addToken("anna", in: self.folder)
    process = try await Self.start(self.folder, arguments)
  }

  /// Starts the program on a folder that is there already.
  static func start(_ folder: URL, _ arguments: [String] = []) async throws -> ServerProcess {
    try await FeedServerProcess.start(in: folder, arguments, program: "cards-backend")
  }

  /// Runs `cards-backend --add-token`.
  static func addToken(_ name: String, in folder: URL) async throws -> String {
    try await FeedServerProcess.addToken(name, in: folder, program: "cards-backend")
  }

  func client() -> FeedClient { FeedClient(cards: url, token: token) }

  /// An answer, read to its end.
  struct Answer {
    var status: Int
    var etag: String?
    var body: Data
    var json: [String: JSONValue]
    var error: String? { json["error"]?.text }
  }

  /// Asks for something.
  func ask(
    _ method: String, _ path: String, _ fields: [String: String] = [:], body: Data? = nil,
    token: String? = nil
  ) async throws -> Answer {
    let visitor = APIClient(process.address, token: token ?? self.token)
    let answer = try await visitor.ask(method, path, fields, body: body)
    return Answer(
      status: answer.status, etag: answer["ETag"], body: answer.body,
      json: (try? JSONValue(parsing: answer.body))?.object ?? [:])
  }
}

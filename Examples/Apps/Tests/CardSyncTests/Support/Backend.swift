import AsyncHTTPClient
import CardModel
import CardStore
import CardSync
import Foundation
import NIOCore
import ServerSupport
import Testing

/// A real `cards-backend` with a folder of its own.
struct Backend: Sendable {
  private static let client = HTTPClient(
    configuration: .init(redirectConfiguration: .disallow))

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
    try await ServerProcess("cards-backend", ["--data", folder.path] + arguments)
  }

  /// Runs `cards-backend --add-token`.
  static func addToken(_ name: String, in folder: URL) async throws -> String {
    do {
      // It ends without an address, with the token for its first line.
      _ = try await ServerProcess(
        "cards-backend", ["--data", folder.path, "--add-token", name, "--listen", "127.0.0.1:0"])
    } catch let failure as ServerProcess.Failure {
      return failure.description
    }
    throw POSIXError(.EINVAL)
  }

  func client(_ format: any CardFormat = StandardFormat()) -> HTTPBackend {
    HTTPBackend(url: url, token: token, format: format)
  }

  /// An answer, read to its end.
  struct Answer {
    var status: Int
    var etag: String?
    var json: [String: JSONValue]
    var error: String? { json["error"]?.text }
  }

  /// Asks for something.
  func ask(
    _ method: String, _ path: String, _ fields: [String: String] = [:], body: Data? = nil,
    token: String? = nil
  ) async throws -> Answer {
    var request = HTTPClientRequest(url: process.address + path)
    request.method = .RAW(value: method)
    request.headers.add(name: "Authorization", value: "Bearer \(token ?? self.token)")
    for (name, value) in fields { request.headers.add(name: name, value: value) }
    request.body = body.map { .bytes(ByteBuffer(bytes: $0)) }
    let response = try await Self.client.execute(request, timeout: .seconds(30))
    let data = Data(try await response.body.collect(upTo: 1 << 26).readableBytesView)
    return Answer(
      status: Int(response.status.code), etag: response.headers.first(name: "ETag"),
      json: (try? JSONValue(parsing: data))?.object ?? [:])
  }
}

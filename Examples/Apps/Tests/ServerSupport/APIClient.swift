import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// A program that asks a server for things, with a token.
public struct APIClient: Sendable {
  /// With a slash at its end.
  public let address: String
  /// What the server knows the person by; `nil` for nothing.
  public let token: String?

  /// Asks the server at an address.
  public init(_ address: String, token: String?) {
    self.address = address
    self.token = token
  }

  /// An answer, read to its end.
  public struct Answer: Sendable {
    /// The status.
    public var status: Int
    /// The fields of its head.
    public var headers: HTTPHeaders
    /// The body.
    public var body: Data
    /// The first field of a name.
    public subscript(field: String) -> String? { headers.first(name: field) }
  }

  /// Asks for something.
  public func ask(
    _ method: String, _ path: String, _ fields: [String: String] = [:], body: Data? = nil
  ) async throws -> Answer {
    var request = HTTPClientRequest(url: address + path)
    request.method = .RAW(value: method)
    if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
    for (name, value) in fields { request.headers.add(name: name, value: value) }
    request.body = body.map { .bytes(ByteBuffer(bytes: $0)) }
    let response = try await HTTPClient.patient.execute(request, timeout: .seconds(120))
    let data = Data(try await response.body.collect(upTo: 1 << 28).readableBytesView)
    return Answer(status: Int(response.status.code), headers: response.headers, body: data)
  }
}

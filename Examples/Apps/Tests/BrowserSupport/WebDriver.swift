import AsyncHTTPClient
import Foundation
import NIOCore
import ServerSupport

/// Speaks W3C WebDriver with a chromedriver.
struct WebDriver: Sendable {
  /// What the driver answers instead of a value.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let base: String

  /// Sends a command and returns its value.
  @discardableResult
  func send(_ method: String, _ path: String, _ body: JSON = .object([:])) async throws -> JSON {
    var request = HTTPClientRequest(url: base + path)
    request.method = .RAW(value: method)
    if method == "POST" {
      request.headers.add(name: "Content-Type", value: "application/json")
      request.body = .bytes(ByteBuffer(bytes: try JSONEncoder().encode(body)))
    }
    // Longer than the driver waits: that gives up by itself, and says what it did.
    let response = try await HTTPClient.patient.execute(request, timeout: .seconds(400))
    let data = Data(try await response.body.collect(upTo: 64 << 20).readableBytesView)
    let value = try JSONDecoder().decode(JSON.self, from: data)["value"]
    guard response.status == .ok else {
      throw Failure(description: "\(path): \(value["message"].string ?? "\(response.status)")")
    }
    return value
  }
}

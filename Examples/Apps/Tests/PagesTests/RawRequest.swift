import Foundation
import ServerSupport

/// A request that no well-behaved client makes.
struct RawRequest: Sendable {
  private let port: Int
  private let head: String

  /// Creates a request; `isOpen` leaves its head without an end.
  init(_ address: String, _ head: String, isOpen: Bool = false) {
    port = URL(string: address)?.port ?? 0
    self.head = head + "\r\nHost: 127.0.0.1:\(port)\r\n" + (isOpen ? "" : "\r\n")
  }

  /// Sends the head and some bytes, and reads until the server closes the connection, or `limit`
  /// bytes have come.
  func answer(to body: String, limit: Int = .max) async -> String {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: send(head + body, limit)) }
    }
  }

  private func send(_ text: String, _ limit: Int) -> String {
    guard let socket = LoopbackSocket(port: port), socket.send(text) else { return "no connection" }
    var answer = Data()
    while answer.count < limit {
      guard let data = socket.receive() else { return "no end" }
      if data.isEmpty { break }
      answer.append(data)
    }
    return String(decoding: answer, as: UTF8.self)
  }
}

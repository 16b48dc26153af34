import Foundation
import ServerSupport

/// A request that no well-behaved client makes.
struct RawRequest: Sendable {
  private let port: Int
  private let head: String

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - server: The server, whose token it knows.
  ///   - head: The first lines of its head.
  ///   - host: What it says of the host; `nil` for the server's.
  ///   - isOpen: Whether its head has no end.
  init(_ server: TestServer, _ head: String, host: String? = nil, isOpen: Bool = false) {
    port = URL(string: server.address)?.port ?? 0
    let token = server.token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
    let host = host ?? "127.0.0.1:\(port)"
    self.head = "\(head)\r\nHost: \(host)\r\n\(token)\(isOpen ? "" : "\r\n")"
  }

  /// Sends the head and some bytes, and reads until the server closes the connection, or `limit`
  /// bytes have come.
  func answer(to body: String, limit: Int = .max) async -> String {
    await withCheckedContinuation { continuation in
      // A thread of its own: those of tasks, which Dispatch has, are few.
      Thread.detachNewThread { continuation.resume(returning: send(head + body, limit)) }
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

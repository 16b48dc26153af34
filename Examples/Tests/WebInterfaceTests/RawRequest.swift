import Foundation

/// A request that no well-behaved client makes.
struct RawRequest: Sendable {
  private let port: Int
  private let head: String

  /// Creates a request; `isOpen` leaves its head without an end.
  init(_ address: String, _ head: String, isOpen: Bool = false) {
    port = URL(string: address)?.port ?? 0
    self.head = head + "\r\nHost: 127.0.0.1:\(port)\r\n" + (isOpen ? "" : "\r\n")
  }

  /// Sends the head and some bytes, and reads until the server closes the connection.
  func answer(to body: String) async -> String {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: send(head + body)) }
    }
  }

  private func send(_ text: String) -> String {
    let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isConnected = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) == 0 }
    }
    guard isConnected, Foundation.send(socket, text, text.utf8.count, Int32(MSG_NOSIGNAL)) > 0
    else { return "no connection" }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(socket, &buffer, buffer.count, 0)
      guard count >= 0 else { return "no end: \(String(decoding: answer, as: UTF8.self))" }
      guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
      answer += buffer[..<count]
    }
  }
}

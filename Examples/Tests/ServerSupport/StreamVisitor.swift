import Foundation

/// A visitor of `/stream.mjpg` on this machine, with a connection of its own.
///
/// Its calls block, so use it on a thread.
public final class StreamVisitor {
  private let socket: Int32
  /// What was received and isn't read yet.
  private var pending = Data()

  /// Connects and asks for the stream; `nil` when there is no server.
  ///
  /// - Parameters:
  ///   - port: The server's.
  ///   - receiveBuffer: What the system receives for it ahead, in bytes; `nil` leaves the usual.
  public init?(port: Int, receiveBuffer: Int32? = nil) {
    socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { return nil }
    if var size = receiveBuffer {
      setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    // Nothing waits without a limit.
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
    let request = "GET /stream.mjpg HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
    guard isConnected, send(socket, request, request.utf8.count, Int32(MSG_NOSIGNAL)) > 0
    else { return nil }
  }

  deinit { close(socket) }

  /// The next frame's JPEG; `nil` when the stream is over.
  ///
  /// The body's chunks are taken apart first, then its parts.
  public func nextFrame() -> Data? {
    guard let fields = read(until: Data("\r\n\r\n".utf8)) else { return nil }
    let text = String(decoding: fields, as: UTF8.self)
    guard let match = text.firstMatch(of: /Content-Length: ([0-9]+)/), let count = Int(match.1)
    else { return nextFrame() }
    return read(count: count)
  }

  private var decoded = Data()

  private func read(until mark: Data) -> Data? {
    while true {
      if let range = decoded.range(of: mark) {
        defer { decoded.removeSubrange(..<range.upperBound) }
        return decoded[..<range.lowerBound]
      }
      guard receiveChunk() else { return nil }
    }
  }

  private func read(count: Int) -> Data? {
    while decoded.count < count { guard receiveChunk() else { return nil } }
    defer { decoded.removeFirst(count) }
    return decoded.prefix(count)
  }

  /// Takes a chunk of the body, or the answer's head.
  private func receiveChunk() -> Bool {
    while true {
      if let end = pending.range(of: Data("\r\n".utf8)) {
        let line = String(decoding: pending[..<end.lowerBound], as: UTF8.self)
        // A line of the head; chunks begin with their size.
        guard let size = Int(line, radix: 16) else {
          pending.removeSubrange(..<end.upperBound)
          continue
        }
        let needed = end.upperBound - pending.startIndex + size + 2
        if pending.count >= needed {
          decoded.append(pending[end.upperBound..<(end.upperBound + size)])
          pending.removeFirst(needed)
          return size > 0
        }
      }
      guard receive() else { return false }
    }
  }

  private func receive() -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 1) { buffer in
      let count = recv(socket, buffer.baseAddress, buffer.count, 0)
      if count > 0 { pending.append(contentsOf: buffer[..<count]) }
      return count > 0
    }
  }
}

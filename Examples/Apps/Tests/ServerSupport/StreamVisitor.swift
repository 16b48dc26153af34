import Foundation

/// A visitor of `/stream.mjpg` on this machine, with a connection of its own.
///
/// Its calls block, so use it on a thread.
public final class StreamVisitor {
  private let socket: LoopbackSocket
  /// What was received: a head, then chunks.
  private var pending = Data()
  /// What the chunks held.
  private var decoded = Data()

  /// Connects and asks for the stream; `nil` when there is no server.
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - receiveBuffer: What the system receives for it ahead, in bytes; `nil` leaves the usual.
  public init?(_ server: ServerProcess, receiveBuffer: Int32? = nil) {
    let query = server.token.map { "?token=\($0)" } ?? ""
    let head = "GET /stream.mjpg\(query) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n"
    guard let socket = LoopbackSocket(port: server.port, receiveBuffer: receiveBuffer),
      socket.send(head)
    else { return nil }
    self.socket = socket
  }

  /// The next frame's JPEG; `nil` when the stream is over.
  public func nextFrame() -> Data? {
    guard let fields = read(until: Data("\r\n\r\n".utf8)) else { return nil }
    let text = String(decoding: fields, as: UTF8.self)
    guard let match = text.firstMatch(of: /Content-Length: ([0-9]+)/), let count = Int(match.1)
    else { return nextFrame() }
    return read(count: count)
  }

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
    guard let data = socket.receive(), !data.isEmpty else { return false }
    pending.append(data)
    return true
  }
}

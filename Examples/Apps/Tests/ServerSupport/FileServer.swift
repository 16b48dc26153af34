public import Foundation
import Synchronization

/// Files in memory on a port of this machine, for reading only, and what was asked of them.
public final class FileServer: Sendable {
  private struct State {
    var files: [String: Data] = [:]
    var requests: [String] = []
  }

  private let state = Mutex(State())
  private let listener: Int32
  /// Where it is, with a slash at its end.
  public let address: String

  /// What was asked so far, such as `GET /cards.json`.
  public var requests: [String] { state.withLock { $0.requests } }

  /// Listens on a free port; ends with its object.
  public init() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | 0o2_000_000, 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &place) { place in
      place.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
        bind(listener, place, size) == 0 && listen(listener, 16) == 0
          && getsockname(listener, place, &size) == 0
      }
    }
    guard isListening else { throw POSIXError(.EADDRINUSE) }
    self.listener = listener
    address = "http://127.0.0.1:\(in_port_t(bigEndian: place.sin_port))/"
    Thread.detachNewThread { [weak self] in
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        self?.answer(connection)
        close(connection)
      }
    }
  }

  deinit {
    end()
    close(listener)
  }

  /// Is gone for those who ask from now on.
  public func end() { shutdown(listener, Int32(SHUT_RDWR)) }

  /// Puts a file at a path such as `/cards.json`.
  public func put(_ data: Data, at path: String) { state.withLock { $0.files[path] = data } }

  /// Answers one request; those who ask send its head at once, and no body that matters.
  private func answer(_ connection: Int32) {
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    let head = withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 1) { buffer in
      let count = recv(connection, buffer.baseAddress, buffer.count, 0)
      return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : ""
    }
    let words = head.prefix { $0 != "\r\n" }.split(separator: " ").map(String.init)
    guard words.count == 3 else { return }
    let file = state.withLock { state in
      state.requests.append("\(words[0]) \(words[1])")
      return words[0] == "GET" ? state.files[words[1]] : nil
    }
    let status = file != nil ? "200 OK" : words[0] == "GET" ? "404 Not Found" : "403 Forbidden"
    let fields = "Content-Length: \(file?.count ?? 0)\r\nConnection: close"
    let answer = Data("HTTP/1.1 \(status)\r\n\(fields)\r\n\r\n".utf8) + (file ?? Data())
    answer.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let next = UnsafeRawBufferPointer(rebasing: rest)
        let count = send(connection, next.baseAddress, next.count, Int32(MSG_NOSIGNAL))
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }
}

import Foundation
import Synchronization

/// A request as it came.
public struct TestRequest: Sendable {
  /// The method.
  public var method: String
  /// The path with the query.
  public var target: String
  /// The fields, in their order.
  public var headers: [(name: String, value: String)]
  /// The body.
  public var body: Data

  /// The first field of a name.
  public func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The request for another server, which ends the connection after it.
  public var data: Data {
    let fields = headers.filter { $0.name.lowercased() != "connection" }
      .map { "\($0.name): \($0.value)\r\n" }
    let head = "\(method) \(target) HTTP/1.1\r\n\(fields.joined())Connection: close\r\n\r\n"
    return Data(head.utf8) + body
  }
}

/// A server for a test, whose handler writes whatever bytes it likes; the connection ends after them.
public final class TestServer: Sendable {
  /// Answers a request.
  public typealias Handler = @Sendable (TestRequest, Connection) -> Void

  /// The port that it listens on.
  public let port: Int
  private let listener: Int32
  private let log = Mutex<[TestRequest]>([])

  /// The requests that have come.
  public var requests: [TestRequest] { log.withLock { $0 } }

  /// Forgets the requests that have come.
  public func forgetRequests() { log.withLock { $0 = [] } }

  /// Where it is.
  public var url: URL { URL(string: "http://127.0.0.1:\(port)")! }

  /// Listens on a free port of this machine.
  public init(handler: @escaping Handler) throws {
    signal(SIGPIPE, SIG_IGN)
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | 0o2_000_000, 0)
    var address = Connection.address(port: 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size) == 0 && listen(listener, 64) == 0
          && getsockname(listener, address, &size) == 0
      }
    }
    guard result else { throw POSIXError(.EADDRINUSE) }
    port = Int(in_port_t(bigEndian: address.sin_port))
    self.listener = listener
    Thread.detachNewThread { [weak self] in
      while true {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else { return }
        Thread.detachNewThread { [weak self] in
          let connection = Connection(descriptor)
          guard let request = connection.readRequest() else { return }
          self?.log.withLock { $0.append(request) }
          handler(request, connection)
        }
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }
}

/// One end of a connection; it ends with the object.
public final class Connection: Sendable {
  private let descriptor: Int32

  /// Takes a socket over.
  public init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var limit = timeval(tv_sec: 5, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    // On a busy machine those who take something at all may be slow to.
    limit.tv_sec = 60
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
  }

  /// Connects to a port of this machine; `nil` when nobody listens.
  public convenience init?(port: Int) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | 0o2_000_000, 0)
    var address = Self.address(port: port)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    self.init(descriptor)
    guard result == 0 else { return nil }
  }

  deinit { close(descriptor) }

  static func address(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    return address
  }

  /// Sends bytes; returns whether they were taken.
  @discardableResult
  public func send(_ data: Data) -> Bool {
    data.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let next = UnsafeRawBufferPointer(rebasing: rest)
        let count = Foundation.send(descriptor, next.baseAddress, next.count, Int32(MSG_NOSIGNAL))
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  /// Sends a text; returns whether it was taken.
  @discardableResult
  public func send(_ text: String) -> Bool { send(Data(text.utf8)) }

  /// Waits until the other side ends the connection, so that it has all.
  public func awaitEnd() { while receive() != nil {} }

  /// Sends an answer with a body.
  public func answer(_ status: String, _ body: String = "", fields: [String] = []) {
    let all = fields + ["Content-Length: \(body.utf8.count)", "Connection: close"]
    send("HTTP/1.1 \(status)\r\n\(all.joined(separator: "\r\n"))\r\n\r\n\(body)")
    awaitEnd()
  }

  /// What comes next; `nil` at the end.
  public func receive() -> Data? {
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      return count > 0 ? Data(buffer[..<count]) : nil
    }
  }

  /// All that comes until the end.
  public func receiveAll() -> Data {
    var data = Data()
    while let next = receive() { data.append(next) }
    return data
  }

  fileprivate func readRequest() -> TestRequest? {
    var data = Data()
    let end = Data("\r\n\r\n".utf8)
    while data.range(of: end) == nil {
      guard let next = receive() else { return nil }
      data.append(next)
    }
    guard let split = data.range(of: end) else { return nil }
    let lines = String(decoding: data[..<split.lowerBound], as: UTF8.self)
      .components(separatedBy: "\r\n")
    let start = lines[0].split(separator: " ").map(String.init)
    guard start.count == 3 else { return nil }
    let headers = lines.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
      return (name: parts[0], value: parts.last?.trimmingCharacters(in: .whitespaces) ?? "")
    }
    var request = TestRequest(
      method: start[0], target: start[1], headers: headers, body: Data(data[split.upperBound...]))
    let length = request.header("Content-Length").flatMap { Int($0) } ?? 0
    while request.body.count < length {
      guard let next = receive() else { return nil }
      request.body.append(next)
    }
    return request
  }
}

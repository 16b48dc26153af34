import Foundation

/// A plain connection to a port of this machine.
///
/// Its calls block, so use it on a thread; none waits longer than 20 seconds.
public final class LoopbackSocket {
  private let descriptor: Int32

  /// Connects; `nil` when nobody listens.
  ///
  /// - Parameters:
  ///   - port: The server's.
  ///   - receiveBuffer: What the system receives ahead, in bytes; `nil` leaves the usual.
  public init?(port: Int, receiveBuffer: Int32? = nil) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    if var size = receiveBuffer { set(SO_RCVBUF, &size) }
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    set(SO_RCVTIMEO, &limit)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    guard result == 0 else { return nil }
  }

  deinit { close(descriptor) }

  private func set<Value: BitwiseCopyable>(_ option: Int32, _ value: inout Value) {
    setsockopt(descriptor, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Value>.size))
  }

  /// Sends text; returns whether it was taken.
  @discardableResult
  public func send(_ text: String) -> Bool {
    Foundation.send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL)) == text.utf8.count
  }

  /// What comes next; empty at the end, `nil` when nothing comes for 20 seconds or the connection
  /// breaks.
  public func receive() -> Data? {
    withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 1) { buffer in
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      return count < 0 ? nil : Data(buffer[..<count])
    }
  }
}

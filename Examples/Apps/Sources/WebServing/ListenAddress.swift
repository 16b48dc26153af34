import Foundation

/// Where a server listens.
public struct ListenAddress: Hashable, Sendable {
  /// A name or a number: "127.0.0.1", "::1", "0.0.0.0", "kiosk.local".
  public var host: String
  /// The port; 0 takes any that is free.
  public var port: Int

  /// This machine alone, port 8080.
  public static let loopback = ListenAddress(host: "127.0.0.1", port: 8080)

  /// Creates an address.
  public init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  /// Reads HOST or HOST:PORT; an IPv6 host with a port stands in brackets.
  ///
  /// Returns `nil` for other text.
  public init?(_ text: String) {
    let isBareIPv6 = !text.hasPrefix("[") && text.count(where: { $0 == ":" }) > 1
    guard !isBareIPv6 else {
      self.init(host: text, port: Self.loopback.port)
      return
    }
    let pattern = /(?:\[([0-9A-Fa-f:.%]+)\]|([^:\[\]\s\/]+))(?::([0-9]{1,5}))?/
    guard let match = text.wholeMatch(of: pattern), let host = match.1 ?? match.2 else {
      return nil
    }
    let port = match.3.map { Int($0) ?? .max } ?? Self.loopback.port
    guard port <= 65535 else { return nil }
    self.init(host: String(host), port: port)
  }

  /// Whether only programs on this machine reach it.
  public var isLoopback: Bool {
    if host.lowercased() == "localhost" { return true }
    var address = in_addr()
    // A number: "127.evil.example" is a name that may lead anywhere.
    if inet_pton(AF_INET, host, &address) == 1 { return host.hasPrefix("127.") }
    return host == "::1"
  }

  /// The host as a URL has it; where the server listens on all addresses, the machine's name.
  var urlHost: String {
    if host == "0.0.0.0" || host == "::" { return ProcessInfo.processInfo.hostName }
    return host.contains(":") ? "[\(host)]" : host
  }
}

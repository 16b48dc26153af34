import HTTPTypes
import Hummingbird
import NIOCore

extension Request {
  /// Whether a browser asks for a page, and not a program for a picture.
  var isPageLoad: Bool {
    guard method == .get else { return false }
    if let destination = headers[.secFetchDest] { return destination == "document" }
    return head.wantsPage
  }
}

extension HTTPRequest {
  /// Whether the visitor reads pages, as browsers do.
  var wantsPage: Bool { headerFields[.accept]?.contains("text/html") ?? false }

  /// Whether the visitor would rather read German than English.
  var prefersGerman: Bool {
    let languages = headerFields[.acceptLanguage]?.lowercased().split(separator: ",") ?? []
    let known = languages.lazy.map { $0.drop { $0 == " " }.prefix(2) }
    return known.first { $0 == "de" || $0 == "en" } == "de"
  }
}

/// Where requests come from: an address, of which people on the Internet have one and machines of IPv6 a whole network.
struct VisitorAddress: Hashable, Sendable {
  private let bytes: [UInt8]

  /// Where a request comes from.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - channel: Its connection.
  ///   - isForwarded: Whether a server on this machine leads visitors here. It then says who they are.
  init(of request: Request, _ channel: any Channel, isForwarded: Bool) {
    let peer = channel.remoteAddress
    self.init(peer)
    let isNear = peer?.ipAddress.map { ListenAddress(host: $0, port: 0).isLoopback } ?? false
    guard isForwarded, isNear,
      // The last one is what that server has seen; those before are the visitor's words.
      let last = request.headers[values: .forwardedFor].last?.split(separator: ",").last,
      let address = try? SocketAddress(
        ipAddress: last.filter { !$0.isWhitespace }, port: 0)
    else { return }
    self.init(address)
  }

  init(_ address: SocketAddress?) {
    switch address {
    case .v4(let address):
      bytes = withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
    case .v6(let address):
      bytes = withUnsafeBytes(of: address.address.sin6_addr) { Array($0.prefix(8)) }
    default: bytes = []
    }
  }
}

extension HTTPField.Name {
  static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
  static let secFetchDest = HTTPField.Name("Sec-Fetch-Dest")!
  static let furtherHost = HTTPField.Name("Host")!
  fileprivate static let forwardedFor = HTTPField.Name("X-Forwarded-For")!
}

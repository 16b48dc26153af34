import ArgumentParser

/// Where visitors reach a server that stands behind another one, which speaks TLS for it.
public struct PublicURL: Hashable, Sendable {
  /// As browsers name the page's origin (RFC 6454): `https://cards.example`.
  public let origin: String
  /// The name alone: `cards.example`.
  public let host: String

  /// Whether visitors come over TLS.
  public var isSecure: Bool { origin.hasPrefix("https:") }

  /// Reads http://HOST or https://HOST, with a port or without.
  ///
  /// Returns `nil` for other text, such as one with a path: pages are served from the top.
  public init?(_ text: String) {
    let pattern = /(https?):\/\/([^\s\/?#@:\[\]]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?\/?/
    guard let match = text.lowercased().wholeMatch(of: pattern) else { return nil }
    host = String(match.2)
    let ownPort = match.1 == "https" ? "443" : "80"
    let port = match.3.flatMap { $0 == ownPort ? nil : ":\($0)" } ?? ""
    origin = "\(match.1)://\(host)\(port)"
  }
}

extension PublicURL: ExpressibleByArgument {
  /// Reads http://HOST or https://HOST, with a port or without.
  public init?(argument: String) { self.init(argument) }
}

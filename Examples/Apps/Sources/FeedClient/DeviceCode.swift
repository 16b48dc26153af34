import Foundation

/// What lets another device of a person's in, as a text and a QR code on the first one's screen: where the server is,
/// and a token.
///
/// It is JSON and no address, so that nobody who reads it opens it in a browser, whose history and servers would know
/// the token from then on.
public struct DeviceCode: Codable, Hashable, Sendable {
  /// Where the server is.
  public var server: URL
  /// What the server knows the new device by.
  public var token: String

  /// Creates a code.
  ///
  /// - Parameters:
  ///   - server: Where the server is.
  ///   - token: What the server knows the new device by.
  public init(server: URL, token: String) { (self.server, self.token) = (server, token) }

  /// Reads a code; `nil` for any other text.
  ///
  /// - Parameter text: What was scanned or pasted.
  public init?(_ text: String) {
    guard text.utf8.count <= 2000,
      let code = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)),
      ["http", "https"].contains(code.server.scheme?.lowercased()), code.server.host() != nil,
      code.token.wholeMatch(of: /[\x21-\x7e]+/) != nil
    else { return nil }
    self = code
  }

  /// The code as text.
  public var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Whether other machines can't reach the server: its address is this machine's own.
  public var isForThisMachine: Bool {
    let host = server.host()?.lowercased() ?? ""
    return host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }
}

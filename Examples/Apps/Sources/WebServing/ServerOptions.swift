import ArgumentParser
import Foundation

/// Where a program serves its pages, and to whom.
public struct ServerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where to listen; port 0 takes any that is free.",
      discussion: """
        The default is 127.0.0.1:8080, which only this machine reaches. At other addresses \
        visitors need a token, which is part of the address that is printed. The connection isn't \
        encrypted: use a network that you trust, or --public-url.
        """, valueName: "host[:port]"))
  var listen = ListenAddress.loopback

  // Not the token itself: all users of the machine see a program's arguments.
  @Option(
    help: ArgumentHelp(
      "A file with the token that visitors need, 8 or more letters, digits and -._~; with - it is a line of the input. "
        + "(default: a random token for addresses other than this machine's own)",
      valueName: "path"), transform: AccessToken.init(inFile:))
  var tokenFile: AccessToken?

  @Option(
    help: ArgumentHelp(
      "Where visitors reach the program through another server, which speaks TLS: https://HOST[:PORT].",
      valueName: "url"))
  var publicUrl: PublicURL?

  /// Creates options for the parser to fill.
  public init() {}

  /// The server that they describe.
  public var configuration: WebServer.Configuration {
    var configuration = WebServer.Configuration(address: listen, token: tokenFile)
    configuration.publicURL = publicUrl
    return configuration
  }
}

extension ListenAddress: ExpressibleByArgument {
  /// Reads HOST or HOST:PORT.
  public init?(argument: String) { self.init(argument) }

  /// The host and the port.
  public var defaultValueDescription: String { "\(host):\(port)" }
}

extension AccessToken {
  /// Reads a token from a file, or from a line of the input.
  fileprivate init(inFile path: String) throws {
    let text = path == "-" ? readLine() : try? String(contentsOfFile: path, encoding: .utf8)
    let words = text?.trimmingCharacters(in: .whitespacesAndNewlines)
    guard let token = words.flatMap(AccessToken.init) else {
      throw ValidationError("there is no token, 8 or more letters, digits and -._~.")
    }
    self = token
  }
}

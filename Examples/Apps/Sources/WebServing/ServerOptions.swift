import ArgumentParser

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

  @Option(
    help: ArgumentHelp(
      "The token that visitors need: 8 or more letters, digits and -._~. (default: a random one "
        + "for addresses other than this machine's own)", valueName: "token"))
  var token: AccessToken?

  @Option(
    help: ArgumentHelp(
      "Where visitors reach the program through another server, which speaks TLS: https://HOST[:PORT].",
      valueName: "url"))
  var publicUrl: PublicURL?

  /// Creates options for the parser to fill.
  public init() {}

  /// The server that they describe.
  public var configuration: WebServer.Configuration {
    var configuration = WebServer.Configuration(address: listen, token: token)
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

extension AccessToken: ExpressibleByArgument {
  /// Takes a token of eight or more characters that need no escaping in a URL.
  public init?(argument: String) { self.init(argument) }
}

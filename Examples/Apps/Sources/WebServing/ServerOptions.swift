import ArgumentParser
import Foundation

/// Where a program serves its pages, and to whom.
public struct ServerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where to listen; port 0 takes any that is free.",
      discussion: """
        The default is 127.0.0.1:8080, which only this machine reaches. Visitors need a token, \
        which is part of the address that is printed. The connection isn't encrypted: for other \
        machines use a network that you trust, or --public-url.
        """, valueName: "host[:port]"))
  var listen = ListenAddress.loopback

  // Not the token itself: all users of the machine see a program's arguments.
  @Option(
    help: ArgumentHelp(
      "A file with the token that visitors need, 16 or more letters, digits and -._~; with - it is a line of the input. "
        + "(default: a random token, which is kept in \(Self.keptToken.file.path))",
      valueName: "path"), transform: AccessToken.init(inFile:))
  var tokenFile: AccessToken?

  @Option(
    help: ArgumentHelp(
      "Where visitors reach the program through another server, which speaks TLS: https://HOST[:PORT].",
      valueName: "url"))
  var publicUrl: PublicURL?

  @Flag(
    help:
      "Let in every account and every program of this machine, without a token. Other machines don't get in."
  )
  var noToken = false

  /// Creates options for the parser to fill.
  public init() {}

  /// Refuses what would let in whoever comes.
  public func validate() throws {
    guard !noToken || (listen.isLoopback && tokenFile == nil && publicUrl == nil) else {
      throw ValidationError(
        "--no-token is for this machine alone, so without another --listen, --public-url and --token-file."
      )
    }
  }

  /// The server that they describe.
  ///
  /// - Throws: Why there is no token.
  public var configuration: WebServer.Configuration {
    get throws {
      var configuration = WebServer.Configuration(address: listen)
      configuration.publicURL = publicUrl
      configuration.needsToken = !noToken
      if !noToken { configuration.token = try tokenFile ?? Self.keptToken.token() }
      return configuration
    }
  }

  private static let keptToken = KeptToken(of: ProcessInfo.processInfo.processName)
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
      throw ValidationError("there is no token, 16 or more letters, digits and -._~.")
    }
    self = token
  }
}

import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore
import ServiceLifecycle

/// Serves an example's pages to whoever knows a token.
///
/// ```swift
/// try await WebServer(.init()).run(services: [camera]) { router in
///   Page.addRoutes(to: router)
///   var events = PageEvents()
///   CameraRoutes(camera).add(to: router, events: &events)
///   events.add(to: router)
/// }
/// ```
///
/// SIGINT and SIGTERM end it: open streams first, then the services, such as a ``LiveCamera``.
public struct WebServer: Sendable {
  /// How a server listens and what it takes.
  public struct Configuration: Sendable {
    /// Where it listens.
    ///
    /// The default is ``ListenAddress/loopback``.
    public var address: ListenAddress
    /// What visitors must know.
    ///
    /// With `nil`, the default, a token is made at each start.
    public var token: AccessToken?
    /// Whether visitors must know a token, on this machine too, whose accounts and programs are strangers.
    ///
    /// The default is `true`. At addresses that other machines reach it is always so.
    public var needsToken = true
    /// Where visitors reach it through another server, which speaks TLS for it; they need the token.
    ///
    /// The default is `nil`: visitors come to it itself.
    public var publicURL: PublicURL?
    /// How large requests' bodies may be, and how long they may take.
    ///
    /// The default is 1 MB in 30 seconds.
    public var bodyLimit = BodyLimit(size: 1_000_000, time: .seconds(30))
    /// The same for routes that take more, by their paths, such as "/import"; they get the body as it comes.
    public var bodyLimits: [String: BodyLimit] = [:]
    /// How long it may take from a visitor's coming to the end of the first request's head.
    ///
    /// The default is 10 seconds.
    public var headTimeLimit = Duration.seconds(10)
    /// How long a visitor may take nothing of an answer, or be quiet until the next request.
    ///
    /// The default is 30 seconds.
    public var idleTimeLimit = Duration.seconds(30)
    /// How many visitors' connections there are at a time.
    ///
    /// When there are more, those go that ask for nothing. If there are none, further ones hear that it is full. The default
    /// is 512: with the files that a program has open, this is less than the 1024 that systems allow.
    public var maximumConnections = 512
    /// How many of the connections live pictures may take, and how many pages that hear of what happens.
    ///
    /// The default is 256 and 128. The rest is for what has an end.
    public var maximumStreams: [StreamKind: Int] = [.pictures: 256, .events: 128]

    /// Creates a configuration.
    public init(address: ListenAddress = .loopback, token: AccessToken? = nil) {
      self.address = address
      self.token = token
    }
  }

  private let configuration: Configuration
  private let token: AccessToken?

  /// Creates a server that doesn't listen yet.
  public init(_ configuration: Configuration) {
    self.configuration = configuration
    let isOpen = !configuration.address.isLoopback || configuration.publicURL != nil
    token =
      configuration.needsToken || isOpen ? configuration.token ?? AccessToken() : nil
  }

  /// Serves until a signal comes or the task is cancelled.
  ///
  /// - Parameters:
  ///   - services: What runs as long as the server does.
  ///   - announce: Receives the address to open, with the token if there is one, once the server
  ///     listens. By default it is printed.
  ///   - addRoutes: Adds what is served.
  /// - Throws: ``StartError`` when the address can't be listened on.
  public func run(
    services: [any Service] = [], announce: @escaping @Sendable (String) -> Void = Self.printLine,
    addRoutes: (Router<WebContext>) throws -> Void
  ) async throws {
    let router = makeRouter()
    try addRoutes(router)
    var application = Application(
      router: router, server: .http1(configuration: channelConfiguration),
      configuration: ApplicationConfiguration(
        address: .hostname(configuration.address.host, port: configuration.address.port),
        // Some more, who hear that there is no place.
        availableConnectionsDelegate: MaximumAvailableConnections(
          configuration.maximumConnections + 64)),
      services: services,
      onServerRunning: { server in
        announce(url(port: server.localAddress?.port))
        if let publicURL = configuration.publicURL { announce(withToken("\(publicURL.origin)/")) }
      })
    // What goes wrong is in the answers.
    application.logger.logLevel = .critical
    var group = ServiceGroupConfiguration(
      services: [application], logger: application.logger)
    // A visitor who takes nothing can't keep the program.
    group.maximumGracefulShutdownDuration = .seconds(2)
    do {
      try await ServiceGroup(configuration: group).runUntilInterrupted()
    } catch let error as IOError {
      throw StartError(address: configuration.address, code: error.errnoCode)
    }
  }

  private func makeRouter() -> Router<WebContext> {
    let router = Router(context: WebContext.self)
    router.add(middleware: SecurityHeaders())
    router.add(middleware: ErrorsAsJSON(challenge: "Bearer"))
    router.add(middleware: ErrorsAsPages())
    router.add(middleware: HostGuard(configuration.address, publicURL: configuration.publicURL))
    router.add(middleware: OriginGuard(publicURL: configuration.publicURL))
    if let token {
      router.add(middleware: TokenGuard(token: token, publicURL: configuration.publicURL))
    }
    let streams = StreamPlaces(configuration.maximumStreams)
    router.add(middleware: StreamPlacesOfServer(places: streams))
    router.add(
      middleware: BodyLimits(most: configuration.bodyLimit, own: configuration.bodyLimits))
    return router
  }

  private var channelConfiguration: HTTP1Channel.Configuration {
    let idleTime = TimeAmount(configuration.idleTimeLimit)
    let headTime = TimeAmount(configuration.headTimeLimit)
    let places = ConnectionPlaces(configuration.maximumConnections)
    var channel = HTTP1Channel.Configuration(
      additionalChannelHandlers: [
        IdleStateHandler(allTimeout: idleTime), IdleEnd(),
        ConnectionGuard(places: places, headTime: headTime, idleTime: idleTime),
      ])
    channel.httpDecoder.maxHeaderListSize = 16 * 1024
    channel.httpDecoder.maxHeaderFieldSize = 16 * 1024
    channel.httpDecoder.maxHeaderFieldCount = 100
    return channel
  }

  private func url(port: Int?) -> String {
    withToken("http://\(configuration.address.urlHost):\(port ?? configuration.address.port)/")
  }

  private func withToken(_ address: String) -> String {
    token.map { "\(address)?token=\($0.text)" } ?? address
  }

  /// Prints a line at once, also into a pipe.
  public static func printLine(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  /// Why a server can't listen.
  public struct StartError: Error, CustomStringConvertible {
    let address: ListenAddress
    let code: Int32

    /// Tells of an address, and of an `errno`.
    public init(address: ListenAddress, code: Int32) {
      self.address = address
      self.code = code
    }

    /// What is wrong, and what to do.
    public var description: String {
      let advice =
        switch code {
        case EADDRINUSE: "another program listens there. Choose another port with --listen."
        case EACCES: "ports below 1024 are for root. Choose another with --listen."
        case EADDRNOTAVAIL: "this machine doesn't have that address. Choose another with --listen."
        default: "\(String(cString: strerror(code)))."
        }
      return "The server can't listen on \(address.urlHost):\(address.port): \(advice)"
    }
  }
}

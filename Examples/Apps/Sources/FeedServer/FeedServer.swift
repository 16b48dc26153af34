import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore
import ServiceLifecycle
import WebServing

/// What comes with a request.
struct FeedContext: ChannelContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel
  /// Who asks.
  var visitor = Visitor(person: 0, name: "", device: 0)

  init(source: Source) {
    coreContext = .init(source: source)
    channel = source.channel
  }
}

/// Answers those who know a token, wherever they are; SIGINT and SIGTERM end it when open requests are done.
///
/// It isn't `WebServer`, which serves pages to one person.
struct FeedServer: Sendable {
  private let records: any RecordEngine
  private let blobs: any BlobStore
  private let limits: Limits
  private let hints: (any Hints)?
  private let operation: Operation

  /// What the keeper wants to know.
  struct Operation: Sendable {
    /// The hash of the token for `/metrics`; `nil` for nobody.
    var metricsToken: Data?
    /// Whether each request is a line of the log.
    var logsRequests = false
  }

  /// Creates a server that doesn't listen yet.
  ///
  /// - Parameters:
  ///   - records: Where records are kept.
  ///   - blobs: Where files are kept.
  ///   - limits: What people may have.
  ///   - hints: How other copies of the server hear of news; `nil` where there are none.
  ///   - operation: What the keeper wants to know.
  init(
    records: any RecordEngine, blobs: any BlobStore, limits: Limits, hints: (any Hints)?,
    operation: Operation
  ) {
    self.records = records
    self.blobs = blobs
    self.limits = limits
    self.hints = hints
    self.operation = operation
  }

  /// Longer than a request may wait for news.
  private static let idleTime = TimeAmount.seconds(75)
  /// Each person's devices may all wait.
  private static let maximumConnections = 4096

  /// Serves until a signal comes or the task is cancelled.
  ///
  /// - Parameter address: Where it listens; it is printed.
  /// - Throws: Why it can't listen there.
  func run(at address: ListenAddress) async throws {
    let (metrics, readiness) = (Metrics(), Readiness(records: records, blobs: blobs))
    let news = News(hints: hints)
    let router = Router(context: FeedContext.self)
    router.add(middleware: APIHeaders())
    router.add(middleware: Observation(metrics: metrics, logsRequests: operation.logsRequests))
    router.add(middleware: ErrorsAsJSON(challenge: "Bearer"))
    router.add(middleware: TroubleLog())
    // What is added from here on asks for no person's token, what is added after the guard does.
    OperationRoutes(readiness: readiness, metrics: metrics, metricsToken: operation.metricsToken)
      .add(to: router)
    router.add(middleware: BearerGuard(records: records))
    RecordRoutes(records: records, limits: limits, news: news).add(to: router)
    BlobRoutes(records: records, blobs: blobs, limits: limits).add(to: router)
    PersonRoutes(records: records, limits: limits).add(to: router)
    var channel = HTTP1Channel.Configuration(
      additionalChannelHandlers: [IdleStateHandler(allTimeout: Self.idleTime), IdleEnd()])
    channel.httpDecoder.maxHeaderListSize = 16 * 1024
    var application = Application(
      router: router, server: .http1(configuration: channel),
      configuration: ApplicationConfiguration(
        address: .hostname(address.host, port: address.port),
        availableConnectionsDelegate: MaximumAvailableConnections(Self.maximumConnections)),
      onServerRunning: { server in
        var open = address
        open.port = server.localAddress?.port ?? address.port
        let name = open.host.contains(":") ? "[\(open.host)]" : open.host
        WebServer.printLine("http://\(name):\(open.port)/")
      })
    // What goes wrong is in the answers; what people have is nowhere else.
    application.logger.logLevel = .critical
    var group = ServiceGroupConfiguration(
      services: [
        application, readiness, news, LastUseWriter(records: records),
        Sweeper(records: records, blobs: blobs, limits: limits, metrics: metrics),
      ], logger: application.logger)
    // Somebody who takes nothing can't keep the program.
    group.maximumGracefulShutdownDuration = .seconds(5)
    do {
      try await ServiceGroup(configuration: group).runUntilInterrupted()
    } catch let error as IOError {
      throw WebServer.StartError(address: address, code: error.errnoCode)
    }
  }
}

/// Says that answers are what they say they are.
private struct APIHeaders: RouterMiddleware {
  func handle(
    _ request: Request, context: FeedContext,
    next: (Request, FeedContext) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    response.headers[.xContentTypeOptions] = "nosniff"
    return response
  }
}

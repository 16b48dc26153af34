import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore
import ServiceLifecycle
import WebInterface

/// What comes with a request.
struct BackendContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel
  /// Who asks.
  var person: Int64 = 0

  init(source: Source) {
    coreContext = .init(source: source)
    channel = source.channel
  }
}

/// Answers those who know a token, wherever they are; SIGINT and SIGTERM end it when open requests are done.
///
/// It isn't `WebServer`, which serves pages to one person.
struct BackendServer: Sendable {
  let address: ListenAddress
  let database: BackendDatabase

  private static let idleTime = TimeAmount.seconds(30)

  func run(addRoutes: (Router<BackendContext>) -> Void) async throws {
    let router = Router(context: BackendContext.self)
    router.add(middleware: ErrorsAsJSON())
    router.add(middleware: BearerGuard(database: database))
    addRoutes(router)
    var channel = HTTP1Channel.Configuration(
      additionalChannelHandlers: [IdleStateHandler(allTimeout: Self.idleTime), IdleEnd()])
    channel.httpDecoder.maxHeaderListSize = 16 * 1024
    let name = address.host.contains(":") ? "[\(address.host)]" : address.host
    var application = Application(
      router: router, server: .http1(configuration: channel),
      configuration: ApplicationConfiguration(
        address: .hostname(address.host, port: address.port),
        availableConnectionsDelegate: MaximumAvailableConnections(256)),
      onServerRunning: { [address] server in
        WebServer.printLine("http://\(name):\(server.localAddress?.port ?? address.port)/")
      })
    // What goes wrong is in the answers; what people have is nowhere else.
    application.logger.logLevel = .critical
    var group = ServiceGroupConfiguration(
      services: [application], gracefulShutdownSignals: [.sigint, .sigterm],
      logger: application.logger)
    // Somebody who takes nothing can't keep the program.
    group.maximumGracefulShutdownDuration = .seconds(5)
    try await ServiceGroup(configuration: group).run()
  }
}

/// Closes a connection over which nothing comes or goes for a while.
final class IdleEnd: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard event is IdleStateHandler.IdleStateEvent else {
      return context.fireUserInboundEventTriggered(event)
    }
    context.close(promise: nil)
  }
}

import NIOCore

/// Closes a connection over which nothing comes or goes for a while.
///
/// Comes after NIO's `IdleStateHandler`. A stream's sender waits for its visitor, so that one who
/// went away without a word would keep a place for ever.
public final class IdleEnd: ChannelInboundHandler, RemovableChannelHandler {
  /// Whatever comes.
  public typealias InboundIn = NIOAny

  /// Creates a handler for one connection.
  public init() {}

  /// Closes the connection when it was idle.
  public func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is IdleStateHandler.IdleStateEvent {
      context.close(promise: nil)
    } else {
      context.fireUserInboundEventTriggered(event)
    }
  }
}

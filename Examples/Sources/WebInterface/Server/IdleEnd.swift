import NIOCore

/// Closes a connection over which nothing comes or goes for a while.
///
/// Comes after NIO's `IdleStateHandler`. A stream's sender waits for its visitor, so that one who
/// went away without a word would keep a place for ever.
final class IdleEnd: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is IdleStateHandler.IdleStateEvent {
      context.close(promise: nil)
    } else {
      context.fireUserInboundEventTriggered(event)
    }
  }
}

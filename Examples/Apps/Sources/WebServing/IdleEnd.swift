import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Closes a connection over which nothing comes or goes for a while, unless the server is at work on an answer.
///
/// Comes after the decoder and NIO's `IdleStateHandler`. A stream's sender waits for its visitor, so that one who
/// went away without a word would keep a place for ever. Who has asked and hears nothing yet waits for the server.
public final class IdleEnd: ChannelDuplexHandler, RemovableChannelHandler {
  /// Parts of requests.
  public typealias InboundIn = HTTPRequestPart
  /// Parts of requests, as they come.
  public typealias InboundOut = HTTPRequestPart
  /// Parts of answers.
  public typealias OutboundIn = HTTPResponsePart
  /// Parts of answers, as they come.
  public typealias OutboundOut = HTTPResponsePart

  /// Requests that came whole, less the answers that have begun: below zero where one begins before its request ends.
  private var unanswered = 0

  /// Creates a handler for one connection.
  public init() {}

  /// Counts what is asked.
  public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .end = unwrapInboundIn(data) { unanswered += 1 }
    context.fireChannelRead(data)
  }

  /// Counts what is answered.
  public func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?)
  {
    if case .head(let head) = unwrapOutboundIn(data), head.status.kind != .informational {
      unanswered -= 1
    }
    context.write(data, promise: promise)
  }

  /// Closes the connection when it was idle.
  public func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard event is IdleStateHandler.IdleStateEvent else {
      return context.fireUserInboundEventTriggered(event)
    }
    if unanswered <= 0 { context.close(promise: nil) }
  }
}

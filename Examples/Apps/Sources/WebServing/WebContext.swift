import Hummingbird
import NIOCore

/// What comes with a request, with the connection that it came over.
public protocol ChannelContext: RequestContext {
  /// The connection.
  var channel: any Channel { get }
}

/// What comes with a request for a page.
public struct WebContext: ChannelContext {
  /// What Hummingbird keeps.
  public var coreContext: CoreRequestContextStorage
  /// The connection.
  public let channel: any Channel
  /// The server's places for answers without an end; `nil` where there is no limit.
  var streams: StreamPlaces?

  /// Creates the context of a request that came through a channel.
  public init(source: Source) {
    coreContext = .init(source: source)
    channel = source.channel
  }
}

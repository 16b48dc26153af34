import Hummingbird
import NIOCore

/// What comes with a request.
public struct WebContext: RequestContext {
  /// What Hummingbird keeps.
  public var coreContext: CoreRequestContextStorage
  let channel: any Channel

  /// Creates the context of a request that came through a channel.
  public init(source: Source) {
    coreContext = .init(source: source)
    channel = source.channel
  }
}

extension FeedSync {
  /// When to exchange.
  public struct Options: Hashable, Sendable {
    /// How often to ask for changes while nothing changes here.
    ///
    /// The default is a minute.
    public var interval = Duration.seconds(60)
    /// The pause after the first failure; each further one is twice as long.
    ///
    /// The default is a second.
    public var firstPause = Duration.seconds(1)
    /// The longest pause after failures.
    ///
    /// The default is five minutes.
    public var longestPause = Duration.seconds(300)
    /// How long not to ask again for a blob that the server doesn't have, after the first time.
    ///
    /// The default is five seconds: it comes after its record.
    public var blobPause = Duration.seconds(5)

    /// How long not to try again what the server refused, after the first time; each further time it is twice as long.
    ///
    /// The default is 30 seconds: the cause may be gone.
    public var refusalPause = Duration.seconds(30)
    /// The longest pause before what the server refused is tried again.
    ///
    /// The default is an hour.
    public var longestRefusalPause = Duration.seconds(3600)

    /// Creates options with default values.
    public init() {}
  }
}

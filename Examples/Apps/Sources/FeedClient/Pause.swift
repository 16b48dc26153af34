/// How long to wait after failures: twice as long after each, with jitter so that clients don't come all at once.
public struct Pause: Sendable {
  /// After the first failure.
  public let first: Duration
  /// After many.
  public let longest: Duration
  private var failures = 0

  /// Creates a pause for what hasn't failed yet.
  public init(first: Duration, longest: Duration) {
    self.first = first
    self.longest = longest
  }

  /// The pause after one more failure; never shorter than what the server asks for.
  public mutating func next(atLeast asked: Duration? = nil) -> Duration {
    // 2^20 seconds are more than any limit.
    let full = min(first * (1 << min(failures, 20)), longest)
    failures += 1
    return max(full * Double.random(in: 0.5...1), asked ?? .zero)
  }

  /// Begins again: it worked.
  public mutating func reset() { failures = 0 }
}

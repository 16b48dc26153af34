/// How long to wait after failures: twice as long after each, with jitter so that wallets don't come all at once.
struct Pause: Sendable {
  let first: Duration
  let longest: Duration
  private var failures = 0

  init(first: Duration, longest: Duration) {
    self.first = first
    self.longest = longest
  }

  /// The pause after one more failure; never shorter than what the server asks for.
  mutating func next(atLeast asked: Duration? = nil) -> Duration {
    // 2^20 seconds are more than any limit.
    let full = min(first * (1 << min(failures, 20)), longest)
    failures += 1
    return max(full * Double.random(in: 0.5...1), asked ?? .zero)
  }

  mutating func reset() { failures = 0 }
}

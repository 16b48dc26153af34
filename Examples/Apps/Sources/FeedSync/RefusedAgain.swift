import FeedClient
import Foundation

/// When what a server refused is tried again: at the beginning, soon after something new was refused, then later and
/// later.
struct RefusedAgain {
  private var pause: Pause
  private var next: ContinuousClock.Instant
  /// What was refused last.
  private var known: Set<UUID> = []

  /// Begins with what was refused at another time, which is due.
  init(
    first: Duration, longest: Duration, at now: ContinuousClock.Instant = .now
  ) {
    pause = Pause(first: first, longest: longest)
    next = now
  }

  /// Whether it is to be tried now.
  func isDue(at now: ContinuousClock.Instant = .now) -> Bool { next <= now }

  /// Makes it due: somebody asks.
  mutating func ask(at now: ContinuousClock.Instant = .now) { next = now }

  /// Notes what is refused after an exchange, in which it was tried or wasn't due.
  mutating func note(
    _ refused: Set<UUID>, wasTried: Bool, at now: ContinuousClock.Instant = .now
  ) {
    let isNew = !refused.isSubset(of: known)
    known = refused
    if isNew { pause.reset() }
    if isNew || wasTried { next = now + pause.next() }
  }
}

public import Foundation

/// When to take a photo that has to wait.
public enum SelfTimer: Hashable, Sendable {
  /// After a time; zero and less mean at once.
  case delay(Duration)
  /// At a date by the system's clock, even when somebody sets the clock meanwhile; a date that has
  /// passed means at once.
  case date(Date)
}

/// What a display of a self-timer shows.
public struct SelfTimerTick: Hashable, Sendable {
  /// The ``CapturePhotoSettings/uniqueID`` of the request whose timer runs.
  public let uniqueID: Int64
  /// The time until the photo is taken; zero when the timer ran out or somebody cancelled it.
  public let remaining: Duration
}

/// A self-timer that runs: once, and until it is cancelled.
final class Countdown: Sendable {
  /// How far apart the clocks of two readings may be, in seconds.
  private static let tolerance = 0.001
  /// In seconds: what a dispatch queue can wait for.
  private static let longest = 1e9

  private let timer: SelfTimer
  /// When a delay begins.
  private let start = monotonicTime()
  private let isOver = Mutex(false)

  init(_ timer: SelfTimer) {
    self.timer = timer
  }

  /// In seconds; bounded, and at once where a date is no number.
  private var remaining: Double {
    let seconds =
      switch timer {
      case .delay(let delay): (start + delay - monotonicTime()) / .seconds(1)
      case .date(let date): date.timeIntervalSinceNow
      }
    return seconds > Self.tolerance ? min(seconds, Self.longest) : 0
  }

  /// What the first tick shows: the time asked for, even where the timer starts late.
  private func firstShown(_ remaining: Double) -> Double {
    if case .delay(let delay) = timer, remaining > 0 {
      return min(delay / .seconds(1), Self.longest)
    }
    let whole = Self.wholeSeconds(in: remaining)
    return whole - remaining < Self.tolerance ? whole : remaining
  }

  /// The whole seconds that are left, or a moment less, when a display shows them.
  static func wholeSeconds(in remaining: Double) -> Double {
    max((remaining - tolerance).rounded(.up), 0)
  }

  /// Ticks at once, at each whole second that remains, and with zero at the end.
  ///
  /// - Parameters:
  ///   - queue: Where the rest of the calls is made; the first comes at once.
  ///   - tick: Told the time that remains. No tick comes after ``cancel()``.
  ///   - completion: Called after the last tick, unless the timer is cancelled before.
  func run(
    on queue: DispatchQueue, tick: @escaping @Sendable (Duration) -> Void,
    completion: @escaping @Sendable () -> Void
  ) {
    let remaining = remaining
    step(remaining, showing: firstShown(remaining), on: queue, tick, completion)
  }

  /// Stops the timer; `false` when it was over.
  func cancel() -> Bool {
    isOver.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
  }

  private func step(
    _ remaining: Double, showing shown: Double, on queue: DispatchQueue,
    _ tick: @escaping @Sendable (Duration) -> Void, _ completion: @escaping @Sendable () -> Void
  ) {
    let isWanted = isOver.withLock { isOver in
      guard !isOver else { return false }
      tick(.seconds(shown))
      isOver = remaining == 0
      return true
    }
    guard isWanted else { return }
    guard remaining > 0 else { return completion() }
    let pause = remaining - max(Self.wholeSeconds(in: remaining) - 1, 0)
    let work = { @Sendable [self] in
      let rest = self.remaining
      step(rest, showing: Self.wholeSeconds(in: rest), on: queue, tick, completion)
    }
    switch timer {
    case .delay: queue.asyncAfter(deadline: .now() + pause, execute: work)
    case .date: queue.asyncAfter(wallDeadline: .now() + pause, execute: work)
    }
  }
}

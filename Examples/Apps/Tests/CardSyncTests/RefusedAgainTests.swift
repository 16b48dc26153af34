import Foundation
import Testing

@testable import FeedSync

@Suite("When what was refused is tried again")
struct RefusedAgainTests {
  private let start = ContinuousClock.now
  private let one = UUID()
  private let other = UUID()

  private func plan() -> RefusedAgain {
    RefusedAgain(first: .seconds(30), longest: .seconds(3600), at: start)
  }

  @Test("After 30 seconds, then later and later, up to an hour")
  func doubling() {
    var (again, now) = (plan(), start)
    #expect(again.isDue(at: now), "at the beginning")
    for full in [30.0, 60, 120, 240, 480, 960, 1920, 3600, 3600] {
      again.note([one], wasTried: true, at: now)
      // Pauses have jitter, so that devices don't come all at once.
      #expect(!again.isDue(at: now + .seconds(full * 0.49)))
      now += .seconds(full)
      #expect(again.isDue(at: now))
    }
  }

  @Test("An exchange before its time changes nothing; what is newly refused comes soon")
  func newlyRefused() {
    var (again, now) = (plan(), start)
    for _ in 0..<5 {
      again.note([one], wasTried: true, at: now)
      now += .seconds(3600)
    }
    again.note([one], wasTried: true, at: now)
    again.note([one], wasTried: false, at: now)
    #expect(!again.isDue(at: now + .seconds(30)))
    again.note([one, other], wasTried: false, at: now)
    #expect(again.isDue(at: now + .seconds(30)))
  }

  @Test("Who asks needn't wait")
  func asked() {
    var again = plan()
    again.note([one], wasTried: true, at: start)
    #expect(!again.isDue(at: start))
    again.ask(at: start)
    #expect(again.isDue(at: start))
  }
}

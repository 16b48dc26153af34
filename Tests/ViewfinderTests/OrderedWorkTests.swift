import Foundation
import Testing

@testable import Viewfinder

@Suite("Ordered work") struct OrderedWorkTests {
  @Test(
    "Work is done side by side, and handed over in the order in which it was begun",
    arguments: [false, true])
  func order(aside: Bool) {
    let work = OrderedWork("test", width: 3, handsOverAside: aside)
    let (results, group, isLast) = (Shared<[Int]>([]), DispatchGroup(), DispatchSemaphore(value: 0))
    let ends = Shared<[DispatchTimeoutResult]>([])
    for number in 0..<3 {
      group.enter()
      work.begin {
        // The first ends when the others have: one after the other they would wait in vain.
        if number == 0 {
          let end = isLast.wait(timeout: .now() + 60)
          ends.withLock { $0.append(end) }
        } else if number == 2 {
          isLast.signal()
        }
        return {
          results.withLock { $0.append(number) }
          group.leave()
        }
      }
    }
    group.wait()
    #expect(ends.value == [.success])
    #expect(results.value == [0, 1, 2])
  }

  @Test(
    "No more is done at a time than may be, and nothing is handed over while something is",
    arguments: [false, true])
  func width(aside: Bool) {
    let work = OrderedWork("test", width: 2, handsOverAside: aside)
    let (busy, most, group) = (Shared(0), Shared(0), DispatchGroup())
    let (handing, mostHanding) = (Shared(0), Shared(0))
    @Sendable func count(_ busy: Shared<Int>, _ most: Shared<Int>) {
      let now = busy.withLock { busy in
        busy += 1
        return busy
      }
      most.withLock { $0 = max($0, now) }
      usleep(1000)
      busy.withLock { $0 -= 1 }
    }
    for _ in 0..<20 {
      group.enter()
      work.begin {
        count(busy, most)
        return {
          count(handing, mostHanding)
          group.leave()
        }
      }
    }
    group.wait()
    #expect(most.value <= 2)
    #expect(mostHanding.value == 1)
  }

  @Test(
    "What work holds is let go of before its result is handed over", arguments: [false, true])
  func release(aside: Bool) {
    final class Held: Sendable {}
    let work = OrderedWork("test", width: 1, handsOverAside: aside)
    let (isBegun, isDone, isHeld) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), Shared(true)
    )
    // A function of its own, so that this thread holds nothing when it says that the work is begun.
    func begin() {
      let object = Held()
      let reference = Weak(object)
      work.begin {
        withExtendedLifetime(object) { isBegun.wait() }
        return {
          isHeld.withLock { $0 = reference.object != nil }
          isDone.signal()
        }
      }
    }
    begin()
    isBegun.signal()
    isDone.wait()
    #expect(!isHeld.value)
  }
}

/// A weak reference that closures can hold.
private final class Weak<Object: AnyObject & Sendable>: Sendable {
  weak let object: Object?

  init(_ object: Object) { self.object = object }
}

import Dispatch
import Foundation
import Testing

@testable import Viewfinder

@Suite struct BlockingTests {
  /// Each of them ends only when all are there: on the threads of tasks there would be too few.
  @Test func workThatBlocksLeavesTheThreadsOfTasksAlone() async {
    let count = 2 * ProcessInfo.processInfo.activeProcessorCount + 2
    let arrived = DispatchGroup()
    for _ in 0..<count { arrived.enter() }
    let ends = await withTaskGroup(of: DispatchTimeoutResult.self) { group in
      for _ in 0..<count {
        group.addTask {
          await Blocking.run {
            arrived.leave()
            return arrived.wait(timeout: .now() + 60)
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(ends == Array(repeating: .success, count: count))
  }

  @Test func whatBlockingWorkThrowsKeepsItsType() async {
    do throws(FileFailure) {
      try await Blocking.run { () throws(FileFailure) in throw FileFailure(code: ENOSPC) }
      Issue.record("It didn't throw.")
    } catch {
      #expect(error.code == ENOSPC)
    }
  }

  @Test func workThatNobodyWaitsForIsDone() async {
    await withCheckedContinuation { continuation in
      Blocking.later { continuation.resume() }
    }
  }

  @Test func workThatIsSpreadIsDoneOnceEach() {
    let calls = Mutex<[Int]>([])
    for count in [0, 1, 2, 50] {
      calls.withLock { $0 = [] }
      Blocking.spread(count) { number in calls.withLock { $0.append(number) } }
      #expect(calls.withLock { $0.sorted() } == Array(0..<count))
    }
  }

  @Test func spreadWorkRunsAtTheSameTime() {
    let both = DispatchGroup()
    for _ in 0..<2 { both.enter() }
    let ends = Mutex<[DispatchTimeoutResult]>([])
    Blocking.spread(2) { _ in
      both.leave()
      let end = both.wait(timeout: .now() + 60)
      ends.withLock { $0.append(end) }
    }
    #expect(ends.withLock { $0 } == [.success, .success])
  }
}

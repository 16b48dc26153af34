import Foundation
import Testing

@testable import Viewfinder

@Suite("Driver threads") struct DriverThreadsTests {
  /// The thread that did a call, once it is free again.
  private func threadOfCall(on threads: DriverThreads) -> pthread_t {
    let (thread, isDone) = (Shared<pthread_t?>(nil), DispatchSemaphore(value: 0))
    threads.run {
      let own = pthread_self()
      return {
        thread.withLock { $0 = own }
        isDone.signal()
      }
    }
    isDone.wait()
    return thread.value!
  }

  @Test("One call after the other has the same thread")
  func reuse() {
    let threads = DriverThreads()
    let first = threadOfCall(on: threads)
    for _ in 0..<20 { #expect(threadOfCall(on: threads) == first) }
  }

  @Test("A call that hangs keeps no other waiting, and its thread serves again when it has ended")
  func hanging() {
    let threads = DriverThreads()
    let (end, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let hung = Shared<pthread_t?>(nil)
    let hangs = DispatchSemaphore(value: 0)
    threads.run {
      let own = pthread_self()
      hung.withLock { $0 = own }
      hangs.signal()
      end.wait()
      return { hasEnded.signal() }
    }
    hangs.wait()
    #expect(threadOfCall(on: threads) != hung.value)
    end.signal()
    hasEnded.wait()
    #expect(threadOfCall(on: threads) == hung.value)
  }

  @Test("What a call holds is let go of when it has ended, although the thread stays")
  func release() {
    final class Held: Sendable {}
    let threads = DriverThreads()
    weak var held: Held?
    let isDone = DispatchSemaphore(value: 0)
    do {
      let new = Held()
      held = new
      threads.run {
        withExtendedLifetime(new) {}
        return { isDone.signal() }
      }
    }
    isDone.wait()
    // The thread is free when its next call begins.
    _ = threadOfCall(on: threads)
    #expect(held == nil)
  }
}

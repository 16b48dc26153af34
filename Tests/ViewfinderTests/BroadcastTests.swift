import Foundation
import Testing

@testable import Viewfinder

/// The rule of `Viewfinder.docc/Sequences.md`.
@Suite struct BroadcastTests {
  /// Reads a sequence that has ended.
  private func all<Value: Sendable>(_ values: AsyncStream<Value>) async -> [Value] {
    await values.reduce(into: []) { $0.append($1) }
  }

  @Test(.timeLimit(.minutes(2))) func aReaderMayBeCancelledWhileAValueIsSent() async {
    let broadcast = Broadcast<Int>(.states)
    for _ in 0..<20_000 {
      let values = broadcast.subscribe()
      let reader = Task { for await _ in values {} }
      let sender = Task { for value in 0..<4 { broadcast.send(value) } }
      await Task.yield()
      reader.cancel()
      await reader.value
      await sender.value
    }
    #expect(!broadcast.hasSubscribers)
  }

  @Test func eachUseIsASequenceOfItsOwnFromThenOn() async {
    let broadcast = Broadcast<Int>(.events)
    let first = broadcast.subscribe()
    broadcast.send(1)
    let second = broadcast.subscribe(beginningWith: 0)
    broadcast.send(2)
    broadcast.finish()
    #expect(await all(first) == [1, 2])
    #expect(await all(second) == [0, 2])
    #expect(await all(broadcast.subscribe()) == [])
  }

  @Test func eventsKeepTheNewestAndStatesTheNewestAlone() async {
    let (events, states) = (Broadcast<Int>(.events), Broadcast<Int>(.states))
    let (kept, newest) = (events.subscribe(), states.subscribe(beginningWith: -1))
    for value in 0..<10_000 {
      events.send(value)
      states.send(value)
    }
    events.finish()
    states.finish()
    #expect(await all(kept) == Array(10_000 - sequenceLimit..<10_000))
    #expect(await all(newest) == [9999])
  }

  @Test func whoeverTellsEndsItsSequencesWhenItIsLetGoOf() async {
    var broadcast: Broadcast<Int>? = Broadcast(.events)
    let values = broadcast!.subscribe()
    broadcast?.send(1)
    broadcast = nil
    #expect(await all(values) == [1])
  }

  @Test func aStoryIsToldFromItsBeginningAndAfterItsEndToo() async {
    let broadcast = Broadcast<Int>(.story)
    broadcast.send(1)
    let early = broadcast.subscribe()
    broadcast.send(2)
    let late = broadcast.subscribe()
    broadcast.finish()
    for values in [early, late, broadcast.subscribe()] { #expect(await all(values) == [1, 2]) }
  }

  @Test func aStoryKeepsTheNewestOfWhatHasHappened() async {
    let broadcast = Broadcast<Int>(.story)
    for value in 0..<1000 { broadcast.send(value) }
    broadcast.finish()
    #expect(await all(broadcast.subscribe()) == Array(1000 - sequenceLimit..<1000))
  }

  @Test func aSequenceThatNobodyReadsAnyMoreIsForgotten() async {
    let broadcast = Broadcast<Int>(.events)
    do {
      let unread = broadcast.subscribe()
      #expect(broadcast.hasSubscribers)
      withExtendedLifetime(unread) {}
    }
    #expect(await eventually { !broadcast.hasSubscribers })
  }

  /// A frame holds one of the camera's buffers.
  @Test func whatNobodyWillReadIsLetGoOfWithoutAnotherValue() async {
    final class Frame: Sendable {}
    let broadcast = Broadcast<Frame>(.states)
    weak var unread: Frame?
    do {
      let frame = Frame()
      unread = frame
      broadcast.send(frame)
      for await _ in broadcast.subscribe(beginningWith: frame) {
        broadcast.send(frame)
        break
      }
    }
    #expect(await eventually { unread == nil })
  }

  @Test(arguments: [257, 300, 511, 512, 513, 900, 5000])
  func aLossIsToldAfterAllThatWasLost(count: Int) async {
    let broadcast = Broadcast<Int>(.events, loss: -1)
    let values = broadcast.subscribe()
    for value in 0..<count { broadcast.send(value) }
    broadcast.finish()
    let read = await all(values)
    #expect(read.count == sequenceLimit)
    // At least one, and few: what it makes a reader do costs.
    #expect((1...2).contains(read.filter { $0 == -1 }.count))
    // What comes after the last such value is told without a gap.
    let rest = Array(read[(read.lastIndex(of: -1)! + 1)...])
    #expect(rest == Array(count - rest.count..<count))
    #expect(rest.last == count - 1 || rest.isEmpty)
  }

  @Test func whoKeepsUpIsToldOfNoLoss() async {
    let broadcast = Broadcast<Int>(.events, loss: -1)
    var values = broadcast.subscribe().makeAsyncIterator()
    for value in 0..<1000 {
      broadcast.send(value)
      #expect(await values.next() == value)
    }
  }
}

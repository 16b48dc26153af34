import Foundation
import Testing

@testable import Viewfinder

/// The session's machine, without threads and without a clock.
@Suite struct SessionStateMachineTests {
  @Test func aStartThatTimesOutEndsWorkIsToldAndWakesWhoWaits() {
    var machine = SessionStateMachine()
    _ = machine.start(1, lack: nil)
    _ = machine.start(2, lack: nil)
    #expect(
      machine.startLimitDidPass(1, late) == [
        .endStream(1), .endWork, .publish(.runtimeError(late)), .publish(.didStopRunning),
        .resume([1, 2], late),
      ])
    #expect(machine.state == .stopped)
    // The thread that hung comes back.
    #expect(machine.streamDidStart(1, format) == [])
    #expect(machine.streamDidFail(1, late) == [])
    #expect(machine.streamDidEnd(1) == [])
  }

  @Test func aStopGivesAStartUpAtOnce() {
    var machine = SessionStateMachine()
    _ = machine.start(1, lack: nil)
    let actions = machine.stop(2)
    guard case .resume([1], .cancelled?)? = actions.first else {
      Issue.record("\(actions)")
      return
    }
    #expect(actions.dropFirst() == [.endWork, .endStream(1), .limitStop(1, ofStart: true)])
    #expect(!machine.isRunning)
    #expect(machine.streamDidEnd(1) == [.publish(.didStopRunning), .resume([2], nil)])
  }

  @Test func theLastWhoWaitsTakesTheStartWithHim() {
    var machine = SessionStateMachine()
    _ = machine.start(1, lack: nil)
    _ = machine.start(2, lack: nil)
    #expect(machine.cancelStart(1).count == 1)
    #expect(machine.isRunning)
    #expect(machine.cancelStart(1) == [])
    #expect(machine.cancelStart(2).contains(.endStream(1)))
    #expect(!machine.isRunning)
  }

  @Test func aStartDuringAStopComesAfterIt() {
    var machine = SessionStateMachine()
    _ = machine.start(1, lack: nil)
    _ = machine.streamDidStart(1, format)
    _ = machine.stop(2)
    #expect(machine.start(3, lack: nil) == [.limitStart(2)])
    #expect(
      machine.stopLimitDidPass(1) == [
        .publish(.didStopRunning), .resume([2], nil), .openStream(2), .refreshOutputs,
      ])
    #expect(machine.streamDidStart(1, format) == [], "That is the stream left behind.")
    #expect(
      machine.streamDidStart(2, format) == [
        .publish(.didStartRunning(format)), .resume([3], nil),
      ])
  }

  @Test func anInterruptionIsToldOnceAndAStillGivesWayToARealOne() {
    var machine = SessionStateMachine()
    _ = machine.start(1, lack: nil)
    _ = machine.streamDidStart(1, format)
    let still = CaptureError.takingStill(device: "camera")
    let gone = CaptureError.disconnected(device: "camera")
    #expect(machine.streamWasInterrupted(1, still) == [.publish(.wasInterrupted(still))])
    #expect(machine.streamWasInterrupted(1, still) == [])
    #expect(machine.streamWasInterrupted(1, gone) == [.publish(.wasInterrupted(gone))])
    #expect(machine.streamWasInterrupted(1, late) == [])
    #expect(machine.interruption == gone)
    #expect(
      machine.streamDidStart(1, format) == [.publish(.interruptionEnded(format))])
  }

  @Test(arguments: 0..<40)
  func whateverHappensInWhateverOrderEachStartAndStopEndsOnceAndEventsAlternate(seed: Int) {
    for part in 0..<100 {
      var world = World(seed: UInt64(100 * seed + part))
      for _ in 0..<60 { world.step() }
      world.settle()
      if let problem = world.problem {
        Issue.record("Seed \(100 * seed + part): \(problem)\n\(world.history.suffix(12))")
        return
      }
    }
  }

  /// Streams, clocks and callers around a machine, which act at random.
  private struct World {
    var machine = SessionStateMachine()
    var random: SplitMix
    var hasCamera = true
    var lastWaiter = 0
    var waiting: Set<Int> = []
    /// Streams whose threads run, and those that may still report that they failed.
    var threads: Set<Int> = []
    var told: Set<Int> = []
    var ending: Set<Int> = []
    var startLimits: Set<Int> = []
    var stopLimits: Set<Int> = []
    var isStarted = false
    var isInterrupted = false
    var problem: String?
    var history: [String] = []

    init(seed: UInt64) { random = SplitMix(state: seed) }

    mutating func step() {
      let token = threads.sorted().randomElement(using: &random) ?? 0
      switch Int.random(in: 0..<14, using: &random) {
      case 0, 1:
        let waiter = newWaiter()
        act("start \(waiter)", machine.start(waiter, lack: hasCamera ? nil : lack))
      case 2:
        let waiter = newWaiter()
        act("stop \(waiter)", machine.stop(waiter))
      case 3:
        let waiter = waiting.sorted().randomElement(using: &random) ?? 0
        act("cancel \(waiter)", machine.cancelStart(waiter))
      case 4:
        hasCamera.toggle()
        act("camera \(hasCamera)", machine.cameraDidChange(lack: hasCamera ? nil : lack))
      case 5 where machine.token != nil:
        act("format", machine.formatWillChange())
      case 6:
        let limit = startLimits.sorted().randomElement(using: &random) ?? 0
        startLimits.remove(limit)
        act("start limit \(limit)", machine.startLimitDidPass(limit, late))
      case 7:
        let limit = stopLimits.sorted().randomElement(using: &random) ?? 0
        stopLimits.remove(limit)
        act("stop limit \(limit)", machine.stopLimitDidPass(limit))
      case 8 where told.contains(token):
        let isStill = Bool.random(using: &random)
        act(
          "interrupted \(token)",
          machine.streamWasInterrupted(token, isStill ? .takingStill(device: "") : late))
      case 9 where token != 0 && !told.contains(token):
        fail(token)
      case 10 where ending.contains(token):
        end(token)
      case 11, 12,
        13 where token != 0:
        told.insert(token)
        act("frames \(token)", machine.streamDidStart(token, format), from: token)
      default: break
      }
    }

    /// Lets all that is under way come to its end.
    mutating func settle() {
      let waiter = newWaiter()
      act("stop \(waiter)", machine.stop(waiter))
      for token in threads.sorted() where ending.contains(token) { end(token) }
      for limit in stopLimits.sorted() { act("stop limit", machine.stopLimitDidPass(limit)) }
      if machine.state != .stopped { problem = problem ?? "It is \(machine.state)." }
      if !waiting.isEmpty { problem = problem ?? "\(waiting) wait for ever." }
      if !threads.isEmpty { problem = problem ?? "\(threads) stream for ever." }
      if isStarted { problem = problem ?? "The end wasn't told." }
    }

    private mutating func fail(_ token: Int) {
      act("failed \(token)", machine.streamDidFail(token, late), from: token)
      end(token)
    }

    private mutating func end(_ token: Int) {
      threads.remove(token)
      act("ended \(token)", machine.streamDidEnd(token))
    }

    private mutating func newWaiter() -> Int {
      lastWaiter += 1
      waiting.insert(lastWaiter)
      return lastWaiter
    }

    /// Does what the machine says, and looks whether that may be.
    private mutating func act(
      _ what: String, _ actions: [SessionStateMachine.Action], from token: Int? = nil
    ) {
      history.append("\(what) → \(actions)")
      if let token, ending.contains(token), !actions.isEmpty {
        complain("A stream that was to end did something.")
      }
      for action in actions {
        switch action {
        case .openStream(let token):
          if threads.contains(token) || ending.contains(token) { complain("Opened twice.") }
          if !hasCamera { complain("Opened without a camera.") }
          if !threads.subtracting(ending).isEmpty { complain("Two streams at a time.") }
          threads.insert(token)
        case .endStream(let token):
          if !ending.insert(token).inserted { complain("Ended twice.") }
        case .limitStart(let token): startLimits.insert(token)
        case .limitStop(let token, _): stopLimits.insert(token)
        case .endWork, .refreshOutputs: break
        case .resume(let waiters, _):
          for waiter in waiters where waiting.remove(waiter) == nil {
            complain("\(waiter) was resumed twice.")
          }
        case .publish(let event): note(event)
        }
      }
      if machine.format != nil, machine.interruption != nil || !machine.isRunning {
        complain("Frames flow and don't.")
      }
    }

    private mutating func note(_ event: CaptureSession.Event) {
      switch event {
      case .didStartRunning:
        if isStarted { complain("Started twice.") }
        isStarted = true
      case .didStopRunning: (isStarted, isInterrupted) = (false, false)
      case .runtimeError, .framesAreHeld: break
      case .wasInterrupted:
        if !isStarted { complain("Interrupted without a start.") }
        isInterrupted = true
      case .interruptionEnded:
        if !isInterrupted { complain("An end without an interruption.") }
        isInterrupted = false
      case .didChangeFormat:
        if !isStarted || isInterrupted { complain("A format without frames.") }
      }
    }

    private mutating func complain(_ words: String) { problem = problem ?? words }
  }
}

private let format = VideoFormat(
  pixelFormat: .yuyv, dimensions: .vga, bytesPerRow: 1280, frameInterval: nil)
private let lack = CaptureError.invalidSettings(reason: "no camera")
private let late = CaptureError.stalled(device: "camera", seconds: 15)

/// Numbers that are the same each time.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}

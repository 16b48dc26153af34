import FaultInjection
import Foundation

@testable import Viewfinder

/// A session whose camera is unplugged at some moment, and plugged in again.
struct UnplugTrial: Trial {
  enum Moment: Sendable {
    /// Before the n-th call of a name in a whole life.
    case call(TamperedSystem.Call, Int)
    /// Before the n-th call of a start.
    case start(Int)
    /// Before the n-th call after it was plugged in again.
    case reopening(Int)
    /// Between the steps of a life.
    case running, photo, still, interruption
  }

  let moment: Moment

  var description: String { "Unplugged at \(moment)" }

  func live() async -> TrialOutcome {
    let remains = Remains()
    let journal: Journal
    let problem: String?
    let puller: PlugPuller
    do {
      let isStalled = if case .interruption = moment { true } else { false }
      let life = try FaultLife(limits: FaultTrial.limits(noticingSilence: isStalled))
      journal = life.journal
      puller = PlugPuller(moment, life)
      remains.watch(life)
      await run(life, puller)
      puller.plugIn()
      problem = await life.recovers()
    } catch {
      return .broken("There is no camera: \(error)")
    }
    let entries = await journal.entries
    if let problem { return .broken("\(problem) \(entries)") }
    if let left = await remains.leaks() { return .broken(left) }
    guard let step = puller.step else { return .broken("It was never unplugged.") }
    let errors = entries.filter { !$0.error.isPassing }
    // Who has just stopped needs no word.
    guard !errors.isEmpty else {
      return step == .stop ? .absorbed : .broken("Nobody was told.")
    }
    // One interruption is told once, with its first reason.
    let isStall = if case .interruption = moment { true } else { false }
    let isTold = errors.contains { $0.error.saysGone || isStall && $0.error.saysSilent }
    return isTold ? .told : .broken("It wasn't named: \(errors)")
  }

  private func run(_ life: FaultLife, _ puller: PlugPuller) async {
    switch moment {
    case .call:
      await life.run()
    case .start, .photo, .still, .running:
      await life.discover()
      guard await life.journal.attempt(.configure, life.configure) else { return }
      if case .start = moment { puller.arm() }
      guard await start(life) else { return }
      await pull(puller, during: life)
    case .interruption, .reopening:
      guard await life.journal.attempt(.configure, life.configure), await start(life) else {
        return
      }
      await interrupt(life, puller)
    }
  }

  private func start(_ life: FaultLife) async -> Bool {
    let session = life.rig.session
    return await life.journal.attempt(.start) { try await session.startRunning() }
  }

  /// Pulls the plug while a step is under way.
  private func pull(_ puller: PlugPuller, during life: FaultLife) async {
    async let unplugged: Void = puller.pullSoon(moment)
    switch moment {
    case .photo:
      await life.journal.attempt(.photo) { try await life.takePhoto(nil) }
    case .still:
      await life.journal.attempt(.still) {
        try await life.takePhoto(Dimensions(width: 1920, height: 1080))
      }
    default: break
    }
    await unplugged
    let session = life.rig.session
    _ = await eventually(
      { session.interruption.map { !$0.isPassing } ?? !session.isRunning }, within: .seconds(60))
  }

  /// Interrupts the session, and pulls the plug during that.
  private func interrupt(_ life: FaultLife, _ puller: PlugPuller) async {
    let session = life.rig.session
    if case .reopening = moment {
      puller.pull()
      guard await eventually({ session.isInterrupted }, within: .seconds(60)) else { return }
      puller.arm()
      puller.plugIn()
      _ = await eventually({ puller.wasPulledAgain }, within: .seconds(60))
    } else {
      puller.silence()
      guard await eventually({ session.isInterrupted }, within: .seconds(60)) else { return }
      puller.pull()
    }
  }
}

/// Pulls the plug at a call.
final class PlugPuller: Sendable {
  private struct State {
    weak var camera: SimulatedCamera?
    var isArmed: Bool
    var isSilent = false
    var isPlugged = true
    var pulls = 0
    var number = 0
    /// Where the life was.
    var step: Journal.Step?
  }

  private let moment: UnplugTrial.Moment
  private let journal: Journal
  private let state: Mutex<State>

  init(_ moment: UnplugTrial.Moment, _ life: FaultLife) {
    self.moment = moment
    journal = life.journal
    let isArmed = if case .call = moment { true } else { false }
    state = Mutex(State(camera: life.rig.camera, isArmed: isArmed))
    unsafe life.rig.calls.before = { [weak self] call, _ in
      self?.count(call)
      return 0
    }
    life.rig.calls.readiness = { [weak self] in
      self?.state.withLock { $0.isSilent } == true ? .silent : .honest
    }
  }

  /// Where the life was when the plug was pulled first; `nil` when it never was.
  var step: Journal.Step? { state.withLock { $0.step } }

  var wasPulledAgain: Bool { state.withLock { $0.pulls > 1 } }

  /// Counts calls from now on.
  func arm() {
    state.withLock { state in
      state.number = 0
      state.isArmed = true
    }
  }

  /// Makes the camera silent until it is plugged in again.
  func silence() { state.withLock { $0.isSilent = true } }

  private var camera: SimulatedCamera? { state.withLock { $0.camera } }

  func pull() {
    let step = journal.step
    state.withLock { state in
      state.isArmed = false
      state.step = state.step ?? step
    }
    camera?.unplug()
    state.withLock { $0.pulls += 1 }
  }

  func plugIn() {
    state.withLock { $0.isSilent = false }
    camera?.plugIn()
  }

  /// Pulls it in a moment, unless calls are counted for it.
  func pullSoon(_ moment: UnplugTrial.Moment) async {
    if case .start = moment { return }
    if case .still = moment { try? await Task.sleep(for: .milliseconds(20)) }
    pull()
  }

  private func count(_ call: TamperedSystem.Call) {
    let isDue = state.withLock { state in
      guard state.isArmed else { return false }
      switch moment {
      case .call(let wanted, let number):
        guard call == wanted else { return false }
        state.number += 1
        return state.number == number
      case .start(let number), .reopening(let number):
        state.number += 1
        return state.number == number
      case .running, .photo, .still, .interruption: return false
      }
    }
    if isDue { pull() }
  }
}

extension CaptureError {
  /// Whether it says that the camera isn't there.
  fileprivate var saysGone: Bool {
    switch self {
    case .disconnected, .deviceNotFound: true
    default: false
    }
  }

  fileprivate var saysSilent: Bool { if case .stalled = self { true } else { false } }
}

import FaultInjection
import Foundation

@testable import Viewfinder

/// Makes one call of a tampered table go wrong, and counts all.
final class FaultInjector: Sendable {
  private struct State {
    var counts: CallCounts = [:]
    var strikes = 0
    var isLifted = false
    /// Where the life was at the first strike.
    var step: Journal.Step?
    var journal: Journal?

    mutating func strike() {
      strikes += 1
      step = step ?? journal?.step
    }
  }

  private let fault: FaultCase?
  private let driver: FaultDriver
  private let state = Mutex(State())

  /// Without a fault it counts alone.
  init(_ fault: FaultCase? = nil, driver: FaultDriver = .usual) {
    self.fault = fault
    self.driver = fault?.driver ?? driver
  }

  /// How often each call was made.
  var counts: CallCounts { state.withLock { $0.counts } }

  /// How often the fault struck.
  var strikes: Int { state.withLock { $0.strikes } }

  /// Where the life was when the fault struck first.
  var step: Journal.Step? { state.withLock { $0.step } }

  /// Ends the fault.
  func lift() { state.withLock { $0.isLifted = true } }

  var isLifted: Bool { state.withLock { $0.isLifted } }

  /// Takes part in a life's calls.
  func attach(to life: FaultLife) {
    let (calls, journal) = (life.rig.calls, life.journal)
    state.withLock { $0.journal = journal }
    unsafe calls.before = { [self] call, _ in driver.lacks(call) ? ENOTTY : answer(call) }
    calls.readiness = { [self] in readiness() }
  }

  private func answer(_ call: TamperedSystem.Call) -> Int32 {
    guard strikes(call), let fault else { return 0 }
    switch fault.kind {
    case .fails(let code):
      state.withLock { $0.strike() }
      return code
    case .hangs(let milliseconds):
      state.withLock { $0.strike() }
      let end = ContinuousClock.now + .milliseconds(milliseconds)
      while !isLifted, ContinuousClock.now < end { usleep(1000) }
      return 0
    // The answer's own business.
    case .claims, .isSilent: return 0
    }
  }

  private func readiness() -> TamperedSystem.Readiness {
    guard let fault else { return .honest }
    return state.withLock { state in
      guard !state.isLifted, fault.occurrence.includes(state.counts[.poll] ?? 0) else {
        return .honest
      }
      switch fault.kind {
      case .fails, .hangs: return .honest
      case .isSilent:
        state.strike()
        return .silent
      case .claims(let events):
        state.strike()
        return .claims(events)
      }
    }
  }

  /// Counts a call; whether it is one that goes wrong.
  private func strikes(_ call: TamperedSystem.Call) -> Bool {
    state.withLock { state in
      state.counts[call, default: 0] += 1
      guard let fault, fault.call == call, !state.isLifted else { return false }
      return fault.occurrence.includes(state.counts[call] ?? 0)
    }
  }
}

import FaultInjection
import Foundation

@testable import Viewfinder

/// A life under a fault, and what must hold after it.
struct FaultTrial: Trial {
  let fault: FaultCase

  var description: String { fault.description }

  /// Nothing a machine under load does may look like a fault; what is silent shall be noticed soon.
  static func limits(noticingSilence isImpatient: Bool) -> CaptureLimits {
    var limits = CaptureLimits()
    limits.firstFrame = isImpatient ? 0.5 : 10
    limits.stall = isImpatient ? 0.3 : 5
    limits.still = isImpatient ? 1 : 10
    limits.start = 20
    limits.busy = 0.1
    limits.retry = 0.05
    return limits
  }

  func live() async -> TrialOutcome {
    let injector = FaultInjector(fault)
    let remains = Remains()
    let journal: Journal
    let problem: String?
    do {
      let life = try FaultLife(
        limits: Self.limits(noticingSilence: fault.isSilence), driver: fault.driver)
      injector.attach(to: life)
      journal = life.journal
      remains.watch(life)
      await life.run()
      injector.lift()
      problem = await life.recovers()
    } catch {
      return .broken("There is no camera: \(error)")
    }
    if let problem { return .broken(problem + " \(await journal.entries)") }
    if let left = await remains.leaks() { return .broken(left) }
    return judge(await journal.entries, step: injector.step)
  }

  private func judge(_ entries: [Journal.Entry], step: Journal.Step?) -> TrialOutcome {
    guard let step else { return .broken("It never struck.") }
    let errors = entries.filter { !$0.error.isPassing }
    guard !errors.isEmpty else {
      // Who has just stopped needs no word.
      return fault.mayPassUnnoticed || step == .stop ? .absorbed : .broken("Nobody was told.")
    }
    guard errors.contains(where: { fault.isNamed(by: $0.error) }) else {
      return .broken("It wasn't named: \(errors)")
    }
    let strange = errors.filter { !fault.isNamed(by: $0.error) && !$0.isConsequence }
    return strange.isEmpty ? .told : .broken("Something else was told: \(strange)")
  }
}

extension Journal.Entry {
  /// Whether it follows from another error.
  fileprivate var isConsequence: Bool {
    switch error {
    case .cancelled, .sessionNotRunning, .takingStill: true
    // A frame of a stream that has ended meanwhile.
    case .system("VIDIOC_EXPBUF", EINVAL, _): true
    default: false
    }
  }
}

import FaultInjection
import Foundation

@testable import Viewfinder

/// A session whose driver hangs in a call for as long as it likes.
struct HangTrial: Trial {
  let call: TamperedSystem.Call

  var description: String { "\(call) hangs until it is let go" }

  func live() async -> TrialOutcome {
    let fault = FaultCase(call: call, kind: .hangs(milliseconds: 120_000), occurrence: .from(1))
    let injector = FaultInjector(fault)
    let remains = Remains()
    let journal: Journal
    let problem: String?
    do {
      var limits = FaultTrial.limits(noticingSilence: true)
      limits.start = 1
      limits.stop = 0.3
      // The thread that hung may still have the camera.
      limits.busy = 10
      let life = try FaultLife(limits: limits)
      journal = life.journal
      remains.watch(life)
      problem = await run(life, injector)
    } catch {
      return .broken("There is no camera: \(error)")
    }
    let entries = await journal.entries
    if let problem { return .broken("\(problem) \(entries)") }
    if let left = await remains.leaks() { return .broken(left) }
    guard injector.strikes > 0 else { return .broken("It never hung.") }
    let strange = entries.filter {
      if case .stalled = $0.error { false } else { true }
    }
    guard strange.isEmpty else { return .broken("Something else was told: \(strange)") }
    return entries.isEmpty ? .absorbed : .told
  }

  private func run(_ life: FaultLife, _ injector: FaultInjector) async -> String? {
    await life.discover()
    guard await life.journal.attempt(.configure, life.configure) else { return "No camera." }
    injector.attach(to: life)
    let (session, simulator) = (life.rig.session, life.rig.camera.simulator)
    if await life.journal.attempt(.start, { try await session.startRunning() }) {
      await life.takeFrames(3)
    }
    await session.stopRunning()
    injector.lift()
    // The thread that hung gives the camera back.
    guard await eventually({ simulator.leaks.mappedBuffers == 0 }, within: .seconds(60)) else {
      return "The camera isn't given back."
    }
    return await life.recovers(starts: 30)
  }
}

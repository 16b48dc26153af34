import FaultInjection
import Foundation
import Testing

@testable import Viewfinder

/// Each system call fails in each way that it can, at the first, a later and every time.
///
/// After each: no crash, no hang, no leak, an error or event that names the fault, and frames again
/// once the fault has gone.
@Suite(.serialized) struct FaultMatrixTests {
  @Test func aSessionOutlivesEveryCallThatFails() async throws {
    let counts = try await Self.cleanLife()
    let cases = FailingCalls.cases(counts: counts)
    #expect(counts.count > 20, "The script makes most of the calls.")
    print("Fault matrix, failing calls:", await run(cases.map { FaultTrial(fault: $0) }))
  }

  @Test func damagedFramesAreWithheldAndCounted() async {
    #expect(FrameDamage.all.count >= 20)
    let trials = FrameDamage.all.flatMap { damage in
      [.only(1), .only(3), .each(3), .from(1), .from(4)].map {
        DamageTrial(damage: damage, occurrence: $0)
      }
    }
    print("Fault matrix, damaged frames:", await run(trials))
  }

  /// How often a life without faults makes each call.
  private static func cleanLife() async throws -> [TamperedSystem.Call: Int] {
    let injector = FaultInjector()
    let journal = try await {
      let life = try FaultLife(limits: FaultTrial.limits(noticingSilence: false))
      injector.attach(to: life.rig.calls)
      await life.run()
      return life.journal
    }()
    let entries = await journal.entries.filter { !$0.error.isPassing }
    #expect(entries.isEmpty, "\(entries)")
    return injector.counts
  }
}

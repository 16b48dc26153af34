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

  @Test func aSessionOutlivesStalls() async throws {
    let counts = try await Self.cleanLife()
    let hangs = FailingCalls.hangs(counts: counts)
    let silences = FailingCalls.silences(polls: counts[.poll] ?? 0)
    print("Fault matrix, slow calls:", await run(hangs.map { FaultTrial(fault: $0) }))
    print("Fault matrix, silences:", await run(silences.map { FaultTrial(fault: $0) }))
  }

  @Test func aSessionOutlivesAPulledPlugAtAnyMoment() async throws {
    let counts = try await Self.cleanLife()
    var moments: [UnplugTrial.Moment] = [.running, .photo, .still, .interruption]
    for (call, count) in counts.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      moments += (1...min(count, 6)).map { .call(call, $0) }
    }
    let start = try await Self.callsOfAStart()
    moments += (1...start).map { .start($0) }
    moments += (Array(1...start) + Array(stride(from: start, to: 4 * start, by: 7)))
      .map { .reopening($0) }
    print("Fault matrix, pulled plugs:", await run(moments.map { UnplugTrial(moment: $0) }))
  }

  /// How many calls a start makes until frames flow.
  private static func callsOfAStart() async throws -> Int {
    let life = try FaultLife(limits: FaultTrial.limits(noticingSilence: false))
    let injector = FaultInjector()
    await life.discover()
    try life.configure()
    injector.attach(to: life.rig.calls)
    try await life.rig.session.startRunning()
    let counts = injector.counts
    await life.rig.session.stopRunning()
    // Waiting and taking repeat.
    return counts.filter { ![.poll, .dequeue].contains($0.key) }.values.reduce(2, +)
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

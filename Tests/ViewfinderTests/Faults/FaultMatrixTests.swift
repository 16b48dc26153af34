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
    let tally = await Self.run(cases)
    print("Fault matrix: \(cases.count) failing calls (\(tally)).")
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

  /// Lives under faults, several at a time; each one that breaks is an issue.
  static func run(_ cases: [FaultCase]) async -> String {
    #expect(!cases.isEmpty)
    var (absorbed, told, broken) = (0, 0, 0)
    await withTaskGroup(of: (FaultCase, FaultTrial.Outcome).self) { group in
      var rest = cases[...]
      for _ in 0..<8 { if let fault = rest.popFirst() { group.add(fault) } }
      for await (fault, outcome) in group {
        switch outcome {
        case .absorbed: absorbed += 1
        case .told: told += 1
        case .broken(let how):
          broken += 1
          Issue.record("\(fault): \(how)")
        }
        if let fault = rest.popFirst() { group.add(fault) }
      }
    }
    return "\(told) told, \(absorbed) absorbed, \(broken) broken"
  }
}

extension TaskGroup<(FaultCase, FaultTrial.Outcome)> {
  fileprivate mutating func add(_ fault: FaultCase) {
    addTask { (fault, await FaultTrial(fault: fault).run()) }
  }
}

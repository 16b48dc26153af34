import FaultInjection
import Foundation
import Testing

@testable import Viewfinder

/// Sessions live through all that can go wrong with a camera.
///
/// After each: no crash, no hang, no leak, an error or event that names the fault, and frames again
/// once the fault has gone. Runs alone, by `Scripts/test-faults`: it leaves other tests no time.
@Suite(
  .enabled(
    if: ProcessInfo.processInfo.environment["VIEWFINDER_FAULTS"] != nil,
    "takes minutes; run Scripts/test-faults"))
struct FaultMatrixTests {
  @Test func aSessionOutlivesEachFaultAndNamesIt() async throws {
    let descriptors = openDescriptors()
    let usual = try await Self.callsOfALife(.usual)
    let start = try await Self.callsOfAStart()
    #expect(usual.count > 20, "The script makes most of the calls.")
    let kinds: [(String, [any Trial])] = [
      ("failing calls", try await Self.failures(usual)),
      ("damaged frames", Self.damages),
      ("uneven buffers", UnevenBuffersTrial.all),
      ("slow calls", FailingCalls.hangs(counts: usual).map(FaultTrial.init)),
      ("hanging calls", start.keys.sorted().map { HangTrial(call: $0) }),
      ("silences", FailingCalls.silences.map(FaultTrial.init)),
      ("unpluggings", Self.unpluggings(usual, start)),
    ]
    var results: [String] = []
    let part = Self.part
    for (kind, trials) in kinds {
      #expect(!trials.isEmpty)
      let chosen = trials.indices.filter { $0 % Self.parts == part }.map { trials[$0] }
      results.append("\(kind) \(await run(chosen))")
    }
    #expect(await eventually({ openDescriptors() <= descriptors + 8 }, within: .seconds(60)))
    let count = kinds.reduce(0) { $0 + $1.1.count }
    let extent = Self.parts == 1 ? "" : "part \(part + 1) of \(Self.parts) of "
    print("Fault matrix, \(extent)\(count) cases:", results.joined(separator: "; "))
  }

  /// The part that is run: the one that `VIEWFINDER_SEED` chooses, or any.
  private static let part =
    (Int(ProcessInfo.processInfo.environment["VIEWFINDER_SEED"] ?? "")
      ?? Int.random(in: 0..<parts)) % parts

  /// Into how many parts the cases are divided, of which one is run, each time another one.
  private static let parts = max(
    Int(ProcessInfo.processInfo.environment["VIEWFINDER_FAULTS"] ?? "") ?? 1, 1)

  /// Each call fails: those that usual drivers get, and those that others do.
  private static func failures(_ usual: CallCounts) async throws -> [FaultTrial] {
    var cases = FailingCalls.cases(counts: usual)
    for driver in [FaultDriver.old, .receiver] {
      let own = try await callsOfALife(driver).filter { usual[$0.key] == nil }
      #expect(!own.isEmpty)
      cases += FailingCalls.cases(counts: own, driver)
    }
    return cases.map(FaultTrial.init)
  }

  private static let damages = FrameDamage.all.flatMap { damage in
    [FaultCase.Occurrence.only(1), .only(3), .each(3), .from(1), .from(4)].map {
      DamageTrial(damage: damage, occurrence: $0)
    }
  }

  private static func unpluggings(_ life: CallCounts, _ start: CallCounts) -> [UnplugTrial] {
    var moments: [UnplugTrial.Moment] = [.running, .photo, .still, .interruption]
    for call in life.keys.sorted() {
      moments += (1...min(life[call] ?? 1, 6)).map { .call(call, $0) }
    }
    // Waiting and taking repeat.
    let count = start.filter { ![.poll, .dequeue].contains($0.key) }.values.reduce(2, +)
    moments += (1...count).map { .start($0) }
    let reopening = Array(1...count) + Array(stride(from: count + 7, to: 4 * count, by: 7))
    moments += reopening.map { .reopening($0) }
    return moments.map { UnplugTrial(moment: $0) }
  }

  /// How often a life without faults makes each call.
  private static func callsOfALife(_ driver: FaultDriver) async throws -> CallCounts {
    let injector = FaultInjector(driver: driver)
    let journal = try await {
      let limits = FaultTrial.limits(noticingSilence: false)
      let life = try FaultLife(limits: limits, driver: driver)
      injector.attach(to: life)
      await life.run()
      return life.journal
    }()
    let entries = await journal.entries.filter { !$0.error.isPassing }
    #expect(entries.isEmpty, "\(entries)")
    return injector.counts
  }

  /// How often a start makes each call until the first frame has come.
  private static func callsOfAStart() async throws -> CallCounts {
    let injector = FaultInjector()
    let counts = Shared<CallCounts?>(nil)
    let taster = Taster { _ in counts.withLock { $0 = $0 ?? injector.counts } }
    let life = try FaultLife(
      limits: FaultTrial.limits(noticingSilence: false), taster: taster)
    await life.discover()
    try life.configure()
    injector.attach(to: life)
    try await life.rig.session.startRunning()
    await life.takeFrames(1)
    await life.rig.session.stopRunning()
    return try #require(counts.value)
  }
}

/// The process's descriptors.
private func openDescriptors() -> Int {
  (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
}

extension Sequence<TamperedSystem.Call> {
  fileprivate func sorted() -> [TamperedSystem.Call] {
    sorted { "\($0)" < "\($1)" }
  }
}

import Foundation
import Testing
import Viewfinder

@testable import ViewfinderLibrary

/// A library whose program is killed at any moment, again and again.
@Suite(.serialized) struct KillTests {
  private static let chains = 3
  /// Of each of the four jobs; sanitizers, with which workers start slowly, get fewer.
  private static let killsPerChain =
    Int(ProcessInfo.processInfo.environment["VIEWFINDER_KILLS"] ?? "") ?? 25

  @Test(
    "After kill -9 at any moment all that was told of is there and whole, and the next open repairs the rest",
    arguments: WorkerJob.allCases)
  func killed(job: WorkerJob) async throws {
    let told = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<Self.chains {
        let seed = UInt64.random(in: 0...UInt64.max)
        group.addTask { try await Self.killAgainAndAgain(job, seed: seed) }
      }
      return try await group.reduce(0, +)
    }
    // Else nothing was under way when they were killed.
    #expect(told > Self.chains * Self.killsPerChain / 2)
  }

  /// Returns how many things the workers told of.
  private static func killAgainAndAgain(_ job: WorkerJob, seed: UInt64) async throws -> Int {
    let folder = try ScratchFolder()
    try WorkerProcess.prepare(folder.path)
    var random = LinearGenerator(state: seed)
    var state = KilledLibrary(base: folder.path, job: job)
    for number in 0..<killsPerChain {
      let worker = try WorkerProcess(folder.path, job, first: number * 1000)
      // Every fifth may be killed while it opens the library, the others in the midst of work.
      if number % 5 != 4 {
        let things = Int.random(in: 0...3, using: &random)
        try #require(try await worker.hasTold("ready"), "seed \(seed)")
        try #require(try await worker.hasTold(job.doneWord, things), "seed \(seed)")
      }
      try await Task.sleep(for: .microseconds(Int.random(in: 0..<100_000, using: &random)))
      try #require(worker.kill(), "It ended by itself; seed \(seed)")
      try await state.check(worker, "kill \(number), seed \(seed)")
    }
    return state.toldCount
  }
}

import BlockingWork

/// Does something with each input, four at a time, and something with each outcome, one at a time.
///
/// - Parameters:
///   - inputs: The inputs, in their order.
///   - isolation: Where the outcomes are taken.
///   - work: What is done with an input; it may wait for the disk.
///   - take: Takes an outcome as soon as it is there; with `false` nothing more is begun.
/// - Throws: What `take` throws, when what was begun has been cancelled.
func fourAtATime<Input: Sendable, Outcome: Sendable>(
  _ inputs: [Input], isolation: isolated (any Actor)? = #isolation,
  work: @escaping @Sendable (Input) async -> Outcome, take: (Input, Outcome) throws -> Bool
) async throws {
  try await withThrowingTaskGroup(of: (Input, Outcome).self) { group in
    var waiting = inputs[...]
    func begin() {
      guard let next = waiting.popFirst() else { return }
      group.addTask(executorPreference: BlockingExecutor.shared) { (next, await work(next)) }
    }
    for _ in 0..<4 { begin() }
    while let (input, outcome) = try await group.next() {
      if try take(input, outcome) { begin() } else { waiting = [] }
    }
  }
}

import Foundation
import Testing

/// What came of a fault.
enum TrialOutcome: Sendable {
  /// It did no harm.
  case absorbed
  /// It was told, by its name.
  case told
  /// What must hold doesn't.
  case broken(String)
}

/// A session's life under a fault.
protocol Trial: Sendable, CustomStringConvertible {
  func live() async -> TrialOutcome
}

extension Trial {
  /// Runs the life; one that doesn't end is reported and left alone.
  func run() async -> TrialOutcome {
    let (results, continuation) = AsyncStream.makeStream(of: TrialOutcome.self)
    let life = Task { _ = continuation.yield(await live()) }
    let watchdog = Task {
      try await Task.sleep(for: .seconds(300))
      continuation.yield(.broken("It hangs."))
    }
    defer { watchdog.cancel() }
    for await result in results { return result }
    await life.value
    return .broken("It was cancelled.")
  }
}

/// Runs trials, several at a time; each one that breaks is an issue.
///
/// - Returns: Their number and what came of them, in words.
func run(_ trials: [any Trial]) async -> String {
  var (absorbed, told, broken) = (0, 0, 0)
  await withTaskGroup(of: (any Trial, TrialOutcome).self) { group in
    var rest = trials[...]
    while let trial = rest.popFirst() {
      group.addTask { (trial, await trial.run()) }
      guard trials.count - rest.count >= 8 || rest.isEmpty else { continue }
      repeat {
        guard let (trial, outcome) = await group.next() else { break }
        switch outcome {
        case .absorbed: absorbed += 1
        case .told: told += 1
        case .broken(let how):
          broken += 1
          Issue.record("\(trial): \(how)")
        }
      } while rest.isEmpty
    }
  }
  return "\(trials.count) (\(told) told, \(absorbed) harmless, \(broken) broken)"
}

import Dispatch
import Foundation

/// Work that several threads do side by side, and whose results are handed over one by one, in the order in
/// which it was begun.
final class OrderedWork: Sendable {
  /// Hands a result over.
  typealias HandOver = @Sendable () -> Void

  private struct State {
    /// The numbers of the next work to begin, and of the next to be handed over.
    var next = 0, nextOut = 0
    /// What is done, by number, and waits for earlier work.
    var done: [Int: HandOver] = [:]
  }

  private let state = Mutex(State())
  private let workers = OperationQueue()
  private let deliveryQueue: DispatchQueue

  /// - Parameters:
  ///   - label: What debuggers call the threads.
  ///   - width: How much of it is done at the same time, at most.
  init(_ label: String, width: Int) {
    workers.name = label
    workers.maxConcurrentOperationCount = width
    workers.qualityOfService = .userInitiated
    deliveryQueue = DispatchQueue(label: label + ".delivery", qos: .userInitiated)
  }

  /// Does `work`, and then what it returns, in its turn.
  func begin(_ work: @escaping @Sendable () -> HandOver) {
    let number = state.withLock { state in
      defer { state.next += 1 }
      return state.next
    }
    workers.addOperation { [self] in
      let handOver = work()
      state.withLock { $0.done[number] = handOver }
      // On a thread that holds nothing of the work.
      deliveryQueue.async { [self] in deliver() }
    }
  }

  /// Hands over what is done, as far as nothing earlier is missing.
  private func deliver() {
    while let handOver = state.withLock({ $0.done.removeValue(forKey: $0.nextOut) }) {
      handOver()
      state.withLock { $0.nextOut += 1 }
    }
  }
}

import Dispatch

/// Work that several threads do side by side, and whose results are handed over one by one, in the order in
/// which it was begun.
final class OrderedWork: Sendable {
  /// Hands a result over.
  typealias HandOver = @Sendable () -> Void

  /// Work with its number.
  private typealias Piece = (number: Int, work: @Sendable () -> HandOver)

  private struct State {
    /// The numbers of the next work to begin, and of the next to be handed over.
    var next = 0, nextOut = 0
    /// What waits for a thread, and how many threads work.
    var waiting: [Piece] = [], busy = 0
    /// What is done, by number, and waits for earlier work.
    var done: [Int: HandOver] = [:]
  }

  private let state = Mutex(State())
  private let width: Int
  private let workQueue: DispatchQueue
  private let deliveryQueue: DispatchQueue?

  /// - Parameters:
  ///   - label: What debuggers call the threads.
  ///   - width: How much of it is done at the same time, at most.
  ///   - handsOverAside: Whether results are handed over on another thread, so that no work waits for whoever takes
  ///     them. Without, a thread hands over what it did, which must take no time.
  init(_ label: String, width: Int, handsOverAside: Bool = true) {
    self.width = width
    workQueue = DispatchQueue(label: label, qos: .userInitiated, attributes: .concurrent)
    deliveryQueue =
      handsOverAside ? DispatchQueue(label: label + ".delivery", qos: .userInitiated) : nil
  }

  /// Does `work`, and then what it returns, in its turn.
  func begin(_ work: @escaping @Sendable () -> HandOver) {
    let needsThread = state.withLock { state in
      state.waiting.append((state.next, work))
      state.next += 1
      guard state.busy < width else { return false }
      state.busy += 1
      return true
    }
    if needsThread { workQueue.async { [self] in doWaiting() } }
  }

  /// Does what waits, one after the other, until nothing does.
  private func doWaiting() {
    while doNext() {
      if let deliveryQueue {
        deliveryQueue.async { [self] in deliver() }
      } else {
        deliver()
      }
    }
  }

  /// Does what waits first; `false` when nothing waits.
  private func doNext() -> Bool {
    guard let (number, handOver) = doPiece() else { return false }
    state.withLock { $0.done[number] = handOver }
    return true
  }

  /// Does what waits first, and has let go of it when it returns: as soon as a result is among the done ones, the
  /// thread that hands over an earlier one may take it.
  private func doPiece() -> (number: Int, handOver: HandOver)? {
    takePiece().map { piece in (piece.number, piece.work()) }
  }

  private func takePiece() -> Piece? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.busy -= 1
        return nil
      }
      return state.waiting.removeFirst()
    }
  }

  /// Hands over what is done, as far as nothing earlier is missing, or is being handed over: that thread goes on.
  private func deliver() {
    while let handOver = state.withLock({ $0.done.removeValue(forKey: $0.nextOut) }) {
      handOver()
      state.withLock { $0.nextOut += 1 }
    }
  }
}

import Dispatch

/// Follows a card in a camera's frames, for all outputs that want to know.
///
/// One frame is looked at at a time, beside everything else: frames that come meanwhile are passed by.
final class OutlineFollower: Sendable {
  /// Told of a frame and the card in it, as the camera's picture lies; of no card also when the frame can't be read.
  typealias Handler = @Sendable (_ frame: VideoFrame, _ card: TrackedOutline?) -> Void

  private struct State {
    var handlers: [ObjectIdentifier: Handler] = [:]
    var isBusy = false
    /// When the last frame that came was captured: more than one output may bring it.
    var last: Duration?
    var tracker: OutlineTracker?
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "viewfinder.outlines", qos: .utility)

  /// Has `handler` told of frames from now on, on the follower's queue; whoever adds it brings them.
  func add(_ owner: AnyObject, _ handler: @escaping Handler) {
    state.withLock { $0.handlers[ObjectIdentifier(owner)] = handler }
  }

  /// Ends the calls.
  func remove(_ owner: AnyObject) {
    let handler = state.withLock { $0.handlers.removeValue(forKey: ObjectIdentifier(owner)) }
    // Let go of when the lock is free.
    withExtendedLifetime(handler) {}
  }

  /// Looks at a frame unless it did already, or still looks at another.
  func consume(_ frame: VideoFrame) {
    let isWanted = state.withLock { state in
      guard !state.isBusy, !state.handlers.isEmpty, state.last != frame.timestamp else {
        return false
      }
      (state.isBusy, state.last) = (true, frame.timestamp)
      return true
    }
    guard isWanted else { return }
    queue.async { [self] in
      let card = try? tracker().follow(frame)
      let handlers = state.withLock { state in
        state.isBusy = false
        return Array(state.handlers.values)
      }
      for handler in handlers { handler(frame, card ?? nil) }
    }
  }

  private func tracker() throws(CaptureError) -> OutlineTracker {
    if let tracker = state.withLock({ $0.tracker }) { return tracker }
    let tracker = try OutlineTracker()
    state.withLock { $0.tracker = tracker }
    return tracker
  }
}

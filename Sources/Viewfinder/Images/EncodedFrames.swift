/// Frames as JPEGs, in their order: a sequence for one reader, made by ``FrameEncoder/encodedFrames(of:)``.
public struct EncodedFrames: AsyncSequence, Sendable {
  /// A frame.
  public typealias Element = EncodedFrame
  /// Why a frame couldn't be encoded; damaged ones are left out.
  public typealias Failure = CaptureError

  private let ahead: Int
  private let feed: @Sendable (EncodedFrameFlow) async -> Void

  /// - Parameters:
  ///   - ahead: How many frames may be under way that the reader hasn't taken.
  ///   - feed: Sends frames until there are no more, or nobody reads.
  init(ahead: Int, feed: @escaping @Sendable (EncodedFrameFlow) async -> Void) {
    self.ahead = ahead
    self.feed = feed
  }

  /// Begins to take frames.
  public func makeAsyncIterator() -> Iterator {
    let (stream, continuation) = AsyncStream.makeStream(of: Result<EncodedFrame, CaptureError>.self)
    let flow = EncodedFrameFlow(ahead: ahead, continuation)
    let task = Task { [feed] in await feed(flow) }
    continuation.onTermination = { _ in
      flow.endWaiting()
      task.cancel()
    }
    return Iterator(flow: flow, stream: stream.makeAsyncIterator())
  }

  /// Reads the frames.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let flow: EncodedFrameFlow
    fileprivate var stream: AsyncStream<Result<EncodedFrame, CaptureError>>.Iterator

    /// The next frame, or `nil` when there are no more.
    public mutating func next() async throws(CaptureError) -> EncodedFrame? {
      try await next(isolation: nil)
    }

    /// The next frame, or `nil` when there are no more.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(CaptureError) -> EncodedFrame? {
      while let result = await stream.next(isolation: actor) {
        flow.didRead()
        switch result {
        case .success(let frame): return frame
        // The next may be whole.
        case .failure(.badImageData): continue
        case .failure(let error):
          flow.finish()
          throw error
        }
      }
      return nil
    }
  }
}

/// What lies between those who encode and a reader: so many frames, and no more.
final class EncodedFrameFlow: Sendable {
  private struct State {
    var room: Int
    var isOver = false
    /// Who waits for room.
    var waiting: CheckedContinuation<Bool, Never>?
  }

  private let state: Mutex<State>
  private let continuation: AsyncStream<Result<EncodedFrame, CaptureError>>.Continuation

  /// - Parameters:
  ///   - ahead: How many frames there is room for.
  ///   - continuation: Where they go; the reader alone has the sequence, which ends with it.
  init(ahead: Int, _ continuation: AsyncStream<Result<EncodedFrame, CaptureError>>.Continuation) {
    state = Mutex(State(room: ahead))
    self.continuation = continuation
  }

  /// Waits until there is room for a frame, and takes it; `false` when nobody reads any more.
  func waitForReader() async -> Bool {
    await withCheckedContinuation { continuation in
      let answer = state.withLock { state -> Bool? in
        if state.isOver { return false }
        if state.room == 0 {
          state.waiting = continuation
          return nil
        }
        state.room -= 1
        return true
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }

  func send(_ result: Result<EncodedFrame, CaptureError>) { continuation.yield(result) }

  /// Makes room for a frame.
  func didRead() {
    let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard let waiting = state.waiting else {
        state.room += 1
        return nil
      }
      state.waiting = nil
      return waiting
    }
    waiting?.resume(returning: true)
  }

  /// Ends the sequence after what was sent.
  func finish() { continuation.finish() }

  /// Tells who waits that nobody reads any more.
  func endWaiting() {
    let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      state.isOver = true
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(returning: false)
  }
}

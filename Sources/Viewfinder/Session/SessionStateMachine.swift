/// What a session does next, decided by values alone.
///
/// It has one method for each thing that can happen, and each returns what is to be done. The session
/// calls it under its lock and acts afterwards. What a stream tells that isn't the session's any more
/// is known by its token, and changes nothing.
struct SessionStateMachine {
  /// Names a stream, or an attempt to start one; none is used twice.
  typealias Token = Int
  /// Names a caller who waits for a start or a stop.
  typealias Waiter = Int

  enum State: Equatable {
    case stopped
    /// The first frame hasn't come yet.
    case starting(Start)
    case running(Run)
    /// No frames come for now, for a reason.
    case interrupted(Run, CaptureError)
    /// The camera is being let go of.
    case stopping(Stop)
  }

  struct Start: Equatable {
    /// The stream's, and the attempt's.
    let token: Token
    var waiters: [Waiter]
  }

  struct Run: Equatable {
    /// The stream's; `nil` while the session has no camera.
    var token: Token?
    /// What the driver granted; `nil` while that changes because the program wished so.
    var format: VideoFormat?
    /// Limits how long the change may take.
    var attempt: Token?
  }

  struct Stop: Equatable {
    let token: Token
    var waiters: [Waiter]
    /// A start that was asked for meanwhile.
    var next: Start?
  }

  enum Action: Equatable {
    /// Opens the camera that the session has now.
    case openStream(Token)
    /// Makes a stream end, and let go of its camera as soon as its driver answers.
    case endStream(Token)
    /// Calls ``startLimitDidPass(_:_:)`` after the limit of a start.
    case limitStart(Token)
    /// Calls ``stopLimitDidPass(_:)`` after the limit of a stop, which is shorter for a start that was
    /// given up.
    case limitStop(Token, ofStart: Bool)
    /// Ends the outputs' unfinished work.
    case endWork
    /// Lets outputs look at the session again.
    case refreshOutputs
    case publish(CaptureSession.Event)
    /// Lets callers go on, with an error or without.
    case resume([Waiter], CaptureError?)
  }

  private(set) var state = State.stopped
  private var lastToken = 0

  private mutating func nextToken() -> Token {
    lastToken += 1
    return lastToken
  }

  // MARK: What others see

  var isRunning: Bool {
    switch state {
    case .stopped: false
    case .starting, .running, .interrupted: true
    case .stopping(let stop): stop.next != nil
    }
  }

  var format: VideoFormat? { if case .running(let run) = state { run.format } else { nil } }

  var interruption: CaptureError? {
    if case .interrupted(_, let reason) = state { reason } else { nil }
  }

  /// The stream whose frames and news count.
  var token: Token? {
    switch state {
    case .stopped, .stopping: nil
    case .starting(let start): start.token
    case .running(let run), .interrupted(let run, _): run.token
    }
  }

  /// Whether a frame of a stream is to be handed out.
  func delivers(_ token: Token) -> Bool {
    if case .running(let run) = state { run.token == token && run.format != nil } else { false }
  }

  // MARK: What the program does

  /// Somebody starts the session; `lack` says what it lacks.
  mutating func start(_ waiter: Waiter, lack: CaptureError?) -> [Action] {
    switch state {
    case .running, .interrupted:
      return [.resume([waiter], nil)]
    case .starting(var start):
      start.waiters.append(waiter)
      state = .starting(start)
      return []
    case .stopped:
      if let lack {
        return [
          .publish(.runtimeError(lack)), .publish(.didStopRunning), .resume([waiter], lack),
        ]
      }
      let start = Start(token: nextToken(), waiters: [waiter])
      state = .starting(start)
      return [.openStream(start.token), .limitStart(start.token), .refreshOutputs]
    case .stopping(var stop):
      if let lack { return [.publish(.runtimeError(lack)), .resume([waiter], lack)] }
      var next = stop.next ?? Start(token: nextToken(), waiters: [])
      next.waiters.append(waiter)
      let isFirst = stop.next == nil
      stop.next = next
      state = .stopping(stop)
      return isFirst ? [.limitStart(next.token)] : []
    }
  }

  /// Who waits for a start doesn't any more: the last one takes the start with it.
  mutating func cancelStart(_ waiter: Waiter) -> [Action] {
    let reason = CaptureError.cancelled(reason: "The task that started the session was cancelled.")
    switch state {
    case .starting(var start):
      guard start.waiters.contains(waiter) else { return [] }
      guard start.waiters == [waiter] else {
        start.waiters.removeAll { $0 == waiter }
        state = .starting(start)
        return [.resume([waiter], reason)]
      }
      return giveUp(start, reason, waiters: [])
    case .stopping(var stop):
      guard let index = stop.next?.waiters.firstIndex(of: waiter) else { return [] }
      stop.next?.waiters.remove(at: index)
      if stop.next?.waiters.isEmpty == true { stop.next = nil }
      state = .stopping(stop)
      return [.resume([waiter], reason)]
    case .stopped, .running, .interrupted:
      return []
    }
  }

  /// Somebody stops the session.
  mutating func stop(_ waiter: Waiter) -> [Action] {
    let reason = CaptureError.cancelled(reason: "The session was stopped while it started.")
    switch state {
    case .stopped:
      return [.resume([waiter], nil)]
    case .starting(let start):
      return giveUp(start, reason, waiters: [waiter])
    case .running(let run), .interrupted(let run, _):
      guard let token = run.token else {
        state = .stopped
        return [.endWork, .publish(.didStopRunning), .resume([waiter], nil)]
      }
      state = .stopping(Stop(token: token, waiters: [waiter]))
      return [.endWork, .endStream(token), .limitStop(token, ofStart: false)]
    case .stopping(var stop):
      stop.waiters.append(waiter)
      defer { state = .stopping(stop) }
      guard let next = stop.next else { return [] }
      stop.next = nil
      return [.resume(next.waiters, reason)]
    }
  }

  private mutating func giveUp(_ start: Start, _ reason: CaptureError, waiters: [Waiter])
    -> [Action]
  {
    state = .stopping(Stop(token: start.token, waiters: waiters))
    return [
      .resume(start.waiters, reason), .endWork, .endStream(start.token),
      .limitStop(start.token, ofStart: true),
    ]
  }

  /// The session has another camera, or none; `lack` says what it lacks.
  mutating func cameraDidChange(lack: CaptureError?) -> [Action] {
    let reason = CaptureError.cancelled(
      reason: "The session's camera was removed while it started.")
    switch state {
    case .stopped:
      return []
    case .starting(var start):
      guard lack == nil else { return giveUp(start, reason, waiters: []) }
      let old = start.token
      start = Start(token: nextToken(), waiters: start.waiters)
      state = .starting(start)
      return [.endStream(old), .openStream(start.token), .limitStart(start.token)]
    case .running(let run), .interrupted(let run, _):
      let end = run.token.map { [Action.endStream($0)] } ?? []
      if let lack {
        state = .interrupted(Run(), lack)
        return end + [.publish(.wasInterrupted(lack))]
      }
      let token = nextToken()
      let next = Run(token: token, attempt: token)
      if case .interrupted(_, let reason) = state {
        state = .interrupted(next, reason)
      } else {
        state = .running(next)
      }
      return end + [.openStream(token), .limitStart(token), .refreshOutputs]
    case .stopping(var stop):
      guard lack != nil, let next = stop.next else { return [] }
      stop.next = nil
      state = .stopping(stop)
      return [.resume(next.waiters, reason)]
    }
  }

  /// The session's stream was asked for another format.
  mutating func formatWillChange() -> [Action] {
    guard case .running(var run) = state, run.token != nil else { return [] }
    let attempt = nextToken()
    (run.format, run.attempt) = (nil, attempt)
    state = .running(run)
    return [.limitStart(attempt), .refreshOutputs]
  }

  // MARK: What the clock does

  /// A start, or a change of the camera or its format, has taken as long as it may.
  mutating func startLimitDidPass(_ token: Token, _ error: CaptureError) -> [Action] {
    switch state {
    case .starting(let start):
      return start.token == token ? [.endStream(token)] + fail(error) : []
    case .running(let run), .interrupted(let run, _):
      guard run.attempt == token else { return [] }
      return (run.token.map { [.endStream($0)] } ?? []) + fail(error)
    case .stopping(var stop):
      guard let next = stop.next, next.token == token else { return [] }
      stop.next = nil
      state = .stopping(stop)
      return [.publish(.runtimeError(error)), .resume(next.waiters, error)]
    case .stopped:
      return []
    }
  }

  /// A stop has taken as long as it may: the stream is left behind.
  mutating func stopLimitDidPass(_ token: Token) -> [Action] {
    guard case .stopping(let stop) = state, stop.token == token else { return [] }
    return finish(stop)
  }

  // MARK: What the stream tells

  /// Frames flow: for the first time, or again.
  mutating func streamDidStart(_ token: Token, _ format: VideoFormat) -> [Action] {
    guard token == self.token else { return [] }
    let before = state
    state = .running(Run(token: token, format: format))
    switch before {
    case .starting(let start):
      return [.publish(.didStartRunning(format)), .resume(start.waiters, nil)]
    case .interrupted:
      return [.publish(.interruptionEnded(format))]
    case .running(let run):
      return run.format == format ? [] : [.publish(.didChangeFormat(format))]
    case .stopped, .stopping:
      return []
    }
  }

  /// No frames for now; the stream keeps trying.
  mutating func streamWasInterrupted(_ token: Token, _ reason: CaptureError) -> [Action] {
    guard token == self.token else { return [] }
    switch state {
    case .running(var run):
      (run.format, run.attempt) = (nil, nil)
      state = .interrupted(run, reason)
      return [.publish(.wasInterrupted(reason))]
    case .interrupted(let run, let earlier) where earlier.isPassing && !reason.isPassing:
      state = .interrupted(run, reason)
      return [.publish(.wasInterrupted(reason))]
    case .stopped, .starting, .interrupted, .stopping:
      // Told once, with its first reason.
      return []
    }
  }

  /// The program holds so many frames that it gets no more.
  mutating func streamDidStarve(_ token: Token, heldFrames: Int) -> [Action] {
    guard delivers(token) else { return [] }
    return [.publish(.framesAreHeld(heldFrames))]
  }

  /// The stream couldn't start.
  mutating func streamDidFail(_ token: Token, _ error: CaptureError) -> [Action] {
    guard token == self.token else { return [] }
    return fail(error)
  }

  /// The stream has ended and let go of its camera.
  mutating func streamDidEnd(_ token: Token) -> [Action] {
    guard case .stopping(let stop) = state, stop.token == token else { return [] }
    return finish(stop)
  }

  // MARK: Ends

  private mutating func fail(_ error: CaptureError) -> [Action] {
    let waiters = if case .starting(let start) = state { start.waiters } else { [Waiter]() }
    state = .stopped
    let actions: [Action] = [
      .endWork, .publish(.runtimeError(error)), .publish(.didStopRunning),
    ]
    return waiters.isEmpty ? actions : actions + [.resume(waiters, error)]
  }

  private mutating func finish(_ stop: Stop) -> [Action] {
    state = .stopped
    var actions: [Action] = [.publish(.didStopRunning)]
    if !stop.waiters.isEmpty { actions.append(.resume(stop.waiters, nil)) }
    if let next = stop.next {
      state = .starting(next)
      actions += [.openStream(next.token), .refreshOutputs]
    }
    return actions
  }
}

extension CaptureError {
  /// Whether the interruption for this reason is a photo in another format, after which frames come
  /// again.
  var isPassing: Bool { if case .takingStill = self { true } else { false } }
}

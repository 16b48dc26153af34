import Foundation

@testable import Viewfinder

/// What a program was told during a session's life.
final class Journal: Sendable {
  /// The script of a life.
  enum Step: String, Sendable {
    case discover, configure, start, frames, control, export, photo, still, stop
  }

  struct Entry: Sendable, CustomStringConvertible {
    let origin: String
    let error: CaptureError
    var description: String { "\(origin): \(error)" }
  }

  private let log = Log<Entry>()
  private let latest = Shared(Step.discover)
  private let follower = Shared<Task<Void, Never>?>(nil)

  /// All of it, once the session is gone.
  var entries: [Entry] {
    get async {
      await follower.value?.value
      return log.all
    }
  }

  /// Notes what the session tells until it is gone.
  func follow(_ session: CaptureSession) {
    follower.value = Task { [log, events = session.events] in
      for await event in events {
        switch event {
        case .runtimeError(let error), .wasInterrupted(let error):
          log.append(Entry(origin: "event", error: error))
        case .didStartRunning, .didStopRunning, .interruptionEnded, .didChangeFormat,
          .framesAreHeld:
          break
        }
      }
    }
  }

  /// The step that is being taken.
  var step: Step { latest.value }

  /// Takes a step and notes its error.
  @discardableResult
  func attempt(_ step: Step, _ body: () async throws -> Void) async -> Bool {
    latest.value = step
    do {
      try await body()
      return true
    } catch let error as CaptureError {
      log.append(Entry(origin: step.rawValue, error: error))
    } catch {
      log.append(Entry(origin: step.rawValue, error: .cancelled(reason: "\(error)")))
    }
    return false
  }
}

/// An output that looks at each frame, and takes the time that looking takes.
///
/// That leaves the processor to others where a camera runs at full speed.
final class Taster: CaptureOutput, @unchecked Sendable {
  private struct State {
    var count = 0
    var isWanting = false
    var kept: VideoFrame?
  }

  private let state = Mutex(State())
  private let inspect: @Sendable (VideoFrame) -> Void

  init(_ inspect: @escaping @Sendable (VideoFrame) -> Void = { _ in }) {
    self.inspect = inspect
    super.init()
  }

  /// How many frames have come.
  var count: Int { state.withLock { $0.count } }

  /// The next frame, or `nil` when `isOver` says that none comes.
  ///
  /// Others aren't kept: the thread that lets go of a frame last shall be one that read it, as the
  /// thread sanitizer doesn't see how Swift counts references.
  func next(unless isOver: () -> Bool) async -> VideoFrame? {
    state.withLock { $0.isWanting = true }
    _ = await eventually({ hasKept || isOver() }, within: .seconds(60))
    return take()
  }

  private var hasKept: Bool { state.withLock { $0.kept != nil } }

  private func take() -> VideoFrame? {
    state.withLock { state in
      defer { (state.isWanting, state.kept) = (false, nil) }
      return state.kept
    }
  }

  override func consume(_ frame: VideoFrame, from connection: CaptureConnection) {
    inspect(frame)
    state.withLock { state in
      state.count += 1
      guard state.isWanting else { return }
      state.isWanting = false
      state.kept = frame
    }
    usleep(2000)
  }

  override func streamWasInterrupted(_ reason: CaptureError) { _ = take() }

  override func sessionDidStop() { _ = take() }
}

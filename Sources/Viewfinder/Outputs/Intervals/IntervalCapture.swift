import Foundation

/// A series of photos, one after each interval.
///
/// The series saves photos one by one and keeps none in memory. It misses a photo that can't be taken
/// when it is due, because the camera is interrupted or the last one is still being saved. The events
/// say so, and the next photo comes when that one is due: a series never makes up for missed photos.
///
/// The series runs until a limit of its settings, ``stop()``, an error while saving, or the
/// session's end, whichever comes first. It runs even when nobody holds it:
/// ``CapturePhotoOutput/intervalCapture`` is the one that runs.
///
/// ```swift
/// var settings = IntervalCaptureSettings()
/// settings.interval = .seconds(60)
/// let series = try photoOutput.startIntervalCapture(settings, to: folder)
/// for await event in series.events {
///   if case .didSave(let photo) = event { print(photo.number, photo.url!.path) }
/// }
/// ```
public final class IntervalCapture: Sendable {
  /// What a series' ``events`` tell.
  public enum Event: Sendable {
    /// A photo was saved.
    case didSave(IntervalPhoto)
    /// A photo that was due wasn't taken, and the error says why.
    case didMiss(number: Int, CaptureError)
    /// The series is over: the last event, which comes once.
    case didFinish(Summary)
  }

  /// Why a series is over.
  public enum Ending: Sendable {
    /// The program called ``IntervalCapture/stop()``.
    case stopped
    /// The series has ``IntervalCaptureSettings/maxPhotoCount`` photos.
    case photoCount
    /// The next photo would have exceeded ``IntervalCaptureSettings/maxByteCount``.
    case byteCount
    /// ``IntervalCaptureSettings/maxDuration`` was over.
    case duration
    /// The next photo would have left less free space than
    /// ``IntervalCaptureSettings/minFreeDiskSpaceLimit``.
    case diskSpace
    /// A photo couldn't be saved, the session stopped, or the camera can't follow the settings.
    ///
    /// It is a ``CaptureError``, or what the caller's own destination threw.
    case failed(any Error)
  }

  /// What a series has made so far, or in all.
  public struct Summary: Sendable {
    /// How many photos were saved.
    public internal(set) var photoCount = 0
    /// How many photos were due but not taken.
    public internal(set) var missedCount = 0
    /// How many bytes the saved photos have together.
    public internal(set) var byteCount = 0
    /// Why the series is over; `nil` while it runs.
    public internal(set) var ending: Ending?
  }

  private struct State {
    var summary = Summary()
    /// How the series is to end as soon as it can.
    var wantedEnding: Ending?
    /// Ends what the series waits for.
    var cancelWork: (@Sendable () -> Void)?
    var task: Task<Void, Never>?
  }

  /// The settings that the series was started with.
  public let settings: IntervalCaptureSettings

  /// What happens to the series, from its first photo to its end.
  ///
  /// Each use makes a sequence of its own, which begins with what has happened already and ends
  /// after ``Event/didFinish(_:)``. A reader who falls behind loses the oldest of more than 256
  /// events, and never the last.
  public var events: AsyncStream<Event> { eventBroadcast.subscribe() }

  let output: CapturePhotoOutput
  let destination: IntervalDestination
  private let delegate: (any IntervalCaptureDelegate)?
  private let calls: DelegateQueues.Line?
  private let eventBroadcast = Broadcast<Event>(.story)
  private let state = Mutex(State())

  init(
    _ settings: IntervalCaptureSettings, of output: CapturePhotoOutput,
    to destination: IntervalDestination, delegate: (any IntervalCaptureDelegate)?
  ) {
    self.settings = settings
    self.output = output
    self.destination = destination
    self.delegate = delegate
    calls = delegate.map { output.delegateQueues.line(for: $0) }
  }

  /// What the series has made so far.
  public var summary: Summary { state.withLock { $0.summary } }

  /// What the series has made in all, once it is over and the delegate has had its last call.
  public var result: Summary {
    get async {
      await state.withLock { $0.task }?.value
      return summary
    }
  }

  /// Ends the series: no further photo is taken.
  ///
  /// The series still saves a photo whose frame it has. Further calls do nothing.
  public func stop() { end(.stopped) }

  /// Ends the series as soon as it can.
  func end(_ ending: Ending) {
    let cancelWork = state.withLock { state in
      if state.wantedEnding == nil { state.wantedEnding = ending }
      return state.cancelWork
    }
    cancelWork?()
  }

  /// How the series is to end, if it is.
  var wantedEnding: Ending? { state.withLock { $0.wantedEnding } }

  /// Starts to take photos.
  func start() {
    state.withLock { state in
      state.task = Task { [self] in
        let ending = await takePhotos()
        let summary = self.state.withLock { state in
          state.summary.ending = ending
          return state.summary
        }
        // Whoever is told of the end may start the next series.
        output.forget(self)
        await tell(.didFinish(summary))
        eventBroadcast.finish()
      }
    }
  }

  /// Waits for something that the series' end cuts short; `nil` when the end has come before.
  func untilEnded<R: Sendable>(_ body: @escaping @Sendable () async -> R) async -> R? {
    let task = state.withLock { state -> Task<R, Never>? in
      guard state.wantedEnding == nil else { return nil }
      let task = Task { await body() }
      state.cancelWork = { task.cancel() }
      return task
    }
    return await task?.value
  }

  /// Counts what happened and tells of it; returns after the delegate.
  func tell(_ event: Event) async {
    state.withLock { state in
      switch event {
      case .didSave(let photo):
        state.summary.photoCount += 1
        state.summary.byteCount += photo.byteCount
      case .didMiss:
        state.summary.missedCount += 1
      case .didFinish:
        break
      }
    }
    eventBroadcast.send(event)
    guard let delegate, let calls else { return }
    await withCheckedContinuation { continuation in
      calls.queue.async { [self] in
        switch event {
        case .didSave(let photo): delegate.intervalCapture(self, didSave: photo)
        case .didMiss(let number, let error):
          delegate.intervalCapture(self, didMissPhoto: number, error: error)
        case .didFinish(let summary): delegate.intervalCapture(self, didFinish: summary)
        }
        continuation.resume()
      }
    }
  }
}

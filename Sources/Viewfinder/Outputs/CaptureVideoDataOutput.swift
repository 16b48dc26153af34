public import Dispatch

/// Receives a ``CaptureVideoDataOutput``'s frames; Apple's
/// `AVCaptureVideoDataOutputSampleBufferDelegate`.
public protocol CaptureVideoDataOutputSampleBufferDelegate: AnyObject, Sendable {
  /// A frame came. Called on the output's queue, in order.
  func captureOutput(
    _ output: CaptureOutput, didOutput frame: VideoFrame, from connection: CaptureConnection)

  /// The output dropped a frame, for `reason`. Called on the output's queue.
  ///
  /// A delegate that was busy for long hears of the last 60 frames that it missed;
  /// ``CaptureVideoDataOutput/droppedFrameCount`` counts all.
  func captureOutput(
    _ output: CaptureOutput, didDropFrame sequenceNumber: Int, reason: FrameDropReason,
    from connection: CaptureConnection)
}

extension CaptureVideoDataOutputSampleBufferDelegate {
  /// Does nothing.
  public func captureOutput(
    _ output: CaptureOutput, didOutput frame: VideoFrame, from connection: CaptureConnection
  ) {}

  /// Does nothing.
  public func captureOutput(
    _ output: CaptureOutput, didDropFrame sequenceNumber: Int, reason: FrameDropReason,
    from connection: CaptureConnection
  ) {}
}

/// Why a frame didn't reach its delegate.
public enum FrameDropReason: Hashable, Sendable {
  /// The delegate was still busy with an earlier one.
  case frameWasLate
  /// The frame couldn't be turned or converted.
  case conversionFailed(CaptureError)
}

/// Hands out frames as they come; Apple's `AVCaptureVideoDataOutput`.
///
/// By delegate, or as a sequence:
///
/// ```swift
/// for await frame in videoOutput.frames { print(frame.sequenceNumber, frame.format) }
/// ```
public final class CaptureVideoDataOutput: CaptureOutput, @unchecked Sendable {
  private struct State {
    weak var delegate: (any CaptureVideoDataOutputSampleBufferDelegate)?
    var queue: DispatchQueue?
    var discardsLateFrames = true
    var pixelFormat: PixelFormat?
    /// Frames that the delegate's queue still has.
    var queued = 0
    var dropped = 0
    /// Numbers of late frames that the delegate hasn't been told of, oldest first.
    var untold: [Int] = []
  }

  private let state = Mutex(State())
  private let broadcast = Broadcast<VideoFrame>(.states)
  /// Converts frames for the sequences, off the camera's thread.
  private let conversionQueue = DispatchQueue(label: "viewfinder.video.conversion")
  private let isConverting = Mutex(false)

  /// Frames that a delegate's queue holds at most when late ones aren't discarded, so that the
  /// camera keeps buffers.
  private static let queueLimit = 3
  /// Late frames that a delegate is told of one by one after it was busy; earlier ones only count.
  private static let untoldLimit = 60

  /// Creates an output that belongs to no session.
  public override init() { super.init() }

  /// Sets the delegate, which the output holds weakly, and the serial queue for its calls.
  ///
  /// Without a delegate the calls end; without a queue, the output uses one of its own.
  public func setSampleBufferDelegate(
    _ delegate: (any CaptureVideoDataOutputSampleBufferDelegate)?, queue: DispatchQueue?
  ) {
    state.withLock { state in
      state.delegate = delegate
      state.queue = delegate == nil ? nil : queue ?? DispatchQueue(label: "viewfinder.video")
    }
  }

  /// The delegate.
  public var sampleBufferDelegate: (any CaptureVideoDataOutputSampleBufferDelegate)? {
    state.withLock { $0.delegate }
  }

  /// Whether the output drops frames that come while the delegate is busy.
  ///
  /// The default is `true`.
  ///
  /// If not, a few wait in the queue; the output drops further ones all the same, because the
  /// camera needs its buffers.
  public var alwaysDiscardsLateVideoFrames: Bool {
    get { state.withLock { $0.discardsLateFrames } }
    set { state.withLock { $0.discardsLateFrames = newValue } }
  }

  /// The layout in which the output delivers frames; `nil`, the default, leaves them as the camera
  /// sends them, without a copy.
  public var pixelFormat: PixelFormat? {
    get { state.withLock { $0.pixelFormat } }
    set { state.withLock { $0.pixelFormat = newValue } }
  }

  /// The layouts that ``pixelFormat`` may name.
  public var availablePixelFormats: [PixelFormat] {
    [.bgra32, .rgba32, .rgb24, .bgr24, .nv12, .nv21, .i420, .yuyv, .uyvy, .grey]
  }

  /// How many frames the output dropped because the delegate was busy or conversion failed.
  public var droppedFrameCount: Int { state.withLock { $0.dropped } }

  /// The frames from now on: only the newest, so that a loop that falls behind skips to it.
  ///
  /// Each use makes a sequence of its own, which goes on across interruptions, stops and starts,
  /// and ends with the output.
  public var frames: AsyncStream<VideoFrame> { broadcast.subscribe() }

  // MARK: For the session

  override func consume(_ frame: VideoFrame, from connection: CaptureConnection) {
    // As it is when the frame comes, however late it is converted.
    let orientation = connection.orientation
    deliverToDelegate(frame, connection, orientation)
    deliverToSequences(frame, orientation)
  }

  private func deliverToDelegate(
    _ frame: VideoFrame, _ connection: CaptureConnection, _ orientation: ImageOrientation
  ) {
    let (queue, isLate, tellsLater) = state.withLock { state -> (DispatchQueue?, Bool, Bool) in
      guard state.delegate != nil, let queue = state.queue else { return (nil, false, false) }
      let limit = state.discardsLateFrames ? 1 : Self.queueLimit
      guard state.queued >= limit else {
        state.queued += 1
        return (queue, false, false)
      }
      state.dropped += 1
      state.untold.append(frame.sequenceNumber)
      if state.untold.count > Self.untoldLimit { state.untold.removeFirst() }
      return (queue, true, state.untold.count == 1)
    }
    guard let queue else { return }
    guard !isLate else {
      // One call is under way for all that the delegate misses meanwhile.
      if tellsLater { queue.async { [self] in tellOfLateFrames(connection) } }
      return
    }
    queue.async { [self] in
      defer { state.withLock { $0.queued -= 1 } }
      do throws(CaptureError) {
        let output = try converted(frame, orientation)
        sampleBufferDelegate?.captureOutput(self, didOutput: output, from: connection)
      } catch {
        state.withLock { $0.dropped += 1 }
        drop(frame.sequenceNumber, .conversionFailed(error), connection)
      }
    }
  }

  private func tellOfLateFrames(_ connection: CaptureConnection) {
    let numbers = state.withLock { state in
      defer { state.untold = [] }
      return state.untold
    }
    for number in numbers { drop(number, .frameWasLate, connection) }
  }

  private func drop(_ number: Int, _ reason: FrameDropReason, _ connection: CaptureConnection) {
    sampleBufferDelegate?.captureOutput(
      self, didDropFrame: number, reason: reason, from: connection)
  }

  private func deliverToSequences(_ frame: VideoFrame, _ orientation: ImageOrientation) {
    guard broadcast.hasSubscribers else { return }
    guard needsConversion(frame, orientation) else {
      broadcast.send(frame)
      return
    }
    let isBusy = isConverting.withLock { isConverting in
      defer { isConverting = true }
      return isConverting
    }
    guard !isBusy else { return }
    conversionQueue.async { [self] in
      defer { isConverting.withLock { $0 = false } }
      if let output = try? converted(frame, orientation) { broadcast.send(output) }
    }
  }

  private func needsConversion(_ frame: VideoFrame, _ orientation: ImageOrientation) -> Bool {
    orientation != .up
      || state.withLock { $0.pixelFormat.map { $0 != frame.format.pixelFormat } ?? false }
  }

  /// The frame turned as the connection says, in the layout wanted.
  private func converted(_ frame: VideoFrame, _ orientation: ImageOrientation)
    throws(CaptureError) -> VideoFrame
  {
    guard needsConversion(frame, orientation) else { return frame }
    var picture = try frame.picture()
    if orientation != .up { picture = try picture.oriented(orientation) }
    if let format = pixelFormat, format != picture.pixelFormat {
      picture = try picture.converted(to: format)
    }
    return VideoFrame(frame, picture: picture)
  }
}

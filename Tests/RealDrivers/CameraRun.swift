import Foundation
import Testing
import Viewfinder

/// A session with a video and a photo output on a camera.
final class CameraRun {
  let device: CaptureDevice
  let session = CaptureSession()
  let video = CaptureVideoDataOutput()
  let photo = CapturePhotoOutput()
  let frames = FrameLog()
  /// What interrupted the session: on a machine that stands still for a second, silence does.
  private let interruptions = Log<CaptureError>()
  private let listener: Task<Void, Never>

  /// Starts a session in a format; without a size in the present one of a layout.
  init(
    _ device: CaptureDevice, _ pixelFormat: PixelFormat, _ size: Dimensions? = nil,
    duration: FrameInterval? = nil
  ) async throws {
    self.device = device
    listener = Task { [events = session.events, interruptions] in
      for await case .wasInterrupted(let error) in events { interruptions.append(error) }
    }
    let formats = device.formats.filter { $0.pixelFormat == pixelFormat }
    let format = try #require(
      size == nil ? formats.first : formats.lazy.compactMap { $0.resized(to: size!) }.first)
    try device.configure { device throws(CaptureError) in
      try device.setActiveFormat(format)
      try device.setActiveVideoFrameDuration(duration)
    }
    video.alwaysDiscardsLateVideoFrames = false
    video.setSampleBufferDelegate(frames, queue: nil)
    try session.configure {
      try session.addInput(CaptureDeviceInput(device: device))
      try session.addOutput(video)
      try session.addOutput(photo)
    }
    try await session.startRunning()
  }

  /// Waits until `count` frames more have come; fails when they don't within a limit.
  func waitForFrames(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let goal = frames.all.count + count
    let came = await eventually(seconds: 30 + Double(count)) { self.frames.all.count >= goal }
    try #require(
      came, "\(frames.all.count + count - goal) frames came: \(session.statistics)",
      sourceLocation: sourceLocation)
  }

  /// Stops the session and returns what became of its frames.
  func stop() async -> CaptureStatistics {
    await session.stopRunning()
    // What the queue still holds reaches the delegate.
    _ = await eventually(seconds: 5) {
      self.frames.all.count + self.video.droppedFrameCount
        >= self.session.statistics.deliveredFrames
    }
    return session.statistics
  }

  /// The frames of each stream so far.
  ///
  /// Fails where one began that no interruption explains.
  func streams(sourceLocation: SourceLocation = #_sourceLocation) async -> [[FrameLog.Frame]] {
    let streams = frames.all.streams
    let areTold = await eventually(seconds: 5) { streams.count <= 1 + self.interruptions.all.count }
    #expect(
      areTold, "\(streams.map(\.count)) frames, interrupted by \(interruptions.all)",
      sourceLocation: sourceLocation)
    return streams
  }

  deinit {
    listener.cancel()
    session.stopRunningAndWait()
  }
}

/// Keeps copies of frames as they come: of bytes as many as the machine can spare, and then only
/// what else frames have.
final class FrameLog: CaptureVideoDataOutputSampleBufferDelegate {
  struct Frame: Sendable {
    var sequence: Int
    var timestamp: Duration
    var format: VideoFormat
    var data: Data
  }

  private let log = Log<Frame>()
  private let spare = Mutex(256 << 20)

  /// All frames since the start.
  var all: [Frame] { log.all }

  func captureOutput(
    _ output: CaptureOutput, didOutput frame: VideoFrame, from connection: CaptureConnection
  ) {
    let data = frame.data
    let isKept = spare.withLock { spare in
      spare -= data.count
      return spare >= 0
    }
    log.append(
      Frame(
        sequence: frame.sequenceNumber, timestamp: frame.timestamp, format: frame.format,
        data: isKept ? data : Data()))
  }
}

extension [FrameLog.Frame] {
  /// The frames by the streams that they came in: an interruption ends one, and sequence numbers
  /// count anew in the next.
  var streams: [[FrameLog.Frame]] {
    reduce(into: []) { streams, frame in
      if let last = streams.last?.last, frame.sequence > last.sequence {
        streams[streams.count - 1].append(frame)
      } else {
        streams.append([frame])
      }
    }
  }

  /// How many frames are missing between those that came in one stream.
  var gaps: Int {
    streams.reduce(0) { $0 + $1.last!.sequence - $1.first!.sequence + 1 - $1.count }
  }

  /// The numbers of pictures that frames show in turn, in pairs with those that the sequence numbers
  /// of their neighbours lead to.
  ///
  /// By how much a driver's numbers advance is learnt from the first frames, which are left out.
  func order(of numbers: [Int?], count: Int) -> [(shown: Int?, expected: Int?)] {
    zip(indices, indices.dropFirst()).dropFirst(9).map { a, b in
      let steps = self[b].sequence - self[a].sequence
      return (numbers[b], numbers[a].map { ($0 + steps) % count })
    }
  }
}

/// Waits until a condition holds; `false` when it still doesn't after a time.
///
/// - Parameters:
///   - seconds: The time where nothing else runs. It waits four times as long: an emulated machine beside other work is slow.
///   - condition: What must hold.
/// - Returns: Whether it holds.
func eventually(seconds: Double, _ condition: () -> Bool) async -> Bool {
  let limit = ContinuousClock.now + .seconds(4 * seconds)
  while ContinuousClock.now < limit {
    if condition() { return true }
    try? await Task.sleep(for: .milliseconds(20))
  }
  return condition()
}

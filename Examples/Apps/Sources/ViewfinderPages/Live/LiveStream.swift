import Foundation
import Hummingbird
import Synchronization
import Viewfinder

/// A camera's frames as JPEGs, for any number of visitors.
///
/// A frame is encoded once for all of them, and not at all while nobody watches; a camera's own
/// JPEGs are passed on as they are. Each visitor gets the newest frame and misses those that it was
/// too slow for.
public final class LiveStream: Sendable {
  /// What a stream has done so far.
  public struct Counts: Hashable, Sendable {
    /// Frames that were made into a JPEG, or passed on as the camera's.
    public var encodedFrames = 0
    /// The size of those, in bytes.
    public var encodedBytes = 0
    /// Frames that visitors took, each visitor's counted.
    public var sentFrames = 0
    /// The size of those, in bytes.
    public var sentBytes = 0
  }

  /// Where the frames come from; a session's output.
  public let output: CaptureVideoDataOutput
  private let watchers = Watchers<LivePart>()
  private let encoder: LiveEncoder
  private let queue = DispatchQueue(label: "live.encoding")

  /// Creates a stream for a session to be given ``output``.
  ///
  /// - Parameters:
  ///   - output: The output; a new one by default.
  ///   - quality: Of the JPEGs of cameras that don't make their own, from 0 to 1.
  public init(output: CaptureVideoDataOutput = CaptureVideoDataOutput(), quality: Double = 0.8) {
    self.output = output
    encoder = LiveEncoder(quality: quality, watchers: watchers)
  }

  /// How many visitors watch.
  public var watcherCount: Int { watchers.count }

  /// What was done so far.
  public var counts: Counts { encoder.counts.withLock { $0 } }

  /// The frames from now on, as parts of a `multipart/x-mixed-replace` body that starts with
  /// ``LivePart/delimiter``.
  func watch() -> (values: AsyncStream<LivePart>, end: @Sendable () -> Void) {
    watchers.watch(
      first: { output.setSampleBufferDelegate(encoder, queue: queue) },
      last: { [output] in output.setSampleBufferDelegate(nil, queue: nil) })
  }

  /// Sends the newest frame again if it is old, so that the connections of visitors who wait for an
  /// unplugged camera aren't taken for dead.
  func repeatNewest(olderThan age: Duration = .seconds(10)) {
    let newest = encoder.newest.withLock { newest in
      guard let old = newest, old.time.advanced(by: age) <= .now else { return LivePart?.none }
      newest?.time = .now
      return old.part
    }
    if let newest { watchers.send(newest) }
  }

  /// Counts a part that a visitor took.
  func didSend(_ part: LivePart) {
    encoder.counts.withLock { counts in
      counts.sentFrames += 1
      counts.sentBytes += part.bytes.readableBytes
    }
  }
}

/// A frame as a visitor gets it.
struct LivePart: Sendable {
  static let boundary = "viewfinder-frame"
  static let delimiter = "--\(boundary)\r\n"

  /// Fields, JPEG, and the delimiter of the next part: browsers show a picture when they see that
  /// it is over.
  ///
  /// Shared by all visitors.
  let bytes: ByteBuffer

  init(_ frame: EncodedFrame) {
    let fields =
      "Content-Type: image/jpeg\r\nContent-Length: \(frame.data.count)\r\n"
      + "X-Timestamp: \(frame.date.timeIntervalSince1970)\r\n"
      + "X-Sequence-Number: \(frame.sequenceNumber)\r\n\r\n"
    let end = "\r\n" + Self.delimiter
    var buffer = ByteBufferAllocator().buffer(
      capacity: fields.utf8.count + frame.data.count + end.utf8.count)
    buffer.writeString(fields)
    buffer.writeBytes(frame.data)
    buffer.writeString(end)
    bytes = buffer
  }
}

/// Makes JPEGs of frames, on all cores.
///
/// While they are busy the output drops frames, so that it never lags.
private final class LiveEncoder: CaptureVideoDataOutputSampleBufferDelegate {
  let counts = Mutex(LiveStream.Counts())
  /// What was sent last, and when.
  let newest = Mutex<(part: LivePart, time: ContinuousClock.Instant)?>(nil)
  private let encoder: FrameEncoder
  private let watchers: Watchers<LivePart>

  init(quality: Double, watchers: Watchers<LivePart>) {
    encoder = FrameEncoder(quality: quality)
    self.watchers = watchers
  }

  func captureOutput(
    _ output: CaptureOutput, didOutput frame: VideoFrame, from connection: CaptureConnection
  ) {
    encoder.encode(frame) { [self] result in
      // A damaged frame is left out; the next may be whole.
      guard let frame = try? result.get() else { return }
      counts.withLock { counts in
        counts.encodedFrames += 1
        counts.encodedBytes += frame.data.count
      }
      let part = LivePart(frame)
      newest.withLock { $0 = (part, .now) }
      watchers.send(part)
    }
  }
}

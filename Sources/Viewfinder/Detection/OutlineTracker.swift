import CViewfinder
import Foundation

/// A card that an ``OutlineTracker`` follows.
public struct TrackedOutline: Hashable, Sendable {
  /// Where it is, and how sure that is.
  public var outline: DetectedOutline
  /// Which card it is: changes whenever another card comes, or one comes back.
  public var identifier: Int
  /// How fast its corners move, in diagonals of the picture a second.
  public var speed: Double
  /// For how long it has been still.
  public var steadyDuration: Duration
  /// How it lies in the picture, and what to do for a good one.
  public var conditions: OutlineConditions
}

/// Follows a card from frame to frame: where it was, it is looked for first, which costs little.
///
/// ```swift
/// /// Prints what to do until a card lies still.
/// func guide(_ output: CaptureVideoDataOutput) async throws {
///   let tracker = try OutlineTracker()
///   for await frame in output.frames {
///     guard let card = try tracker.follow(frame) else { continue }
///     if let advice = card.conditions.advice.first { print(advice) }
///     if card.steadyDuration > .milliseconds(800) { return }
///   }
/// }
/// ```
///
/// A ``CaptureMetadataOutput`` does this for a session's frames. A tracker takes about 15 MB. Calls on one wait for each
/// other.
@safe public final class OutlineTracker: Sendable {
  /// The tracker's memory.
  @safe private struct Memory: ~Copyable {
    let tracker: OpaquePointer

    deinit { unsafe vf_tracker_destroy(tracker) }
  }

  private let memory: Mutex<Memory>

  /// Creates a tracker.
  ///
  /// - Throws: ``CaptureError`` when memory is short.
  public init() throws(CaptureError) {
    var failure = unsafe vf_failure()
    guard let tracker = unsafe vf_tracker_create(&failure) else {
      throw unsafe failure.imageError("the outline tracker")
    }
    memory = unsafe Mutex(Memory(tracker: tracker))
  }

  /// Looks at the next frame.
  ///
  /// A camera's JPEG is decoded at a smaller scale. A frame of another size starts anew.
  ///
  /// - Parameters:
  ///   - frame: The frame; its time stamp tells how much later it is than the one before.
  ///   - orientation: How the frame is turned upright. The default is ``ImageOrientation/up``.
  ///   - minimumConfidence: The ``DetectedOutline/confidence`` from which a card counts as found. The default is
  ///     ``OutlineDetector/defaultConfidence``.
  /// - Returns: The card; `nil` when none is there.
  /// - Throws: ``CaptureError/badImageData(what:reason:)`` for a damaged frame.
  public func follow(
    _ frame: VideoFrame, orientation: ImageOrientation = .up,
    minimumConfidence: Double = OutlineDetector.defaultConfidence
  ) throws(CaptureError) -> TrackedOutline? {
    let source = try PhotoSource(frame, orientation: orientation)
    let picture = try source.decoded(fitting: Self.workingSize)
    let time = frame.timestamp / .seconds(1)
    let tracking = try memory.withLock { memory throws(CaptureError) in
      var tracking = vf_tracking()
      var image = unsafe picture.image
      var failure = unsafe vf_failure()
      guard
        unsafe vf_tracker_follow(
          memory.tracker, &image, time, minimumConfidence, &tracking, &failure) == 0
      else { throw unsafe failure.imageError("the frame") }
      return tracking
    }
    guard tracking.is_found != 0 else { return nil }
    let outline = DetectedOutline(tracking.candidate, in: picture.dimensions, of: source.dimensions)
    return TrackedOutline(
      outline: outline, identifier: Int(tracking.card), speed: tracking.speed,
      steadyDuration: .seconds(tracking.steady),
      conditions: try OutlineConditions(of: outline.quadrilateral, in: picture)
    ).upright(source.orientation)
  }

  /// Forgets the card: the next frame is searched as a whole.
  public func reset() { memory.withLock { unsafe vf_tracker_reset($0.tracker) } }

  /// What a JPEG is decoded to at least, in pixels: enough for an outline on a screen, and cheap.
  private static let workingSize = Dimensions(width: 960, height: 960)
}

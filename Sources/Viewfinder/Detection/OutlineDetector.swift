import CViewfinder
public import Foundation

/// Finds cards and sheets in pictures by themselves: at any angle, under perspective, several in one picture.
///
/// ```swift
/// /// The card in a photo, cut to its edge and straight; `nil` when there is none.
/// func card(in photo: Data) throws -> Data? {
///   let detector = try OutlineDetector()
///   guard let found = try detector.outlines(inPhoto: photo).first else { return nil }
///   return try found.crop.apply(to: photo, name: "the photo").data
/// }
/// ```
///
/// The same picture gives the same answer on every machine. A detector takes about 15 MB. Calls on one wait for each
/// other; for several at once, make several.
@safe public final class OutlineDetector: Sendable {
  /// The most outlines that a picture is given.
  public static let maximumCount = Int(VF_CANDIDATE_LIMIT)

  /// The ``DetectedOutline/confidence`` from which an outline is worth showing.
  public static let defaultConfidence = vf_detector_threshold()

  /// The detector's memory.
  @safe private struct Memory: ~Copyable {
    let detector: OpaquePointer

    deinit { unsafe vf_detector_destroy(detector) }
  }

  private let memory: Mutex<Memory>

  /// Creates a detector.
  ///
  /// - Throws: ``CaptureError`` when memory is short.
  public init() throws(CaptureError) {
    var failure = unsafe vf_failure()
    guard let detector = unsafe vf_detector_create(&failure) else {
      throw unsafe failure.imageError("the outline detector")
    }
    memory = unsafe Mutex(Memory(detector: detector))
  }

  /// The outlines in a camera's frame.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - orientation: How the frame is turned upright. The default is ``ImageOrientation/up``.
  ///   - minimumConfidence: The least ``DetectedOutline/confidence``, from 0 to 1. The default is ``defaultConfidence``.
  ///   - maximumCount: The most outlines, up to ``maximumCount``, which is the default.
  /// - Returns: The outlines, the surest first; they overlap little. None when nothing is there.
  /// - Throws: ``CaptureError/badImageData(what:reason:)`` for a damaged frame.
  public func outlines(
    in frame: VideoFrame, orientation: ImageOrientation = .up,
    minimumConfidence: Double = defaultConfidence, maximumCount: Int = maximumCount
  ) throws(CaptureError) -> [DetectedOutline] {
    try outlines(
      in: PhotoSource(frame, orientation: orientation), minimumConfidence, maximumCount)
  }

  /// The outlines in a JPEG or PNG file, which is turned upright as its Exif orientation says.
  ///
  /// A large JPEG is decoded at a smaller scale: its outlines are as exact as the scale allows.
  ///
  /// - Parameters:
  ///   - photo: The file's bytes.
  ///   - name: What it is called in errors.
  ///   - minimumConfidence: The least ``DetectedOutline/confidence``, from 0 to 1. The default is ``defaultConfidence``.
  ///   - maximumCount: The most outlines, up to ``maximumCount``, which is the default.
  /// - Returns: The outlines, the surest first; they overlap little. None when nothing is there.
  /// - Throws: ``CaptureError/badImageData(what:reason:)`` or ``CaptureError/unsupportedImage(what:reason:)``.
  public func outlines(
    inPhoto photo: Data, name: String = "the photo", minimumConfidence: Double = defaultConfidence,
    maximumCount: Int = maximumCount
  ) throws(CaptureError) -> [DetectedOutline] {
    try outlines(in: PhotoSource(data: photo, name: name), minimumConfidence, maximumCount)
  }

  /// The outlines in an upright picture.
  ///
  /// - Parameters:
  ///   - picture: The picture.
  ///   - minimumConfidence: The least ``DetectedOutline/confidence``, from 0 to 1. The default is ``defaultConfidence``.
  ///   - maximumCount: The most outlines, up to ``maximumCount``, which is the default.
  /// - Returns: The outlines, the surest first; they overlap little. None when nothing is there.
  /// - Throws: ``CaptureError`` when memory is short.
  public func outlines(
    in picture: PixelBuffer, minimumConfidence: Double = defaultConfidence,
    maximumCount: Int = maximumCount
  ) throws(CaptureError) -> [DetectedOutline] {
    try find(in: picture.picture, of: picture.dimensions, minimumConfidence, maximumCount)
  }

  /// What a photo is decoded to at least, in pixels: more makes corners no more exact than their edges are.
  private static let workingSize = Dimensions(width: 2016, height: 2016)

  func outlines(
    in source: PhotoSource, _ minimumConfidence: Double, _ maximumCount: Int
  ) throws(CaptureError) -> [DetectedOutline] {
    let stored = try source.decoded(fitting: Self.workingSize)
    let upright = source.orientation == .up ? stored : try stored.oriented(source.orientation)
    return try find(in: upright, of: source.uprightDimensions, minimumConfidence, maximumCount)
  }

  /// Finds outlines in a picture, of which `picture` may be a smaller version.
  private func find(
    in picture: Picture, of size: Dimensions, _ minimumConfidence: Double, _ maximumCount: Int
  ) throws(CaptureError) -> [DetectedOutline] {
    let limit = min(max(maximumCount, 0), Self.maximumCount)
    guard limit > 0 else { return [] }
    let found = try memory.withLock { memory throws(CaptureError) in
      var candidates = [vf_candidate](repeating: vf_candidate(), count: limit)
      var image = unsafe picture.image
      var failure = unsafe vf_failure()
      let count = unsafe vf_detector_find(
        unsafe memory.detector, &image, minimumConfidence, &candidates, limit, &failure)
      guard count >= 0 else { throw unsafe failure.imageError("the picture") }
      return Array(candidates.prefix(Int(count)))
    }
    return found.map { DetectedOutline($0, in: picture.dimensions, of: size) }
  }
}

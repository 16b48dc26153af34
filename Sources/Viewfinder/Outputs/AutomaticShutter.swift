public import Foundation

/// Has a photo take itself: as soon as a card lies still in the picture, and can be seen well.
///
/// Of the time that the card lay still, the sharpest frame becomes the photo, where the photo has the stream's size and
/// needs no lamp.
///
/// ```swift
/// /// The next card that the camera is shown, cut to its edge and straight.
/// func nextCard(_ output: CapturePhotoOutput) async throws -> CapturePhoto {
///   var settings = CapturePhotoSettings()
///   settings.outline = .detected()
///   settings.automaticShutter = AutomaticShutter()
///   return try await output.capturePhoto(with: settings)
/// }
/// ```
public struct AutomaticShutter: Hashable, Sendable {
  /// How long the card must lie still without ``OutlineConditions/advice``.
  ///
  /// The default is 0.8 s.
  public var steadyDuration = Duration.milliseconds(800)

  /// The part of the upright picture, in its units, in which the card's middle must lie.
  ///
  /// The default is the whole picture.
  public var rectOfInterest = Outline.wholePicture

  /// The ``TrackedOutline/identifier`` of a card that is left out, such as the one that was taken last.
  ///
  /// The default is `nil`.
  public var ignoredIdentifier: Int?

  /// Creates a shutter with default values.
  public init() {}
}

/// Waits for the moment of an automatic shutter, and keeps the sharpest frame of it.
///
/// Used on the follower's queue alone.
struct SteadyWatch<Frame> {
  let shutter: AutomaticShutter
  /// Since when all was good, on the frames' clock.
  private var since: Duration?
  private var card: Int?
  /// The sharpest frame so far, and the card in it.
  private var best: (frame: Frame, time: Duration, card: TrackedOutline)?

  init(_ shutter: AutomaticShutter) { self.shutter = shutter }

  /// Looks at a frame, which was captured at `time`, and the card in it; returns the sharpest one when the moment has
  /// come.
  mutating func look(at frame: Frame, _ time: Duration, _ card: TrackedOutline?) -> (
    frame: Frame, card: TrackedOutline
  )? {
    guard let card, card.identifier != shutter.ignoredIdentifier, card.conditions.advice.isEmpty,
      shutter.rectOfInterest.contains(card.outline.quadrilateral.center)
    else {
      (since, best) = (nil, nil)
      return nil
    }
    // A card that has moved, and another one, begin anew.
    let isSame = card.identifier == self.card
    let begin = max(time - card.steadyDuration, (isSame ? since : nil) ?? time)
    if let best, best.time < begin { self.best = nil }
    (since, self.card) = (begin, card.identifier)
    if best.map({ card.conditions.edgeWidth < $0.card.conditions.edgeWidth }) ?? true {
      best = (frame, time, card)
    }
    return time - begin >= shutter.steadyDuration ? best.map { ($0.frame, $0.card) } : nil
  }
}

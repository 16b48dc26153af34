/// Follows the taking of a photo; Apple's `AVCapturePhotoCaptureDelegate`.
///
/// For each request the calls come in this order: the self-timer's ticks, will begin, will capture,
/// did capture, did finish processing, did finish capture. The last always comes, whatever happened
/// before; did finish processing comes if the camera captured the picture. The output holds the
/// delegate until the last call.
///
/// The calls come on a queue of the delegate's own, never two at a time. A slow one delays the
/// delegate's own photos, and nobody else's.
public protocol CapturePhotoCaptureDelegate: AnyObject, Sendable {
  /// The self-timer runs: called at its start, and at each whole second that remains.
  ///
  /// - Parameters:
  ///   - output: The output.
  ///   - uniqueID: The request's ``CapturePhotoSettings/uniqueID``.
  ///   - remaining: The time until the photo is taken: 3 s, 2 s, 1 s for a timer of three seconds.
  func photoOutput(
    _ output: CapturePhotoOutput, selfTimerOf uniqueID: Int64, didTick remaining: Duration)

  /// The output has resolved the settings and will take the photo.
  ///
  /// It resolves them for the format that the camera streams in, before it chooses the frame. If a
  /// frame of another size becomes the photo, because the camera's source changed meanwhile,
  /// ``CapturePhoto/resolvedSettings`` and the last call have the settings as they took effect.
  func photoOutput(
    _ output: CapturePhotoOutput,
    willBeginCaptureFor resolvedSettings: CaptureResolvedPhotoSettings)

  /// The output takes the picture now: the moment for a shutter sound.
  ///
  /// The photo is the first frame that the camera captures after this call has returned.
  func photoOutput(
    _ output: CapturePhotoOutput, willCapturePhotoFor resolvedSettings: CaptureResolvedPhotoSettings
  )

  /// The output has the picture: the person may move.
  func photoOutput(
    _ output: CapturePhotoOutput, didCapturePhotoFor resolvedSettings: CaptureResolvedPhotoSettings)

  /// The photo is ready, or `error` says why there is none.
  func photoOutput(
    _ output: CapturePhotoOutput, didFinishProcessingPhoto photo: CapturePhoto?,
    error: CaptureError?)

  /// The request is over, and `error` says what went wrong, if anything.
  func photoOutput(
    _ output: CapturePhotoOutput,
    didFinishCaptureFor resolvedSettings: CaptureResolvedPhotoSettings, error: CaptureError?)
}

extension CapturePhotoCaptureDelegate {
  /// Does nothing.
  public func photoOutput(
    _ output: CapturePhotoOutput, selfTimerOf uniqueID: Int64, didTick remaining: Duration
  ) {}

  /// Does nothing.
  public func photoOutput(
    _ output: CapturePhotoOutput,
    willBeginCaptureFor resolvedSettings: CaptureResolvedPhotoSettings
  ) {}

  /// Does nothing.
  public func photoOutput(
    _ output: CapturePhotoOutput, willCapturePhotoFor resolvedSettings: CaptureResolvedPhotoSettings
  ) {}

  /// Does nothing.
  public func photoOutput(
    _ output: CapturePhotoOutput, didCapturePhotoFor resolvedSettings: CaptureResolvedPhotoSettings
  ) {}

  /// Does nothing.
  public func photoOutput(
    _ output: CapturePhotoOutput, didFinishProcessingPhoto photo: CapturePhoto?,
    error: CaptureError?
  ) {}

  /// Does nothing.
  public func photoOutput(
    _ output: CapturePhotoOutput,
    didFinishCaptureFor resolvedSettings: CaptureResolvedPhotoSettings, error: CaptureError?
  ) {}
}
